import type { Vault } from "../../lib/secrets/vault.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import type { Diagnosis } from "../contract/public-account.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PublicAccount } from "../draft.ts";
import { isOwnImage } from "../own-image.ts";
import type { PublishedItem } from "../publish/published-item.ts";
import type { RemoteArticle, RemoteItem, RemotePage } from "../read-back/read-back.ts";
import type { UploadedFile } from "../tables/uploads.ts";
import { credentialOf, secretsOf, staleTokenFix, type TokenHolder } from "./credential.ts";
import {
  asRecord,
  type HttpCall,
  type JsonRecord,
  type PlatformHttp,
  type Reply,
  type UploadFile,
} from "./platform-http.ts";
import type { Tokens } from "./tokens.ts";

const MEDIA_ID_CHARS_MAX = 128;

interface Parts {
  readonly wire: PlatformHttp;
  readonly tokens: Tokens;
  readonly vault: Vault;
  /** Where the built-in platform listens now; undefined where it is off. */
  readonly builtInUrl: () => string | undefined;
  /** Where people see it, if that is somewhere else. */
  readonly builtInPublicUrl?: string | undefined;
}

type Quota = NonNullable<Diagnosis["quota"]>;

interface PublishOutcome {
  /** 0 is published, 1 on its way, the others are failures. */
  readonly status: number;
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readMediaId({ media_id }: JsonRecord): string | undefined {
  const id = asText(media_id);
  return id !== undefined && id.length <= MEDIA_ID_CHARS_MAX ? id : undefined;
}

/** Articles as they came; what a reader takes from them it checks for itself. */
function readArticles(value: unknown): readonly RemoteArticle[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => ({ title: "", content: "", ...asRecord(item) }) as RemoteArticle);
}

function readItem(value: unknown): RemoteItem | undefined {
  const item = asRecord(value);
  const mediaId = item && asText(item.media_id);
  if (!mediaId) return undefined;
  const content = asRecord(item.content);
  return {
    mediaId,
    articles: readArticles(content?.news_item) ?? [],
    updatedAtMs: Number(item.update_time ?? content?.update_time ?? 0) * 1000,
  };
}

function readPage({ total_count, item }: JsonRecord): RemotePage | undefined {
  const total = Number(total_count);
  if (!Number.isSafeInteger(total)) return undefined;
  const rows: readonly unknown[] = Array.isArray(item) ? item : [];
  return { total, items: rows.map(readItem).filter((row) => row !== undefined) };
}

function readPublished({ total_count, item }: JsonRecord): readonly PublishedItem[] | undefined {
  if (!Number.isSafeInteger(total_count)) return undefined;
  const rows: readonly unknown[] = Array.isArray(item) ? item : [];
  return rows.flatMap((row) => {
    const { article_id, content, update_time } = asRecord(row) ?? {};
    const articleId = asText(article_id);
    const articles = readArticles(asRecord(content)?.news_item);
    if (!articleId || !articles) return [];
    return [{ articleId, articles, updatedAtMs: Number(update_time ?? 0) * 1000 }];
  });
}

function readTotal({ total_count }: JsonRecord): number | undefined {
  return Number.isSafeInteger(total_count) ? (total_count as number) : undefined;
}

/** Some calls say that it worked in words, so that an answer without them says nothing. */
function readDone({ errcode }: JsonRecord): true | undefined {
  return errcode === undefined ? undefined : true;
}

function readQuota({ quota }: JsonRecord): Quota | undefined {
  const row = asRecord(quota);
  if (!row) return undefined;
  const [limit, used] = [Number(row.daily_limit), Number(row.used)];
  return { limit, used, left: Number(row.remain ?? limit - used) };
}

/** Addresses of uploads come without encryption, and phones show only those with it. */
function secure(url: string): string {
  return url.replace(/^http:\/\/(?=[^/]*\.qpic\.cn\/)/, "https://");
}

function readMaterial(answer: JsonRecord): UploadedFile | undefined {
  const mediaId = readMediaId(answer);
  const url = asText(answer.url);
  return mediaId === undefined
    ? undefined
    : { mediaId, url: url === undefined ? null : secure(url) };
}

