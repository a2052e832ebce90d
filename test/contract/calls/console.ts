// What an account shows of itself, and what its pages do.
import type { Call } from "../walk.ts";

const ACCOUNT = "/api/accounts/:account";
const DAYS = { from: "2026-01-01", to: "2026-01-31" };
const MOMENTS = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
const SANDBOX = () => ({ model: "sandbox-1.0" });

export const CONSOLE: readonly Call[] = [
  { of: `POST ${ACCOUNT}/playground/responses`, body: SANDBOX },
  { of: `POST ${ACCOUNT}/playground/chat/completions`, body: SANDBOX },
  { of: `GET ${ACCOUNT}/overview`, query: () => ({ tz: "Europe/Berlin" }) },
  { of: `GET ${ACCOUNT}/entries` },
  { of: `GET ${ACCOUNT}/models` },
  { of: `GET ${ACCOUNT}/usage` },
  {
    of: `GET ${ACCOUNT}/usage`,
    query: (seen) => ({
      by: "model",
      tz: "Asia/Shanghai",
      key: seen("key"),
      model: "sandbox-1.0",
      ...DAYS,
    }),
  },
  {
    of: `GET ${ACCOUNT}/usage.csv`,
    query: (seen) => ({
      by: "key",
      tz: "Asia/Shanghai",
      key: seen("key"),
      model: "sandbox-1.0",
      ...DAYS,
    }),
  },
  { of: `GET ${ACCOUNT}/requests`, keep: { request: "data.0.id" } },
  {
    of: `GET ${ACCOUNT}/requests`,
    query: (seen) => ({ key: seen("key"), model: "sandbox-1.0", status: "ok", ...MOMENTS }),
  },
  { of: `GET ${ACCOUNT}/requests`, query: (seen) => ({ q: seen("request") }) },
  { of: `GET ${ACCOUNT}/requests`, query: (seen) => ({ since: seen("request") }) },
  { of: `GET ${ACCOUNT}/requests/:id`, at: { id: "request" } },
  {
    of: `GET ${ACCOUNT}/requests.csv`,
    query: (seen) => ({ key: seen("key"), model: "sandbox-1.0", status: "ok", ...MOMENTS }),
  },
  { of: `GET ${ACCOUNT}/requests.csv`, query: (seen) => ({ q: seen("request") }) },
  { of: `GET ${ACCOUNT}/entries.csv`, query: () => DAYS },
  { of: `GET ${ACCOUNT}/alerts` },
  { of: `PUT ${ACCOUNT}/alerts`, body: (seen) => ({ webhook: { url: seen("hook") } }) },
  { of: `POST ${ACCOUNT}/alerts/test` },
  { of: `GET ${ACCOUNT}/search`, query: () => ({ q: "Prod" }) },
  { of: "GET /api/operator/search", query: () => ({ q: "Acme" }) },
];
