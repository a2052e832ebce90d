import { formatUsd } from "../../catalogue/money.ts";
import { Reply } from "../../lib/contract.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { CHANGE_ME, type Me, type OwnChanges, type Person, SHOW_ME } from "../contract/me.ts";
import type { Call, CallOf, Guards } from "../guards.ts";
import type { Preferences } from "../people/person.ts";
import type { PeopleServices } from "../services.ts";
import { signInOptions } from "../sign-in/routes.ts";

/** Accounts of which the principal is a member; one that is gone is left out. */
async function accountsOf({ memberships, accounts, balanceOf }: PeopleServices, userId: string) {
  const joined = await memberships.ofUser(userId);
  const shown = await Promise.all(
    joined.map(async ({ accountId, role }) => {
      const account = await accounts.findAccount(accountId);
      if (!account) return [];
      const balance = formatUsd(await balanceOf(accountId));
      return [{ id: account.id, name: account.name, role, balance }];
    }),
  );
  return shown.flat();
}

async function personOf(services: PeopleServices, incoming: Incoming): Promise<Person | null> {
  const person = await services.signIn.session(incoming);
  if (!person) return null;
  const { language, theme, timeZone } = await services.preferences.find(person.userId);
  const { userId: id, email, name, emailVerified, twoFactor: two_factor } = person;
  const own = { id, email, email_verified: emailVerified, name, two_factor };
  return { ...own, language, theme, time_zone: timeZone };
}

async function me(services: PeopleServices, { incoming, principal }: Call): Promise<Me> {
  const { signIn } = services;
  const { displayCurrency, testPayment } = await services.facts();
  const { userId } = principal;
  return {
    user: userId === undefined ? null : await personOf(services, incoming),
    operator: principal.operator,
    accounts: userId === undefined ? [] : await accountsOf(services, userId),
    ...(await signInOptions(services)),
    public_url: signIn.origins.own,
    display_currency: displayCurrency,
    test_payment: testPayment,
  };
}

function preferencesIn(changes: OwnChanges): Partial<Preferences> {
  const { language, theme, time_zone: timeZone } = changes;
  return {
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

async function changeMe(services: PeopleServices, call: CallOf<typeof CHANGE_ME>) {
  const { incoming, principal } = call;
  const { userId } = principal;
  if (userId === undefined) {
    throw new Fault("permission_denied", "A token has no preferences; sign in as a person.");
  }
  const changes = await call.body();
  const { name } = changes;
  const cookies = name === undefined ? [] : await services.signIn.rename(incoming, name);
  await services.preferences.save(userId, preferencesIn(changes));
  const answer = await me(services, call);
  // The session that came with the request may still say the old name.
  const user = answer.user && { ...answer.user, ...(name !== undefined && { name }) };
  return new Reply({ ...answer, user }, { cookies });
}

/** The principal themselves: who they are, where they belong, how they like it. */
export function meRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    guards.signedIn(SHOW_ME, (call) => me(services, call)),
    guards.signedIn(CHANGE_ME, (call) => changeMe(services, call)),
  ];
}
