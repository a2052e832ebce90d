import { z } from "zod";
import { formatUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import type { Guards, Principal } from "../guards.ts";
import type { Preferences } from "../people/person.ts";
import type { PeopleServices } from "../services.ts";
import { signInOptions } from "../sign-in/routes.ts";

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const CHANGES = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Write a name.")
    .max(100, "Write at most 100 characters.")
    .optional(),
  language: z.enum(["en", "zh"]).nullable().optional(),
  theme: z.enum(["light", "dark", "system"]).nullable().optional(),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, "Write a time zone such as Europe/Berlin.")
    .nullable()
    .optional(),
});

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

async function personOf(services: PeopleServices, incoming: Incoming) {
  const person = await services.signIn.session(incoming);
  if (!person) return null;
  const { language, theme, timeZone } = await services.preferences.find(person.userId);
  const { userId: id, email, name, emailVerified, twoFactor: two_factor } = person;
  const own = { id, email, email_verified: emailVerified, name, two_factor };
  return { ...own, language, theme, time_zone: timeZone };
}

async function me(services: PeopleServices, incoming: Incoming, principal: Principal) {
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

function preferencesIn(changes: z.infer<typeof CHANGES>): Partial<Preferences> {
  const { language, theme, time_zone: timeZone } = changes;
  return {
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** The principal themselves: who they are, where they belong, how they like it. */
export function meRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    guards.signedIn("GET", "/api/me", async ({ incoming, principal }) =>
      Response.json(await me(services, incoming, principal)),
    ),
    guards.signedIn("PATCH", "/api/me", async ({ incoming, principal }) => {
      const { userId } = principal;
      if (userId === undefined) {
        throw new Fault("permission_denied", "A token has no preferences; sign in as a person.");
      }
      const changes = await readJson(incoming.request, CHANGES);
      const { name } = changes;
      const cookies = name === undefined ? [] : await services.signIn.rename(incoming, name);
      await services.preferences.save(userId, preferencesIn(changes));
      const answer = await me(services, incoming, principal);
      // The session that came with the request may still say the old name.
      const user = answer.user && { ...answer.user, ...(name !== undefined && { name }) };
      const response = Response.json({ ...answer, user });
      for (const cookie of cookies) response.headers.append("set-cookie", cookie);
      return response;
    }),
  ];
}
