import { z } from "zod";
import { Fault } from "../../lib/faults.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { withApiHeaders } from "../api-headers.ts";
import type { Guards } from "../guards.ts";
import { type OperatorToken, TOKEN_SCOPES } from "../people/person.ts";
import { checkOrigin } from "../same-origin.ts";
import type { PeopleServices } from "../services.ts";

const TOKEN = z.strictObject({
  name: z.string().trim().min(1, "Write a name.").max(100, "Write at most 100 characters."),
  expires_at: z.iso
    .datetime({ offset: true, error: "Write a time such as 2027-01-31T12:00:00Z." })
    .nullable()
    .optional(),
  scopes: z
    .array(z.enum(TOKEN_SCOPES, `A scope is one of ${TOKEN_SCOPES.join(", ")}.`), "Write a list.")
    .min(1, "A token has at least one scope.")
    .transform((scopes) => TOKEN_SCOPES.filter((scope) => scopes.includes(scope)))
    .optional(),
});

const LINK_TOKEN = z.string().min(1, "The link has no token.").max(200);
const OPENED = z.strictObject({ token: LINK_TOKEN });

const NEW_OPERATOR = z.strictObject({
  token: LINK_TOKEN,
  email: z.email("Write an e-mail address.").max(254),
  name: z.string().trim().min(1, "Write a name.").max(100, "Write at most 100 characters."),
  password: z.string(),
  company: z
    .string()
    .trim()
    .min(1, "Write the name of your company or team.")
    .max(100, "Write at most 100 characters.")
    .optional(),
});

function linkGone(): Fault {
  return new Fault(
    "not_found",
    "This link has been used or has expired. Run 'faregate operator link' for a fresh one.",
    { param: "token" },
  );
}

/** Told before anything is filled in: whether the link is good, and whether its visitor is the first. */
async function openLink(services: PeopleServices, { request }: Incoming): Promise<Response> {
  checkOrigin(request, services.signIn.origins.trusted);
  const { token } = await readJson(request, OPENED);
  if (!(await services.links.isGood(token))) throw linkGone();
  return Response.json({ first: !(await services.memberships.anyOperator()) });
}

/** Whoever comes first says whose installation it is; a later one must not rename it by a link. */
async function checkCompany(services: PeopleServices, company: string | undefined): Promise<void> {
  if (company === undefined || !(await services.memberships.anyOperator())) return;
  const message = "Only the first operator names the company; change the account's name instead.";
  throw new Fault("invalid_value", message, { param: "company" });
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

async function showToken({ tokens }: PeopleServices, token: OperatorToken) {
  return {
    id: token.id,
    name: token.name,
    last_four: token.lastFour,
    created_by: token.createdBy,
    created_at: instant(token.createdAtMs),
    last_used_at: instant(token.lastUsedAtMs),
    expires_at: instant(token.expiresAtMs),
    scopes: token.scopes,
    owner: await tokens.ownerOf(token),
  };
}

/** Whoever has the link has it from the machine itself, so they run the installation. */
async function becomeOperator(services: PeopleServices, incoming: Incoming): Promise<Response> {
  const { links, signIn, memberships, accounts, audit } = services;
  const { request } = incoming;
  checkOrigin(request, signIn.origins.trusted);
  const { token, company, ...person } = await readJson(request, NEW_OPERATOR);
  await checkCompany(services, company);
  const account = await accounts.operatorAccount();
  if (!account) throw new Error("there is no operator account");
  const operator = await links.use(token, () => signIn.register(person, incoming));
  if (!operator) throw linkGone();
  const { userId, email: name, cookies } = operator;
  if (company !== undefined) await accounts.updateAccount(account.id, { name: company });
  await memberships.join(account, userId, "owner", true);
  await audit.write({
    principal: { userId, name, operator: true },
    accountId: account.id,
    action: "operator.join",
    target: userId,
    ...(company !== undefined && { detail: { company } }),
  });
  const response = Response.json({ user: { id: userId, email: name, name: operator.name } });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** What only whoever runs the installation does: their way in, and tokens for programs. */
export function operatorRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  const { tokens, audit } = services;
  const open = (path: string, handle: typeof becomeOperator): Route => ({
    ...{ method: "POST", path, hosts: "own" },
    handle: (incoming) => withApiHeaders(() => handle(services, incoming)),
  });
  return [
    open("/api/operator-link", becomeOperator),
    open("/api/operator-link/open", openLink),
    guards.operator("GET", "/api/operator/tokens", async () => {
      const data = await Promise.all((await tokens.list()).map((one) => showToken(services, one)));
      return Response.json({ object: "list", data, next: null });
    }),
    guards.operator("POST", "/api/operator/tokens", async ({ incoming, principal }) => {
      const { name, scopes, expires_at } = await readJson(incoming.request, TOKEN);
      const expiresAtMs = typeof expires_at === "string" ? Date.parse(expires_at) : expires_at;
      const wish = { name, scopes, expiresAtMs };
      const { token, secret } = await tokens.create(wish, principal);
      const { id: target } = token;
      const expiresAt = instant(token.expiresAtMs);
      await audit.write({
        principal,
        accountId: null,
        action: "token.create",
        target,
        detail: { name, scopes: token.scopes, expires_at: expiresAt },
      });
      return Response.json({ ...(await showToken(services, token)), secret });
    }),
    guards.operator("DELETE", "/api/operator/tokens/:id", async ({ incoming, principal }) => {
      const target = incoming.params.id ?? "";
      const token = (await tokens.list()).find(({ id }) => id === target);
      if (!token || !(await tokens.revoke(target))) {
        throw new Fault("not_found", "There is no such token.", { param: "id" });
      }
      const detail = { name: token.name };
      await audit.write({ principal, accountId: null, action: "token.revoke", target, detail });
      return Response.json({ id: target, deleted: true });
    }),
  ];
}
