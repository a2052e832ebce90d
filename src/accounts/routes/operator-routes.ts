import { Fault } from "../../lib/faults.ts";
import { shownList } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import {
  BECOME_OPERATOR,
  CREATE_TOKEN,
  type CreatedToken,
  LIST_TOKENS,
  OPEN_OPERATOR_LINK,
  REVOKE_TOKEN,
  type OperatorToken as ShownToken,
} from "../contract/operators.ts";
import type { Call, CallOf, Guards, OpenCallOf } from "../guards.ts";
import type { OperatorToken } from "../people/person.ts";
import { checkOrigin } from "../same-origin.ts";
import type { PeopleServices } from "../services.ts";
import { shown } from "../shown.ts";
import { welcome } from "../sign-in/routes.ts";

function linkGone(): Fault {
  return new Fault(
    "not_found",
    "This link has been used or has expired. Run 'faregate operator link' for a fresh one.",
    { param: "token" },
  );
}

/** Told before anything is filled in: whether the link is good, and whether its visitor is the first. */
async function openLink(services: PeopleServices, call: OpenCallOf<typeof OPEN_OPERATOR_LINK>) {
  checkOrigin(call.incoming.request, services.signIn.origins.trusted);
  const { token } = await call.body();
  if (!(await services.links.isGood(token))) throw linkGone();
  return { first: !(await services.memberships.anyOperator()) };
}

/** Whoever comes first says whose installation it is; a later one must not rename it by a link. */
async function checkCompany(services: PeopleServices, company: string | undefined): Promise<void> {
  if (company === undefined || !(await services.memberships.anyOperator())) return;
  const message = "Only the first operator names the company; change the account's name instead.";
  throw new Fault("invalid_value", message, { param: "company" });
}

async function tokenToJson({ tokens }: PeopleServices, token: OperatorToken): Promise<ShownToken> {
  return {
    ...shown(token, "id", "name", "lastFour", "createdBy", "scopes"),
    ...shown(token, "createdAtMs", "lastUsedAtMs", "expiresAtMs"),
    owner: await tokens.ownerOf(token),
  };
}

/** Whoever has the link has it from the machine itself, so they run the installation. */
async function becomeOperator(services: PeopleServices, call: OpenCallOf<typeof BECOME_OPERATOR>) {
  const { links, signIn, memberships, accounts, audit } = services;
  const { incoming } = call;
  checkOrigin(incoming.request, signIn.origins.trusted);
  const { token, company, ...person } = await call.body();
  await checkCompany(services, company);
  const account = await accounts.operatorAccount();
  if (!account) throw new Error("there is no operator account");
  // What fails in between is done again by the same link, or by the next one: each step finds what is there.
  const operator = await links.use(token, async () => {
    const entered = await signIn.registerOperator(person, incoming);
    if (company !== undefined) await accounts.updateAccount(account.id, { name: company });
    await memberships.join(account, entered.userId, "owner", true);
    return entered;
  });
  if (!operator) throw linkGone();
  const { userId, email: name } = operator;
  await audit.write({
    principal: { userId, name, operator: true },
    accountId: account.id,
    action: "operator.join",
    target: userId,
    ...(company !== undefined && { detail: { company } }),
  });
  return welcome(operator);
}

async function createToken(
  services: PeopleServices,
  call: CallOf<typeof CREATE_TOKEN>,
): Promise<CreatedToken> {
  const { name, scopes, expires_at } = await call.body();
  const expiresAtMs = typeof expires_at === "string" ? Date.parse(expires_at) : expires_at;
  const form = { name, scopes, expiresAtMs };
  const { token, secret } = await services.tokens.create(form, call.principal);
  const shown = await tokenToJson(services, token);
  const detail = { name, scopes: token.scopes, expires_at: shown.expires_at };
  const note = { ...call, accountId: null, action: "token.create", target: token.id };
  await services.audit.write({ ...note, detail });
  return { ...shown, secret };
}

async function revokeToken({ tokens, audit }: PeopleServices, { incoming, principal }: Call) {
  const target = incoming.params.id ?? "";
  const token = (await tokens.list()).find(({ id }) => id === target);
  if (!token || !(await tokens.revoke(target))) {
    throw new Fault("not_found", "There is no such token.", { param: "id" });
  }
  const detail = { name: token.name };
  await audit.write({ principal, accountId: null, action: "token.revoke", target, detail });
  return { id: target, deleted: true as const };
}

/** What only whoever runs the installation does: their way in, and tokens for programs. */
export function operatorRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    guards.open(BECOME_OPERATOR, (call) => becomeOperator(services, call)),
    guards.open(OPEN_OPERATOR_LINK, (call) => openLink(services, call)),
    guards.operator(LIST_TOKENS, async () => {
      const tokens = await services.tokens.list();
      const data = await Promise.all(tokens.map((one) => tokenToJson(services, one)));
      return shownList(data);
    }),
    guards.operator(CREATE_TOKEN, (call) => createToken(services, call)),
    guards.operator(REVOKE_TOKEN, (call) => revokeToken(services, call)),
  ];
}
