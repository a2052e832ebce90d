// Articles for public accounts: by key, in the console, and on the page of the built-in platform.
import type { Call } from "../walk.ts";

const DRAFTS = "/api/accounts/:account/drafts";
const PUBLIC = "/api/accounts/:account/public-accounts";
const BY_KEY = "/v1/wechat/accounts";
const MATERIAL = "/api/platform/accounts/:appid";
const DRAFT = { id: "draft" };
const SANDBOX = () => ({ model: "sandbox-1.0" });

const OF_KEY: readonly Call[] = [
  { of: "GET /v1/drafts/themes" },
  { of: "POST /v1/drafts:preview" },
  { of: "POST /v1/drafts:write", body: SANDBOX },
  { of: "POST /v1/drafts:shorten", body: SANDBOX },
  { of: "POST /v1/drafts", keep: { draft: "id" } },
  { of: "POST /v1/drafts", body: () => ({ dry_run: true }) },
  { of: "GET /v1/drafts/:id", at: DRAFT },
  { of: "PATCH /v1/drafts/:id", at: DRAFT },
  { of: "POST /v1/drafts/:id:retry", at: DRAFT },
  { of: "POST /v1/drafts", keep: { deleted: "id" } },
  { of: "GET /v1/drafts" },
  { of: "DELETE /v1/drafts/:id", at: { id: "deleted" } },
  { of: "POST /v1/drafts/:id:publish", at: DRAFT },
  { of: "POST /mcp", headers: { accept: "application/json, text/event-stream" } },
];

const WECHAT: readonly Call[] = [
  { of: `GET ${BY_KEY}` },
  { of: `POST ${BY_KEY}`, keep: { publicAccount: "id" } },
  { of: `GET ${BY_KEY}/:id`, at: { id: "publicAccount" } },
  { of: `PATCH ${BY_KEY}/:id`, at: { id: "publicAccount" } },
  { of: `POST ${BY_KEY}/:id:doctor`, at: { id: "publicAccount" } },
  { of: `DELETE ${BY_KEY}/:id`, at: { id: "publicAccount" } },
  {
    of: `POST ${BY_KEY}`,
    body: () => ({ secret: undefined, credential: "supplied" }),
    keep: { supplied: "id" },
  },
  { of: `PUT ${BY_KEY}/:id/token`, at: { id: "supplied" } },
  { of: `DELETE ${BY_KEY}/:id`, at: { id: "supplied" } },
  {
    of: `POST ${BY_KEY}`,
    body: () => ({
      ...{ secret: undefined, credential: "component", component_appid: "wx0000000000000001" },
      ...{ component_appsecret: "s", authorizer_refresh_token: "r" },
    }),
    keep: { component: "id" },
  },
  { of: `PUT ${BY_KEY}/:id/ticket`, at: { id: "component" } },
  { of: `DELETE ${BY_KEY}/:id`, at: { id: "component" } },
  { of: `POST ${PUBLIC}`, keep: { publicAccount: "id" } },
  { of: `GET ${PUBLIC}/:id`, at: { id: "publicAccount" } },
  { of: `PATCH ${PUBLIC}/:id`, at: { id: "publicAccount" } },
  { of: `POST ${PUBLIC}/:id/doctor`, at: { id: "publicAccount" } },
  { of: `DELETE ${PUBLIC}/:id`, at: { id: "publicAccount" } },
  { of: `GET ${PUBLIC}`, keep: { appid: "data.0.appid", sandbox: "data.0.id" } },
];

const pushed = (id: string): readonly Call[] => [
  { of: `POST ${DRAFTS}`, keep: { draft: "id" } },
  { of: `POST ${DRAFTS}/:id/push`, at: DRAFT, keep: { [id]: "media_id" } },
];

const OF_CONSOLE: readonly Call[] = [
  { of: `GET ${DRAFTS}/themes` },
  { of: `POST ${DRAFTS}/preview` },
  { of: `POST ${DRAFTS}/write`, body: SANDBOX },
  { of: `POST ${DRAFTS}/shorten`, body: SANDBOX },
  ...pushed("media"),
  { of: `PUT ${DRAFTS}/:id`, at: DRAFT },
  { of: `GET ${DRAFTS}` },
  { of: `GET ${DRAFTS}/:id`, at: DRAFT },
  { of: `GET ${DRAFTS}/:id/versions`, at: DRAFT, keep: { version: "data.0.version" } },
  { of: `GET ${DRAFTS}/:id/versions/:version`, at: DRAFT },
  { of: `GET ${DRAFTS}/:id/pushes`, at: DRAFT },
  { of: `GET ${DRAFTS}/:id/box`, at: DRAFT },
  { of: `GET ${DRAFTS}/:id/frame`, at: DRAFT, query: () => ({ version: "1", article: "0" }) },
  { of: `GET ${DRAFTS}/:id/cover`, at: DRAFT, query: () => ({ version: "1", article: "0" }) },
  { of: `GET ${DRAFTS}/look`, query: (seen) => ({ draft: seen("draft") }) },
  {
    of: `GET ${DRAFTS}/box`,
    query: (seen) => ({ account: seen("sandbox"), offset: "0", count: "5" }),
  },
  { of: `POST ${DRAFTS}/import`, body: (seen) => ({ media_id: seen("media") }) },
  { of: `POST ${DRAFTS}/:id/push`, at: DRAFT },
  { of: `POST ${DRAFTS}/:id/publish`, at: DRAFT },
  { of: `DELETE ${DRAFTS}/:id`, at: DRAFT },
];

const OF_MATERIAL: readonly Call[] = [
  ...["first", "second", "third"].flatMap(pushed),
  { of: "GET /api/platform/accounts" },
  { of: `GET ${MATERIAL}` },
  { of: `GET ${MATERIAL}/drafts` },
  { of: `GET ${MATERIAL}/drafts/:id`, at: { id: "first" } },
  {
    of: `GET ${MATERIAL}/drafts/:id/frame`,
    at: { id: "first" },
    query: () => ({ version: "submitted", article: "0" }),
  },
  { of: `POST ${MATERIAL}/drafts/:id/publish`, at: { id: "first" } },
  { of: `GET ${MATERIAL}/published` },
  { of: `POST ${MATERIAL}/drafts/:id/mass-send`, at: { id: "second" } },
  { of: `DELETE ${MATERIAL}/drafts/:id`, at: { id: "third" } },
];

export const ARTICLES: readonly Call[] = [...OF_KEY, ...WECHAT, ...OF_CONSOLE, ...OF_MATERIAL];
