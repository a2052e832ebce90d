// A small stand-in for the public-account platform, made from its documents and from what was seen of
// it on the wire. It shares nothing with the platform of this project, so that a mistake there does not
// hide one in its client.

import type { PlatformFetch } from "../../../src/drafts/platform-api/platform-http.ts";
import { SafeFetchError } from "../../../src/lib/net/safe-fetch.ts";

export const STUB_URL = "https://platform.test";

/** What can go wrong with one call; `after` means that the platform has done its work. */
export type StubFault =
  | "unreachable"
  | "reset_before"
  | "reset_after"
  | "slow_before"
  | "slow_after"
  | "late"
  | "busy_before"
  | "busy_after"
  | "http_before"
  | "http_after"
  | "no_media_id"
  | "broken_json"
  | "stale_token"
  | "odd_code";

interface StubDraft {
  readonly mediaId: string;
  articles: Record<string, unknown>[];
  updateTime: number;
}

interface StubParts {
  readonly clock: () => number;
  /** Lets time pass while a call hangs. */
  readonly pass: (ms: number) => void;
  readonly fault?: (path: string) => StubFault | undefined;
}

type Body = Record<string, unknown>;

const LATE_MS = 9_000;
const TOKEN_SECONDS = 7_200;

/** The image rule and the filter, as far as a client can see them. */
function stored(article: Body): Body {
  const content = String(article.content ?? "")
    .replace(/<img([^>]*?)\ssrc=/g, "<img$1 data-src=")
    .replace(/<a\b[^>]*>(.*?)<\/a>/g, "$1")
    .replace(/<p([^>]*)>([^<]+)<\/p>/g, '<p$1><span leaf="">$2</span></p>\n');
  return {
    article_type: "news",
    need_open_comment: 0,
    only_fans_can_comment: 0,
    ...article,
    content,
  };
}

function text(html: unknown): string {
  return String(html).replace(/<[^>]*>/g, "");
}

export class WechatStub {
  /** Another one for each stub, so that several can share a database. */
  readonly appid = `wx${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  readonly secret = "0123456789abcdef0123456789abcdef";
  readonly drafts = new Map<string, StubDraft>();
  readonly materials = new Set<string>();
  readonly calls: string[] = [];
  /** Codes that a path answers with until they are taken away. */
  readonly refusals = new Map<string, Body>();
  published: string[] = [];
  /** What `freepublish/batchget` lists, newest first. */
  readonly publications: { articles: Body[]; updateTime: number }[] = [];
  /** What the platform makes of an article by itself, as it is read back. */
  changed: Body = {};
  publishStatus = 0;
  #parts: StubParts;
  #token = "";
  #tokenEndsAtMs = 0;
  #serial = 0;
  #pending: { readonly atMs: number; readonly work: () => void }[] = [];

  constructor(parts: StubParts) {
    this.#parts = parts;
  }

  /** Drafts with one title, once everything that is late has arrived. */
  titled(title: string): StubDraft[] {
    for (const { work } of this.#pending.splice(0)) work();
    return [...this.drafts.values()].filter(({ articles }) => articles[0]?.title === title);
  }

  /** Somebody publishes a draft at the platform's own page. */
  publishThere(mediaId: string): void {
    const draft = this.drafts.get(mediaId);
    if (!draft) throw new Error(`the box has no ${mediaId}`);
    this.drafts.delete(mediaId);
    const updateTime = Math.floor(this.#parts.clock() / 1000);
    this.publications.unshift({ articles: draft.articles, updateTime });
  }

  /** The token as somebody else has it, who asked for it elsewhere. */
  token(): string {
    const { appid, secret } = this;
    return String(this.#grant({ appid, secret, grant_type: "client_credential" }).access_token);
  }

  /** What somebody does with the token behind our back. */
  killToken(): void {
    this.#token = "";
  }

  readonly fetch: PlatformFetch = async (address, call) => {
    const url = new URL(address);
    const path = url.pathname;
    this.calls.push(path);
    this.#arrive();
    const fault = this.#parts.fault?.(path);
    const answer = (status: number, body: string) => ({
      status,
      headers: { date: new Date(this.#parts.clock()).toUTCString() },
      bytes: new TextEncoder().encode(body),
      url: address,
    });
    const act = () => this.#answer(path, url.searchParams, call.body ?? new Uint8Array());
    const name = fault ?? "none";
    if (name === "unreachable") throw this.#broken("unreachable", false);
    if (name === "late") {
      const atMs = this.#parts.clock() + call.deadlineMs + LATE_MS;
      this.#pending.push({ atMs, work: () => void act() });
    }
    if (name === "stale_token") this.killToken();
    const body = /_before$|^late$|^odd_code$/.test(name) ? {} : act();
    if (/^slow|^late/.test(name)) {
      this.#parts.pass(call.deadlineMs);
      throw this.#broken("deadline", true);
    }
    if (/^reset/.test(name)) throw this.#broken("broken", true);
    if (/^busy/.test(name)) return answer(200, '{"errcode":-1,"errmsg":"system error"}');
    if (/^http/.test(name)) return answer(502, "<html>bad gateway</html>");
    if (name === "broken_json") return answer(200, JSON.stringify(body).slice(0, -2));
    if (name === "odd_code") return answer(200, '{"errcode":99123,"errmsg":"never seen before"}');
    if (name === "no_media_id") return answer(200, '{"item":[]}');
    return answer(200, JSON.stringify(body));
  };

  #broken(reason: "unreachable" | "deadline" | "broken", sent: boolean): SafeFetchError {
    return new SafeFetchError(reason, `${STUB_URL} could not be called.`, sent);
  }

  #arrive(): void {
    const nowMs = this.#parts.clock();
    const due = this.#pending.filter(({ atMs }) => atMs <= nowMs);
    this.#pending = this.#pending.filter(({ atMs }) => atMs > nowMs);
    for (const { work } of due) work();
  }

  #error(errcode: number, errmsg: string): Body {
    const seconds = Math.floor(this.#parts.clock() / 1000).toString(16);
    return { errcode, errmsg: `${errmsg} rid: ${seconds}-0badcafe-0badf00d` };
  }

  #newId(kind: string): string {
    this.#serial += 1;
    return `${kind}_${this.#serial}_${"x".repeat(40)}`;
  }

