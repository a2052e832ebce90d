// How somebody comes in, and who belongs where.
import { PASSWORD } from "../../support/browser.ts";
import { eventually } from "../../support/waiting.ts";
import type { Call, Seen } from "../walk.ts";

const ACCOUNT = "/api/accounts/:account";
const INVITATIONS = `${ACCOUNT}/invitations`;
const NEWCOMER = { email: "lin@example.com", name: "Lin", password: PASSWORD };

const invited = (seen: Seen) => ({ token: seen("link").split("#").at(-1) });

export const PEOPLE: readonly Call[] = [
  { of: "GET /openapi.json" },
  { of: "GET /api/sign-in-options" },
  {
    of: "POST /api/operator-link/open",
    body: (seen) => ({ token: seen("operatorLink") }),
  },
  {
    of: "POST /api/operator-link",
    by: "operator",
    body: (seen) => ({ token: seen("operatorLink") }),
  },
  { of: "GET /api/me" },
  { of: "PATCH /api/me" },
  { of: "POST /api/operator/accounts", keep: { account: "id" } },
  { of: "POST /api/operator/accounts", body: () => ({ name: "Other" }), keep: { other: "id" } },
  { of: "GET /api/operator/accounts" },
  { of: "GET /api/operator/accounts", query: () => ({ q: "Oth" }) },
  { of: "GET /api/operator/accounts/:account" },
  { of: "PATCH /api/operator/accounts/:account", at: { account: "other" } },
  {
    of: `POST ${INVITATIONS}`,
    // What is not mailed has a link to hand over.
    first: ({ mail }) => mail.refuse(Number.POSITIVE_INFINITY),
    keep: { invitation: "id" },
  },
  { of: `POST ${INVITATIONS}/:id/link`, at: { id: "invitation" }, keep: { link: "token_link" } },
  { of: "POST /api/invitations/open", first: ({ mail }) => mail.refuse(0), body: invited },
  { of: "POST /api/invitations/accept", by: "guest", body: invited },
  { of: `POST ${INVITATIONS}`, body: () => ({ email: "katherine@example.com" }) },
  { of: `GET ${INVITATIONS}`, keep: { invitation: "data.0.id" } },
  { of: `POST ${INVITATIONS}/:id/mail`, at: { id: "invitation" } },
  { of: `DELETE ${INVITATIONS}/:id`, at: { id: "invitation" } },
  { of: `GET ${ACCOUNT}/members`, by: "guest", keep: { member: "data.0.id" } },
  { of: `PATCH ${ACCOUNT}/members/:id`, at: { id: "member" } },
  {
    of: "POST /api/sign-up/confirm",
    by: "newcomer",
    async first({ mailedToken }, walk) {
      await walk.browser("newcomer").post("/api/auth/sign-up/email", NEWCOMER);
      const asked = () => mailedToken(NEWCOMER.email);
      walk.see("signUp", await eventually("the mail of the sign-up is there", asked));
    },
    body: (seen) => ({ token: seen("signUp"), password: PASSWORD }),
  },
  { of: "GET /api/me", by: "newcomer" },
  { of: "POST /api/operator/tokens", keep: { token: "id" } },
  { of: "GET /api/operator/tokens" },
  { of: "DELETE /api/operator/tokens/:id", at: { id: "token" } },
  { of: "GET /api/operator/audit", keep: { actor: "data.0.actor", target: "data.0.target" } },
  {
    of: "GET /api/operator/audit",
    query: (seen) => ({
      ...{ account: seen("account"), actor: seen("actor"), action: "invitation" },
      ...{ target: seen("target"), from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" },
    }),
  },
];

/** What is called when nobody needs them any more. */
export const FAREWELL: readonly Call[] = [
  { of: `DELETE ${ACCOUNT}/members/:id`, at: { id: "member" } },
];
