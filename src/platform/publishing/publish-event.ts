import { createHash, randomBytes } from "node:crypto";
import { articleUrl, type Publish } from "./publication.ts";

/** Brackets would end the section early; no text of ours has them, but a draft's may. */
function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

/** The account's own name among followers, and that of the one who is said to have written. */
function originalId(appid: string): string {
  return `gh_${createHash("sha256").update(appid).digest("hex").slice(0, 12)}`;
}

function openIdOf(appid: string): string {
  return `o${createHash("sha256").update(`open ${appid}`).digest("base64url").slice(0, 27)}`;
}

function details({ articles, origin, appid, publishId, articleId }: Publish): string {
  if (articleId === undefined) return "";
  const items = Array.from({ length: articles }, (_, i) => {
    const url = articleUrl(origin, appid, publishId, i + 1);
    return `<item><idx>${i + 1}</idx><article_url>${cdata(url)}</article_url></item>`;
  });
  return (
    `<article_id>${cdata(articleId)}</article_id>` +
    `<article_detail><count>${articles}</count>${items.join("")}</article_detail>`
  );
}

/** What an account's server is told when a publish has come to its end. */
export function publishEvent(publish: Publish, nowMs: number): string {
  const failed = publish.failed.map((index) => `<fail_idx>${index}</fail_idx>`).join("");
  return (
    `<xml><ToUserName>${cdata(originalId(publish.appid))}</ToUserName>` +
    `<FromUserName>${cdata(openIdOf(publish.appid))}</FromUserName>` +
    `<CreateTime>${Math.floor(nowMs / 1000)}</CreateTime>` +
    `<MsgType>${cdata("event")}</MsgType><Event>${cdata("PUBLISHJOBFINISH")}</Event>` +
    `<PublishEventInfo><publish_id>${publish.publishId}</publish_id>` +
    `<publish_status>${publish.status}</publish_status>${details(publish)}${failed}` +
    "</PublishEventInfo></xml>"
  );
}

/** The address of a push: its query shows that whoever calls knows the account's token. */
export function signedAddress(callbackUrl: string, token: string, appid: string, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const nonce = String(randomBytes(4).readUInt32BE());
  const sum = createHash("sha1").update([token, timestamp, nonce].sort().join("")).digest("hex");
  const url = new URL(callbackUrl);
  url.searchParams.set("signature", sum);
  url.searchParams.set("timestamp", timestamp);
  url.searchParams.set("nonce", nonce);
  url.searchParams.set("openid", openIdOf(appid));
  return url.href;
}