  #answer(path: string, query: URLSearchParams, bytes: Uint8Array): Body {
    const json = (): Body => JSON.parse(new TextDecoder().decode(bytes)) as Body;
    const refusal = this.refusals.get(path);
    if (refusal) return this.#error(Number(refusal.errcode), String(refusal.errmsg));
    if (path === "/cgi-bin/stable_token") return this.#grant(json());
    const token = query.get("access_token");
    if (!token) return this.#error(41001, "access_token missing");
    if (token !== this.#token)
      return this.#error(40001, "invalid credential, access_token is invalid");
    if (this.#parts.clock() >= this.#tokenEndsAtMs)
      return this.#error(42001, "access_token expired");
    if (path === "/cgi-bin/draft/count") return { total_count: this.drafts.size };
    if (/media\/uploadimg|add_material/.test(path)) return this.#upload(path, bytes);
    return this.#post(path, json());
  }

  #grant({ appid, secret, grant_type }: Body): Body {
    if (appid !== this.appid) return this.#error(40013, "invalid appid");
    if (grant_type !== "client_credential") return this.#error(40002, "invalid grant_type");
    if (secret !== this.secret) return this.#error(40125, "invalid appsecret");
    const nowMs = this.#parts.clock();
    if (this.#token === "" || nowMs >= this.#tokenEndsAtMs) {
      this.#serial += 1;
      this.#token = `86_${this.#serial}${"T".repeat(100)}`;
      this.#tokenEndsAtMs = nowMs + TOKEN_SECONDS * 1000;
    }
    const expires_in = Math.floor((this.#tokenEndsAtMs - nowMs) / 1000);
    return { access_token: this.#token, expires_in };
  }

  #upload(path: string, bytes: Uint8Array): Body {
    const form = Buffer.from(bytes).toString("latin1");
    const name = /name="media"; filename="([^"]+)"/.exec(form)?.[1];
    const file = form.slice(form.indexOf("\r\n\r\n") + 4, form.lastIndexOf("\r\n--"));
    if (name === undefined || file.length === 0) return this.#error(41005, "media data missing");
    if (!/\.(?:jpg|jpeg|png|gif)$/.test(name)) return this.#error(40113, "unsupported file type");
    const id = this.#newId("img");
    const url = `http://mmbiz.qpic.cn/mmbiz_jpg/${id}/0`;
    if (path.endsWith("uploadimg")) {
      if (name.endsWith(".gif")) return this.#error(40005, "invalid file type");
      if (file.length >= 1024 * 1024) return this.#error(40009, "invalid image size");
      return { url, errcode: 0, errmsg: "ok" };
    }
    this.materials.add(id);
    return { media_id: id, url, item: [] };
  }