type Request<T> = Omit<HttpCall<T>, "platformUrl" | "isBuiltIn" | "secrets">;

/** The calls of the platform for one public account. A stale token is replaced once. */
export class PlatformClient {
  readonly #parts: Parts;
  readonly #holder: TokenHolder;
  /** Request ids of refusals met so far. */
  readonly rids: string[] = [];

  constructor(parts: Parts, holder: TokenHolder) {
    this.#parts = parts;
    this.#holder = holder;
  }

  /** Where this public account is, at this moment. */
  get platformUrl(): string {
    return this.#holder.platformUrl;
  }

  get appid(): string {
    return this.#holder.appid;
  }

  /** Whether a token is to be had now. */
  checkCredential(): Promise<Reply<unknown>> {
    return this.#parts.tokens.check(this.#holder);
  }

  /** `check` runs at the last moment before the call is made; what it throws is thrown. */
  add(articles: readonly PlatformArticle[], check: () => void): Promise<Reply<string>> {
    return this.#call({ path: "/cgi-bin/draft/add", json: { articles }, read: readMediaId }, check);
  }

  get(mediaId: string): Promise<Reply<readonly RemoteArticle[]>> {
    return this.#post("/cgi-bin/draft/get", { media_id: mediaId }, (answer) =>
      readArticles(answer.news_item),
    );
  }

  list(offset: number, count: number, content: boolean): Promise<Reply<RemotePage>> {
    const body = { offset, count, no_content: content ? 0 : 1 };
    return this.#post("/cgi-bin/draft/batchget", body, readPage);
  }

  count(): Promise<Reply<number>> {
    return this.#call({ path: "/cgi-bin/draft/count", read: readTotal });
  }

  /** The same, with an article of a draft that is there. */
  update(
    mediaId: string,
    index: number,
    article: PlatformArticle,
    check: () => void,
  ): Promise<Reply<true>> {
    // The type of an article cannot change and is not taken here.
    const { article_type: _type, ...articles } = article;
    const json = { media_id: mediaId, index, articles };
    return this.#call({ path: "/cgi-bin/draft/update", json, read: readDone }, check);
  }

  remove(mediaId: string, check?: () => void): Promise<Reply<true>> {
    const json = { media_id: mediaId };
    return this.#call({ path: "/cgi-bin/draft/delete", json, read: readDone }, check);
  }

  /** A picture inside of an article: its address. */
  uploadBody(file: UploadFile): Promise<Reply<string>> {
    return this.#call({
      path: "/cgi-bin/media/uploadimg",
      file,
      read: ({ url }) => {
        const address = asText(url);
        return address && secure(address);
      },
    });
  }

  /** A permanent picture for covers, image messages and what moves in an article: its id and address. */
  uploadMaterial(file: UploadFile): Promise<Reply<UploadedFile>> {
    const path = "/cgi-bin/material/add_material";
    return this.#call({ path, query: { type: "image" }, file, read: readMaterial });
  }

  /**
   * Whether a picture that was uploaded is still at its address. A platform that shows its pictures itself, as the
   * built-in one does, can be reset, or get another address; WeChat keeps them for good.
   */
  async shows(url: string): Promise<boolean> {
    const { platformUrl, isBuiltIn, proxy } = this.#holder;
    const place = (isBuiltIn && this.#parts.builtInPublicUrl) || platformUrl;
    if (isOwnImage(url, [])) return true;
    if (!url.startsWith(`${place}/`)) return !isBuiltIn;
    // Its public address need not lead here from here.
    const address = `${platformUrl}${url.slice(place.length)}`;
    return this.#parts.wire.isThere(address, { isBuiltIn, proxy });
  }

  publish(mediaId: string, check: () => void): Promise<Reply<string>> {
    const request: Request<string> = {
      path: "/cgi-bin/freepublish/submit",
      json: { media_id: mediaId },
      // A text by its documents, a number in life.
      read: ({ publish_id }) => (publish_id === undefined ? undefined : String(publish_id)),
    };
    return this.#call(request, check);
  }

  publishStatus(publishId: string): Promise<Reply<PublishOutcome>> {
    const body = { publish_id: publishId };
    return this.#post("/cgi-bin/freepublish/get", body, ({ publish_status }) =>
      typeof publish_status === "number" ? { status: publish_status } : undefined,
    );
  }

  /** Lists what was published; an account without the right is told so. */
  checkPublishing(): Promise<Reply<true>> {
    const body = { offset: 0, count: 1, no_content: 1 };
    return this.#post("/cgi-bin/freepublish/batchget", body, () => true);
  }

  /** What was published and not sent to followers, newest first, without the texts. */
  published(offset: number, count: number): Promise<Reply<readonly PublishedItem[]>> {
    const body = { offset, count, no_content: 1 };
    return this.#post("/cgi-bin/freepublish/batchget", body, readPublished);
  }

  addQuota(): Promise<Reply<Quota>> {
    return this.#post("/cgi-bin/openapi/quota/get", { cgi_path: "/cgi-bin/draft/add" }, readQuota);
  }

  #post<T>(path: string, json: unknown, read: Request<T>["read"]): Promise<Reply<T>> {
    return this.#call({ path, json, read });
  }

  async #call<T>(request: Request<T>, check?: () => void): Promise<Reply<T>> {
    const { wire, tokens } = this.#parts;
    const { platformUrl, isBuiltIn, proxy, credential } = this.#holder;
    // Nobody to ask for another one: what the platform said of the one that we had is all there is.
    const isHanded = credential.kind === "supplied" && !credential.source;
    let refused: Reply<T> | undefined;
    for (;;) {
      const token = await tokens.get(this.#holder);
      // Without a token the call itself was never made.
      if (token.kind === "unknown") return { ...token, sent: false };
      if (token.kind === "refused") return isHanded && refused ? refused : this.#note(token);
      const access_token = token.value;
      check?.();
      const reply = await wire.call({
        ...request,
        ...{ platformUrl, isBuiltIn, proxy },
        query: { access_token, ...request.query },
        secrets: [access_token, ...secretsOf(credential)],
      });
      this.#note(reply);
      // A refused token was refused before anything else was looked at, so nothing has happened.
      if (reply.kind !== "refused" || reply.refusal.class !== "token") return reply;
      await tokens.drop(this.#holder, access_token);
      const isRetry = refused !== undefined;
      refused = { kind: "refused", refusal: this.#stale(reply.refusal) };
      if (isRetry) return refused;
    }
  }

  /** Whoever supplies the token can help, not the AppSecret that we do not have. */
  #stale(refusal: PlatformRefusal): PlatformRefusal {
    const fix = staleTokenFix(this.#holder.credential);
    return fix === undefined ? refusal : { ...refusal, class: "token_source", fix };
  }

  #note<R extends Reply<unknown>>(reply: R): R {
    if (reply.kind === "refused" && reply.refusal.rid !== null) this.rids.push(reply.refusal.rid);
    return reply;
  }
}

/** What a public account's platform is called where tokens and uploads are kept. */
function boxOf({ platformUrl }: PublicAccount): string {
  return platformUrl ?? "built-in";
}

/** The box of a public account among all that we know, whichever of our accounts it belongs to. */
export function boxName(account: PublicAccount): string {
  return `${boxOf(account)} ${account.appid}`;
}

/** Undefined for an account of the built-in platform where that is off. */
export function clientFor(parts: Parts, account: PublicAccount): PlatformClient | undefined {
  const platformUrl = account.platformUrl ?? parts.builtInUrl();
  if (platformUrl === undefined) return undefined;
  const { vault } = parts;
  const sealedProxy = account.access?.sealedProxy;
  const holder = {
    ...{ box: boxOf(account), platformUrl, appid: account.appid },
    isBuiltIn: account.platformUrl === null,
    credential: credentialOf(account, vault),
    proxy: sealedProxy ? vault.open(sealedProxy) : undefined,
  };
  return new PlatformClient(parts, holder);
}
