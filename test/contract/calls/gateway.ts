// What programs call by a key, with the sandbox's models.
import type { Call } from "../walk.ts";

const KEYS = "/api/accounts/:account/keys";
const MODEL = { id: "model" };
const EMBEDDING = { id: "embedding" };
const STREAMED = { wants: "stream", body: () => ({ stream: true }) } as const;
const SSE = { wants: "stream", query: () => ({ alt: "sse" }) } as const;
const ANTHROPIC = {
  by: "anthropicKey",
  headers: { "anthropic-version": "2023-06-01" },
} as const;

const ofGoogle = (base: string): readonly Call[] => [
  { of: `POST ${base}/models/:id:generateContent`, at: MODEL },
  { of: `POST ${base}/models/:id:streamGenerateContent`, at: MODEL },
  { of: `POST ${base}/models/:id:streamGenerateContent`, at: MODEL, ...SSE },
  { of: `POST ${base}/models/:id:countTokens`, at: MODEL },
  { of: `POST ${base}/models/:id:embedContent`, at: EMBEDDING },
  { of: `POST ${base}/models/:id:batchEmbedContents`, at: EMBEDDING },
];

const MODELS: readonly Call[] = [
  { of: "GET /v1/models", keep: { firstModel: "data.0.id", lastModel: "data.1.id" } },
  { of: "GET /v1/models", query: () => ({ client_version: "0.60.0" }) },
  {
    of: "GET /v1/models",
    ...ANTHROPIC,
    query: (seen) => ({ limit: "1", after_id: seen("firstModel") }),
  },
  { of: "GET /v1/models", ...ANTHROPIC, query: (seen) => ({ before_id: seen("lastModel") }) },
  {
    of: "GET /v1/models",
    by: "googleKey",
    query: () => ({ pageSize: "1" }),
    keep: { page: "nextPageToken" },
  },
  { of: "GET /v1/models", by: "googleKey", query: (seen) => ({ pageToken: seen("page") }) },
  { of: "GET /v1beta/models", by: "googleKey", query: () => ({ pageSize: "1" }) },
  { of: "GET /v1beta/models", query: (seen) => ({ pageToken: seen("page") }) },
  { of: "GET /v1beta/models/:id", at: MODEL },
  { of: "GET /v1/models/:id", at: MODEL },
  { of: "GET /v1/models/:id", at: MODEL, ...ANTHROPIC },
  { of: "GET /v1/models/:id", at: MODEL, by: "googleKey" },
];

export const GATEWAY: readonly Call[] = [
  {
    of: `POST ${KEYS}`,
    body: () => ({ account_read: true }),
    first: (_, walk) => {
      walk.see("model", "sandbox-1.0");
      walk.see("embedding", "sandbox-embedding-1.0");
    },
    keep: { key: "id", secret: "secret" },
  },
  { of: `POST ${KEYS}`, body: () => ({ name: "Spare" }), keep: { spare: "id" } },
  { of: `GET ${KEYS}` },
  { of: `GET ${KEYS}`, query: () => ({ q: "Spa", sort: "name" }) },
  { of: `PATCH ${KEYS}/:id`, at: { id: "spare" } },
  { of: `POST ${KEYS}/:id/rotate`, at: { id: "spare" } },
  { of: `DELETE ${KEYS}/:id/former-secrets`, at: { id: "spare" } },
  { of: `GET ${KEYS}/:id`, at: { id: "spare" } },
  { of: `DELETE ${KEYS}/:id`, at: { id: "spare" } },
  { of: "POST /v1/responses", keep: { response: "id" } },
  { of: "POST /v1/responses", ...STREAMED },
  { of: "GET /v1/responses/:id", at: { id: "response" } },
  {
    of: "GET /v1/responses/:id/input_items",
    at: { id: "response" },
    query: () => ({ limit: "1", order: "asc" }),
    keep: { item: "data.0.id" },
  },
  {
    of: "GET /v1/responses/:id/input_items",
    at: { id: "response" },
    query: (seen) => ({ after: seen("item") }),
  },
  { of: "GET /v1/generation", query: (seen) => ({ id: seen("response") }) },
  { of: "DELETE /v1/responses/:id", at: { id: "response" } },
  { of: "POST /v1/responses/input_tokens" },
  { of: "POST /v1/responses/compact" },
  { of: "POST /v1/estimate" },
  { of: "POST /v1/chat/completions" },
  { of: "POST /v1/chat/completions", ...STREAMED },
  { of: "POST /v1/embeddings" },
  { of: "POST /v1/messages" },
  { of: "POST /v1/messages", ...STREAMED },
  { of: "POST /v1/messages/count_tokens" },
  ...ofGoogle("/v1beta"),
  ...ofGoogle("/v1"),
  ...MODELS,
  { of: "GET /v1/key" },
  { of: "GET /v1/credits" },
  { of: "GET /v1/dashboard/billing/subscription" },
  {
    of: "GET /v1/dashboard/billing/usage",
    query: () => ({ start_date: "2026-01-01", end_date: "2026-01-31" }),
  },
];