  #post(path: string, body: Body): Body {
    const draft = this.drafts.get(String(body.media_id));
    const ok = { errcode: 0, errmsg: "ok" };
    if (path === "/cgi-bin/draft/add") return this.#add(body);
    if (path === "/cgi-bin/draft/batchget") return this.#page(body);
    if (path === "/cgi-bin/openapi/quota/get") {
      return { ...ok, quota: { daily_limit: 1000, used: 3, remain: 997 } };
    }
    if (path === "/cgi-bin/freepublish/get") {
      return { publish_id: body.publish_id, publish_status: this.publishStatus, fail_idx: [] };
    }
    if (path === "/cgi-bin/freepublish/batchget") return this.#publishedPage(body);
    if (!draft) return this.#error(40007, "invalid media_id");
    if (path === "/cgi-bin/draft/get")
      return { news_item: draft.articles.map((a) => this.#shown(a)) };
    if (path === "/cgi-bin/draft/update") return this.#update(draft, body) ?? ok;
    if (path === "/cgi-bin/draft/delete" || path === "/cgi-bin/freepublish/submit") {
      this.drafts.delete(draft.mediaId);
      if (path.endsWith("delete")) return ok;
      this.published.push(draft.mediaId);
      return { ...ok, publish_id: 2650177668 };
    }
    return this.#error(40066, "invalid url");
  }

  #shown(article: Body): Body {
    return {
      ...article,
      url: "http://mp.weixin.qq.com/s?__biz=stub",
      thumb_url: "",
      is_deleted: false,
      ...this.changed,
    };
  }

  #problem(article: Body): Body | undefined {
    if (Array.from(String(article.title)).length > 32) {
      return this.#error(45003, "title size out of limit hint: [Vq0HPa016949-0]");
    }
    const pictures =
      article.article_type === "newspic"
        ? (article.image_info as { image_list: { image_media_id: string }[] }).image_list.map(
            ({ image_media_id }) => image_media_id,
          )
        : [String(article.thumb_media_id)];
    const isKnown = pictures.length > 0 && pictures.every((id) => this.materials.has(id));
    return isKnown ? undefined : this.#error(40007, "invalid media_id hint: [uXnPoA001025-1]");
  }

  #add({ articles }: Body): Body {
    if (!Array.isArray(articles) || articles.length === 0)
      return this.#error(44003, "empty news data");
    const rows = articles as Body[];
    const problem = rows.map((row) => this.#problem(row)).find((found) => found !== undefined);
    if (problem) return problem;
    const digest = (row: Body) =>
      rows.length > 1 ? "" : row.digest || Array.from(text(row.content)).slice(0, 54).join("");
    const mediaId = this.#newId("draft");
    const updateTime = Math.floor(this.#parts.clock() / 1000);
    const kept = rows.map((row) => ({ ...stored(row), digest: digest(row) }));
    this.drafts.set(mediaId, { mediaId, articles: kept, updateTime });
    return { media_id: mediaId, item: [] };
  }

  #update(draft: StubDraft, { index, articles }: Body): Body | undefined {
    if (Array.isArray(articles)) return this.#error(47001, "data format error");
    const before = draft.articles[Number(index)];
    if (!before) return this.#error(40114, "invalid index value");
    const article = { article_type: before.article_type, ...(articles as Body) };
    const problem = this.#problem(article);
    if (problem) return problem;
    draft.articles[Number(index)] = { ...stored(article) };
    draft.updateTime = Math.floor(this.#parts.clock() / 1000);
    return undefined;
  }

  #publishedPage({ offset, count, no_content }: Body): Body {
    const rows = this.publications.slice(Number(offset), Number(offset) + Number(count));
    const item = rows.map(({ articles, updateTime }, at) => ({
      article_id: `article-${Number(offset) + at}`,
      content: {
        news_item: articles.map(({ content, ...article }) =>
          this.#shown(no_content === 1 ? article : { ...article, content }),
        ),
      },
      update_time: updateTime,
    }));
    return { total_count: this.publications.length, item_count: item.length, item };
  }

  #page({ offset, count, no_content }: Body): Body {
    const all = [...this.drafts.values()].reverse();
    const page = all.slice(Number(offset), Number(offset) + Number(count));
    const item = page.map(({ mediaId, articles, updateTime }) => ({
      media_id: mediaId,
      content: {
        news_item: articles.map((article) =>
          this.#shown(no_content === 1 ? { ...article, content: "" } : article),
        ),
      },
      update_time: updateTime,
    }));
    return { total_count: all.length, item_count: item.length, item };
  }
}
