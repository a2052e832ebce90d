// What goes into an account and out of it again. As long as there is no channel, play money counts.
import type { Call } from "../walk.ts";

const ACCOUNT = "/api/accounts/:account";
const ORDERS = `${ACCOUNT}/orders`;
const BATCHES = "/api/operator/codes/batches";
const BY_OPERATOR = "/api/operator/accounts/:account";

/** The day of an example is over one day. */
const soon = () => ({ expires_at: new Date(Date.now() + 86_400_000).toISOString() });

export const MONEY: readonly Call[] = [
  { of: `POST ${BY_OPERATOR}/credit` },
  { of: `POST ${BY_OPERATOR}/refund` },
  { of: `POST ${BATCHES}`, body: soon, keep: { batch: "id", code: "codes.0" } },
  { of: `POST ${BATCHES}`, body: soon, headers: { accept: "text/csv" }, wants: "file" },
  { of: `POST ${ACCOUNT}/codes/redeem`, body: (seen) => ({ code: seen("code") }) },
  { of: `GET ${BATCHES}` },
  { of: `GET ${BATCHES}/:id/codes`, at: { id: "batch" } },
  { of: `GET ${BATCHES}/:id/codes`, at: { id: "batch" }, query: () => ({ state: "redeemed" }) },
  {
    of: `GET ${BATCHES}/:file`,
    first: (_, walk) => walk.see("file", `${walk.seen("batch")}.csv`),
    query: () => ({ unused: "1" }),
  },
  { of: `POST ${BATCHES}/:id/revoke`, at: { id: "batch" } },
  { of: `POST ${ORDERS}`, body: () => ({ provider: "test" }), keep: { order: "id" } },
  { of: `POST ${ORDERS}/:id/test-pay`, at: { id: "order" } },
  { of: `POST ${ORDERS}`, keep: { order: "id" } },
  {
    of: `GET ${ORDERS}/:id`,
    at: { id: "order" },
    first: ({ stripe }) => stripe.end(stripe.sessions.at(-1)?.id ?? null, "paid"),
  },
  { of: `GET ${ORDERS}` },
  { of: `POST ${ACCOUNT}/refunds` },
  { of: `GET ${ACCOUNT}/refunds` },
  { of: `PUT ${ACCOUNT}/auto-topup` },
  { of: `GET ${ACCOUNT}/wallet` },
];
