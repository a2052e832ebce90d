// The built-in platform: its own wire, and its test controls, which come last since they forget what others have made.
import { eventually } from "../../support/waiting.ts";
import type { Call, Seen, Walk } from "../walk.ts";

const CONTROLS = "/platform/__sandbox";
const CGI = "/platform/cgi-bin";

const ours = (seen: Seen) => ({ appid: seen("appid") });
const withSecret = (seen: Seen) => ({ ...ours(seen), secret: seen("appsecret") });
const media = (name: string) => (seen: Seen) => ({ media_id: seen(name) });
const article = (seen: Seen) => ({
  title: "Cranes",
  content: "<p>They stay.</p>",
  thumb_media_id: seen("thumb"),
});
const newDraft = (name: string): Call => ({
  of: `POST ${CGI}/draft/add`,
  body: (seen) => ({ articles: [article(seen)] }),
  keep: { [name]: "media_id" },
});

async function published(walk: Walk): Promise<void> {
  const path = `${CGI}/freepublish/get?access_token=${walk.seen("platformToken")}`;
  const asked = { publish_id: walk.seen("publication") };
  await eventually("it is published", async () => {
    const answer = await walk.send("platform", "POST", path, asked);
    return "article_id" in ((await answer.json()) as object);
  });
}

const TOKENS: readonly Call[] = [
  {
    of: `GET ${CGI}/token`,
    query: (seen) => ({ grant_type: "client_credential", ...withSecret(seen) }),
  },
  { of: `POST ${CGI}/stable_token`, body: withSecret, keep: { platformToken: "access_token" } },
  { of: `POST ${CGI}/component/api_component_token`, keep: { party: "component_access_token" } },
  { of: `POST ${CONTROLS}/tokens`, body: ours, keep: { refresh: "refresh_token" } },
  {
    of: `POST ${CGI}/component/api_authorizer_token`,
    query: (seen) => ({ component_access_token: seen("party") }),
    body: (seen) => ({
      authorizer_appid: seen("appid"),
      authorizer_refresh_token: seen("refresh"),
    }),
  },
];

const FILES: readonly Call[] = [
  { of: `POST ${CGI}/media/uploadimg` },
  {
    of: `POST ${CGI}/media/upload`,
    query: () => ({ type: "image" }),
    keep: { temporary: "media_id" },
  },
  { of: `GET ${CGI}/media/get`, query: media("temporary") },
  {
    of: `POST ${CGI}/material/add_material`,
    query: () => ({ type: "image" }),
    keep: { thumb: "media_id" },
  },
  { of: `POST ${CGI}/material/get_material`, body: media("thumb") },
  { of: `POST ${CGI}/material/batchget_material` },
  { of: `GET ${CGI}/material/get_materialcount` },
  { of: `POST ${CGI}/material/add_news`, errcode: 45106 },
  { of: `POST ${CGI}/material/update_news`, errcode: 45106 },
  { of: `POST ${CGI}/media/uploadnews`, errcode: 45106 },
];

const BOX: readonly Call[] = [
  newDraft("boxed"),
  { of: `POST ${CGI}/draft/get`, body: media("boxed") },
  { of: `POST ${CGI}/draft/batchget` },
  { of: `GET ${CGI}/draft/count` },
  {
    of: `POST ${CGI}/draft/update`,
    body: (seen) => ({ media_id: seen("boxed"), articles: article(seen) }),
  },
  { of: `POST ${CGI}/draft/switch` },
  {
    of: `POST ${CGI}/freepublish/submit`,
    body: media("boxed"),
    keep: { publication: "publish_id" },
  },
  {
    of: `POST ${CGI}/freepublish/get`,
    first: (_, walk) => published(walk),
    body: (seen) => ({ publish_id: seen("publication") }),
    keep: { article: "article_id" },
  },
  { of: `POST ${CGI}/freepublish/batchget` },
  { of: `POST ${CGI}/freepublish/getarticle`, body: (seen) => ({ article_id: seen("article") }) },
  { of: `POST ${CGI}/freepublish/delete`, body: (seen) => ({ article_id: seen("article") }) },
  newDraft("sent"),
  {
    of: `POST ${CGI}/message/mass/sendall`,
    body: (seen) => ({ mpnews: { media_id: seen("sent") } }),
  },
  newDraft("thrown"),
  { of: `POST ${CGI}/draft/delete`, body: media("thrown") },
  { of: `POST ${CGI}/material/del_material`, body: media("thumb") },
];

export const PLATFORM: readonly Call[] = [
  {
    of: `POST ${CONTROLS}/accounts`,
    body: () => ({ product: "ok" }),
    keep: { appid: "appid", appsecret: "secret" },
  },
  { of: `GET ${CONTROLS}/accounts` },
  { of: `POST ${CONTROLS}/publishing`, body: () => ({ status: 0, delay_ms: 0 }) },
  ...TOKENS,
  ...FILES,
  ...BOX,
  { of: `POST ${CGI}/openapi/quota/get` },
  { of: `GET ${CONTROLS}/requests`, query: ours, keep: { rid: "data.0.rid" } },
  { of: `POST ${CGI}/openapi/rid/get`, body: (seen) => ({ rid: seen("rid") }) },
  { of: `GET ${CGI}/get_api_domain_ip` },
  { of: `GET ${CGI}/getcallbackip` },
  { of: "POST /platform/channels/ec/service/product/getcardinfo" },
  { of: `POST ${CGI}/clear_quota`, body: ours },
  {
    of: `POST ${CGI}/clear_quota/v2`,
    body: (seen) => ({ ...ours(seen), appsecret: seen("appsecret") }),
  },
  { of: `PATCH ${CONTROLS}/accounts/:appid` },
  { of: `PUT ${CONTROLS}/clock` },
  { of: `GET ${CONTROLS}/clock` },
  { of: `POST ${CONTROLS}/faults` },
  { of: `GET ${CONTROLS}/faults` },
  { of: `DELETE ${CONTROLS}/faults` },
  { of: `GET ${CONTROLS}/requests`, query: () => ({ limit: "5" }) },
  { of: `PUT ${CONTROLS}/quotas`, body: ours },
  { of: `GET ${CONTROLS}/state`, keep: { state: "" } },
  { of: `DELETE ${CONTROLS}/state` },
  { of: `PUT ${CONTROLS}/state`, body: (seen) => JSON.parse(seen("state")) },
];
