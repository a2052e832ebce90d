// What an operator sets: vendors, models, prices, the installation.
import { answer, isChat } from "../../support/vendors/mock-vendor.ts";
import { eventually } from "../../support/waiting.ts";
import type { ContractHouse } from "../house.ts";
import type { Call, Walk } from "../walk.ts";

const CHANNELS = "/api/operator/channels";
const MODELS = "/api/operator/models";
const CHANNEL = { id: "channel" };
const MODEL = { id: "newModel" };
const DAYS = { from: "2026-01-01", to: "2026-01-31" };
/** The day of an example is over one day. */
const soon = () => ({ effective_from: new Date(Date.now() + 86_400_000).toISOString() });
const KEY = "sk-vendor-key-0001";

/** Two requests that the vendor keeps waiting. */
async function holdTwo({ vendor, answers }: ContractHouse, walk: Walk): Promise<void> {
  vendor.play(async (call) => {
    await answers.promise;
    return answer(call);
  });
  const body = { model: "small-model", messages: [{ role: "user", content: "Say hello." }] };
  for (const _ of [1, 2]) void walk.send("key", "POST", "/v1/chat/completions", body);
  const asked = () => vendor.calls.filter(isChat).length === 2;
  await eventually("both are with the vendor", asked);
}

export const OPERATOR: readonly Call[] = [
  {
    of: `POST ${MODELS}`,
    body: () => ({ id: "small-model", upstream: undefined }),
    keep: { newModel: "id" },
  },
  { of: `GET ${MODELS}` },
  { of: `GET ${MODELS}/:id`, at: MODEL },
  { of: `PATCH ${MODELS}/:id`, at: MODEL },
  { of: `PUT ${MODELS}/:id/price`, at: MODEL, body: soon, query: () => ({ preview: "true" }) },
  {
    of: `PUT ${MODELS}/:id/price`,
    at: MODEL,
    body: soon,
    keep: { price: "prices.0.id" },
  },
  { of: "DELETE /api/operator/prices/:id", at: { id: "price" } },
  {
    of: `POST ${CHANNELS}/try`,
    body: (seen) => ({ vendor: "custom", base_url: seen("vendor"), keys: [KEY] }),
  },
  {
    of: `POST ${CHANNELS}`,
    body: (seen) => ({
      ...{ vendor: "custom", base_url: seen("vendor"), keys: [KEY], models: ["small-model"] },
    }),
    keep: { channel: "id" },
  },
  { of: `GET ${CHANNELS}` },
  { of: `GET ${CHANNELS}/:id`, at: CHANNEL },
  {
    of: `PATCH ${CHANNELS}/:id`,
    at: CHANNEL,
    body: () => ({ add_keys: ["sk-vendor-key-0002"], remove_keys: undefined }),
  },
  { of: `POST ${CHANNELS}/:id/test`, at: CHANNEL, body: () => ({ model: "small-model" }) },
  { of: `POST ${CHANNELS}/:id/revive`, at: CHANNEL },
  { of: "GET /api/operator/ledger/holds", first: holdTwo },
  { of: `DELETE ${CHANNELS}/:id`, at: CHANNEL, first: ({ answers }) => answers.resolve() },
  { of: `DELETE ${MODELS}/:id`, at: MODEL },
  { of: "PUT /api/operator/settings", query: () => ({ preview: "true" }) },
  { of: "PUT /api/operator/settings" },
  { of: "GET /api/operator/settings" },
  { of: "GET /api/operator/ledger/verify" },
  { of: "GET /api/operator/ledger/margin" },
  { of: "GET /api/operator/ledger/overage", query: () => DAYS },
  { of: "GET /api/operator/ledger/margin", query: () => DAYS },
  { of: "GET /api/operator/ledger/input-losses", query: () => DAYS },
  { of: "POST /api/operator/mail/test" },
  { of: "GET /metrics" },
  { of: "GET /api/operator/system" },
  { of: "GET /api/operator/health" },
  { of: "GET /api/operator/overview" },
  { of: "GET /api/operator/alerts", first: ({ tellAlerts }) => tellAlerts() },
];
