import type { Clock } from "../../lib/clock.ts";
import {
  type SafeFetchCall,
  SafeFetchError,
  type SafeFetchResponse,
} from "../../lib/net/safe-fetch.ts";
import { withoutSecret } from "../../lib/secrets/secrets.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PictureFile } from "../images/picture.ts";
import { proxyRefusal, readRefusal, unreached } from "./refusal.ts";

/**
 * How a call of the platform ended. After `unknown` it may or may not have been carried out, unless
 * `sent` is false: then nothing has reached the platform. `slow` is one that may still be at work.
 */
export type Reply<T> =
  | { readonly kind: "ok"; readonly value: T; readonly platformTimeMs: number | undefined }
  | { readonly kind: "refused"; readonly refusal: PlatformRefusal }
  | {
      readonly kind: "unknown";
      readonly reason: string;
      readonly sent: boolean;
      readonly slow?: boolean;
    };

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface PlatformCall extends SafeFetchCall {
  /** Whether it goes to the built-in platform, by the address that we know of it ourselves. */
  readonly isBuiltIn?: boolean | undefined;
  /** The public account's own proxy; where it has none, the call goes the usual way. */
  readonly proxy?: string | undefined;
}

export type PlatformFetch = (address: string, call: PlatformCall) => Promise<SafeFetchResponse>;

export type UploadFile = Pick<PictureFile, "bytes" | "name" | "contentType">;

export interface HttpCall<T> extends Pick<PlatformCall, "isBuiltIn"> {
  readonly platformUrl: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A value becomes a POST of JSON; a file, a POST of a form. Without either it is a GET. */
  readonly json?: unknown;
  readonly file?: UploadFile;
  /** The address of a proxy, with its password. */
  readonly proxy?: string | undefined;
  readonly bearer?: string;
  /** What must not be seen in anything that is said about the call. */
  readonly secrets: readonly string[];
  /** Undefined when the answer lacks what it is for; the outcome is unknown then. */
  read(answer: JsonRecord): T | undefined;
}

interface HttpLimits {
  readonly draft_call_ms: number;
  readonly draft_upload_ms: number;
  readonly draft_answer_bytes_max: number;
}

const REQUEST_TIMEOUT = 408;
const NOT_FOUND = 404;
/** What says that there is nothing is short; of a picture that is there no more is read. */
const MISSING_BYTES_MAX = 4_096;
const BOUNDARY = "faregate-form-8f1b2c";

/** A text without the secrets of its call, whoever wrote it. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text.replace(/((?:access_token|secret|appsecret)=)[^&\s"']+/gi, "$1…");
  for (const secret of secrets) clean = withoutSecret(clean, secret);
  return clean;
}

function formOf({ bytes, name, contentType }: UploadFile): Uint8Array {
  const head =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="media"; filename="${name}"\r\n` +
    `content-type: ${contentType}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : undefined;
}

/** The platform often names no charset; it is UTF-8 all the same. */
function parse(bytes: Uint8Array): JsonRecord | undefined {
  try {
    return asRecord(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

function platformTime(headers: SafeFetchResponse["headers"]): number | undefined {
  const text = headers.date;
  const ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** One call over HTTP and what became of it; it never throws for what the other side does. */
export class PlatformHttp {
  readonly #fetch: PlatformFetch;
  readonly #limits: HttpLimits;
  readonly clock: Clock;

  constructor(fetch: PlatformFetch, limits: HttpLimits, clock: Clock) {
    this.#fetch = fetch;
    this.#limits = limits;
    this.clock = clock;
  }

  async call<T>(call: HttpCall<T>): Promise<Reply<T>> {
    const query = new URLSearchParams(call.query).toString();
    const address = `${call.platformUrl}${call.path}${query === "" ? "" : `?${query}`}`;
    try {
      return this.#judge(call, await this.#fetch(address, this.#request(call)));
    } catch (thrown) {
      return this.#failed(call, thrown);
    }
  }

  /** False where the other side says that there is nothing at an address; who does not say so is not doubted. */
  async isThere(address: string, way: Pick<PlatformCall, "isBuiltIn" | "proxy">): Promise<boolean> {
    const deadlineMs = this.#limits.draft_call_ms;
    try {
      const call = { ...way, deadlineMs, bytesMax: MISSING_BYTES_MAX };
      return (await this.#fetch(address, call)).status !== NOT_FOUND;
    } catch (thrown) {
      if (thrown instanceof SafeFetchError) return true;
      throw thrown;
    }
  }

  #request(call: HttpCall<unknown>): PlatformCall {
    const request = this.#bareRequest(call);
    const { isBuiltIn, proxy, bearer } = call;
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return { ...request, headers: { ...request.headers, ...headers }, isBuiltIn, proxy };
  }

  #bareRequest(call: HttpCall<unknown>): SafeFetchCall {
    const { draft_call_ms, draft_upload_ms, draft_answer_bytes_max: bytesMax } = this.#limits;
    if (call.file) {
      const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
      const body = formOf(call.file);
      return { method: "POST", headers, body, bytesMax, deadlineMs: draft_upload_ms };
    }
    if (call.json === undefined) return { method: "GET", bytesMax, deadlineMs: draft_call_ms };
    // JSON.stringify leaves everything but control characters and halves of characters, which articles do not have,
    // as it is. The platform needs that.
    const body = Buffer.from(JSON.stringify(call.json));
    const headers = { "content-type": "application/json; charset=utf-8" };
    return { method: "POST", headers, body, bytesMax, deadlineMs: draft_call_ms };
  }

  #judge<T>(call: HttpCall<T>, answer: SafeFetchResponse): Reply<T> {
    const { status, headers, bytes } = answer;
    if (status !== 200) {
      const message = `it answered with HTTP ${status}.`;
      const isRefusal = status >= 300 && status < 500 && status !== REQUEST_TIMEOUT;
      if (isRefusal) return { kind: "refused", refusal: unreached(message, "config") };
      return { kind: "unknown", reason: message, sent: true };
    }
    const record = parse(bytes);
    if (!record) return { kind: "unknown", reason: "its answer is not JSON.", sent: true };
    const errcode = Number(record.errcode ?? 0);
    const errmsg = withoutSecrets(String(record.errmsg ?? ""), call.secrets);
    if (errcode === -1) return { kind: "unknown", reason: `-1 ${errmsg}`, sent: true };
    if (errcode !== 0) return { kind: "refused", refusal: readRefusal(errcode, errmsg) };
    const value = call.read(record);
    if (value === undefined) {
      return { kind: "unknown", reason: "its answer lacks what was asked for.", sent: true };
    }
    return { kind: "ok", value, platformTimeMs: platformTime(headers) };
  }

  #failed<T>(call: HttpCall<T>, thrown: unknown): Reply<T> {
    if (!(thrown instanceof SafeFetchError)) throw thrown;
    const secrets = call.proxy === undefined ? call.secrets : [...call.secrets, call.proxy];
    const message = withoutSecrets(thrown.message, secrets);
    const isAddress = ["address_malformed", "address_private", "redirects"];
    if (isAddress.includes(thrown.reason)) {
      return { kind: "refused", refusal: unreached(message, "config") };
    }
    if (thrown.reason === "proxy") return { kind: "refused", refusal: proxyRefusal(message) };
    const slow = thrown.reason === "deadline";
    return { kind: "unknown", reason: message, sent: thrown.sent, slow };
  }
}
