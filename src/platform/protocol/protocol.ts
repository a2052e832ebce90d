import type { RequestMemory } from "../../lib/bodies/body-memory.ts";
import { readBounded } from "../../lib/bodies/bounded-body.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Operation } from "../../lib/contract.ts";
import { Fault, isCutOff } from "../../lib/faults.ts";
import type { Log } from "../../telemetry/log.ts";
import type { PublicAccount } from "../account.ts";
import type { Accounts } from "../accounts.ts";
import type { CallLog } from "../call-log.ts";
import type { BinaryAnswer, Endpoint, PlatformAnswer, PlatformCall } from "../endpoint.ts";
import type { OpenEndpoint } from "../open-endpoint.ts";
import { PlatformError } from "../platform-error.ts";
import type { ProfileRules } from "../profile.ts";
import type { Quotas } from "../tables/quotas.ts";
import type { Tokens } from "../tokens.ts";
import { type JsonValue, readJsonBody, writeJsonBody } from "./json.ts";
import { newRid, refusalText } from "./rid.ts";

/**
 * Stands around the work of a call, for tests: it may refuse, wait, or send something else than the
 * answer, before or after the work is done.
 */
export type Interference = (
  path: string,
  work: () => Promise<PlatformAnswer>,
  /** To be called before a long wait: the server would take the connection for dead. */
  keepOpen: () => void,
) => Promise<PlatformAnswer | Response>;

interface ProtocolParts {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly quotas: Quotas;
  readonly calls: CallLog;
  readonly rules: ProfileRules;
  readonly clock: Clock;
  readonly log: Log;
  readonly bodyBytesMax: number;
  readonly bodyMs: number;
  readonly interfere: Interference | undefined;
}

/** A request at the platform's door. */
interface ProtocolRequest {
  readonly request: Request;
  /** Below the platform's address. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly address: string;
  readonly origin: string;
  readonly memory?: RequestMemory;
  keepOpen(): void;
}

/** What is learnt about a call on its way, for the log. */
interface Trace {
  appid: string | null;
  body: Uint8Array;
}

type AnyEndpoint = Endpoint | OpenEndpoint;

interface Sent {
  readonly response: Response;
  readonly text: string;
  readonly errcode: number;
  readonly field: string | undefined;
}

const MULTIPART = /^multipart\//i;
const JSON_TYPE = "application/json";

function isBinary(answer: PlatformAnswer): answer is BinaryAnswer {
  return answer.bytes instanceof Uint8Array;
}

/** Copies that are made of a body while it is read: the files in a form, or a text of wide characters and its values. */
const FORM_COPIES = 1;
const JSON_COPIES = 4;

/** A fault of reading a body in the platform's words. */
function refusalOf(thrown: unknown, tooLarge: number): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  switch (thrown.fault) {
    case "request_too_large":
      return new PlatformError(tooLarge);
    case "rate_limit_exceeded":
      return new PlatformError(45011);
    case "overloaded":
      return new PlatformError(-1);
    case "unsupported_encoding":
      return new PlatformError(47001, undefined, `data format error, ${thrown.message}`);
    default:
      return new PlatformError(47001);
  }
}

/** Counts a call that brings no token of an account, by its address. */
function countOpen({ memory }: ProtocolRequest): void {
  try {
    memory?.countOpen();
  } catch (thrown) {
    throw refusalOf(thrown, 45002);
  }
}

/** What every call of a mini-program carries, and its page cannot change. */
const MINI_PROGRAM = /^https?:\/\/servicewechat\.com(?:[/:?#]|$)/i;

/** Browsers and mini-programs say where they are; only servers may call. */
function refuseClients({ headers }: Request): void {
  const isPage = headers.has("origin") || headers.has("sec-fetch-site");
  if (isPage || MINI_PROGRAM.test(headers.get("referer") ?? "")) throw new PlatformError(48001);
}

/** A text of a body for the log; files are only counted. */
function shownBody(body: Uint8Array, contentType: string): string {
  if (MULTIPART.test(contentType)) return `(${contentType}, ${body.length} bytes)`;
  return new TextDecoder().decode(body.subarray(0, 65_536));
}

/** Takes the platform's calls: the order of its checks, its errors, its log. */
export class Protocol {
  readonly #parts: ProtocolParts;
  readonly #endpoints = new Map<string, AnyEndpoint>();

  constructor(parts: ProtocolParts) {
    this.#parts = parts;
  }

  serve(endpoints: readonly AnyEndpoint[]): void {
    for (const endpoint of endpoints) this.#endpoints.set(endpoint.operation.path, endpoint);
  }

  /** All calls that it takes. */
  get operations(): readonly Operation[] {
    return [...this.#endpoints.values()].map(({ operation }) => operation);
  }

  /** The endpoint of a path that needs a token. */
  endpointAt(path: string): Endpoint | undefined {
    const endpoint = this.#endpoints.get(path);
    return endpoint === undefined || "open" in endpoint ? undefined : endpoint;
  }

  /** Always HTTP 200, whatever the answer; only what stands in between may say otherwise. */
  async handle(incoming: ProtocolRequest): Promise<Response> {
    const { clock, calls } = this.#parts;
    const { request, path } = incoming;
    const atMs = clock();
    const rid = newRid(atMs);
    const trace: Trace = { appid: null, body: new Uint8Array() };
    const sent = await this.#send(incoming, rid, trace);
    const record = {
      rid,
      appid: trace.appid,
      at: atMs,
      cost_ms: Math.max(0, clock() - atMs),
      method: request.method,
      path,
      url: request.url,
      request_body: shownBody(trace.body, request.headers.get("content-type") ?? ""),
      response_body: sent.text,
      client_ip: incoming.address,
      errcode: sent.errcode,
      field: sent.field ?? null,
    };
    // What was done is done: a call that cannot be written down is still answered.
    await calls.record(record).catch((thrown: unknown) => this.#broken(rid, thrown, request));
    return sent.response;
  }

  async #send(incoming: ProtocolRequest, rid: string, trace: Trace): Promise<Sent> {
    const { interfere, rules } = this.#parts;
    try {
      const endpoint = this.#find(incoming);
      const work = () => this.#work(endpoint, incoming, trace);
      const keepOpen = () => incoming.keepOpen();
      const answer = await (interfere ? interfere(incoming.path, work, keepOpen) : work());
      if (answer instanceof Response) {
        const text = `(HTTP ${answer.status}, by the test controls)`;
        return { response: answer, text, errcode: 0, field: undefined };
      }
      if (isBinary(answer)) return this.#file(answer);
      return this.#json(writeJsonBody(answer, rules), 0, undefined);
    } catch (thrown) {
      const { request } = incoming;
      const refusal = thrown instanceof PlatformError ? thrown : this.#broken(rid, thrown, request);
      const { errcode, field } = refusal;
      const body = { errcode, errmsg: refusalText(refusal, rid) };
      return this.#json(writeJsonBody(body, rules), errcode, field);
    }
  }

  #json(text: string, errcode: number, field: string | undefined): Sent {
    const response = new Response(text, { headers: { "content-type": JSON_TYPE } });
    return { response, text, errcode, field };
  }

  #file({ bytes, contentType }: BinaryAnswer): Sent {
    const headers = { "content-type": contentType, "x-content-type-options": "nosniff" };
    // A copy over a buffer of its own, as a response wants it.
    const response = new Response(new Uint8Array(bytes), { headers });
    const text = `(${contentType}, ${bytes.length} bytes)`;
    return { response, text, errcode: 0, field: undefined };
  }

  /** The log has what broke, and the caller is told that the system is busy. */
  #broken(rid: string, thrown: unknown, request: Request): PlatformError {
    if (!isCutOff(thrown, request)) this.#parts.log.error("platform_call_broke", { rid, thrown });
    return new PlatformError(-1);
  }

  #find({ request, path }: ProtocolRequest): AnyEndpoint {
    refuseClients(request);
    const endpoint = this.#endpoints.get(path);
    if (endpoint === undefined) throw new PlatformError(40066);
    const { method } = endpoint.operation;
    if (method !== request.method) throw new PlatformError(method === "POST" ? 43002 : 43001);
    return endpoint;
  }

  async #work(
    endpoint: AnyEndpoint,
    incoming: ProtocolRequest,
    trace: Trace,
  ): Promise<PlatformAnswer> {
    const { query, origin, address } = incoming;
    const nowMs = this.#parts.clock();
    if ("open" in endpoint) {
      countOpen(incoming);
      const body = await this.#body(incoming, trace, 45002);
      return endpoint.answer({
        query,
        nowMs,
        address,
        hasBody: body.length > 0,
        json: () => readJsonBody(body, this.#parts.rules),
        concerns: (appid) => {
          trace.appid = appid;
        },
      });
    }
    const account = await this.#authorize(endpoint, query, trace, nowMs);
    incoming.memory?.belongsTo(`public account ${account.appid}`);
    const body = await this.#body(incoming, trace, endpoint.tooLarge ?? 45002);
    const contentType = incoming.request.headers.get("content-type") ?? "";
    const call = { account, query, body, contentType, nowMs, origin };
    return endpoint.answer(this.#withJson(call));
  }

  #withJson(call: Omit<PlatformCall, "json">): PlatformCall {
    let value: JsonValue | undefined;
    return {
      ...call,
      json: () => {
        value ??= readJsonBody(call.body, this.#parts.rules);
        return value;
      },
    };
  }

  async #authorize(
    endpoint: Endpoint,
    query: URLSearchParams,
    trace: Trace,
    nowMs: number,
  ): Promise<PublicAccount> {
    const { tokens, accounts, quotas } = this.#parts;
    const text = query.get("access_token") ?? "";
    // The platform's own cloud names its token otherwise, and may not call these endpoints.
    if (text === "" && query.has("cloudbase_access_token")) throw new PlatformError(48001);
    const { appid, kind, sets } = await tokens.check(text);
    trace.appid = appid;
    if (kind === "cloud") throw new PlatformError(48001);
    const account = await accounts.find(appid);
    if (account === undefined) throw new PlatformError(40001);
    if (account.type === "other") throw new PlatformError(48001);
    const isAllowed = endpoint.sets.some((set) => sets.includes(set));
    if (kind === "third-party" && !isAllowed) throw new PlatformError(61007);
    const { quota } = endpoint;
    if (quota !== undefined && !(await quotas.count(appid, quota, nowMs))) {
      throw new PlatformError(45009);
    }
    return account;
  }

  async #body(incoming: ProtocolRequest, trace: Trace, tooLarge: number): Promise<Uint8Array> {
    const { bodyBytesMax, bodyMs } = this.#parts;
    try {
      trace.body = await readBounded(incoming, { bytesMax: bodyBytesMax, withinMs: bodyMs });
      const contentType = incoming.request.headers.get("content-type") ?? "";
      const copies = MULTIPART.test(contentType) ? FORM_COPIES : JSON_COPIES;
      incoming.memory?.grow(copies * trace.body.length);
      return trace.body;
    } catch (thrown) {
      throw refusalOf(thrown, tooLarge);
    }
  }
}
