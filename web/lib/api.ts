import type { Page } from "../../src/lib/contract.ts";
import { hearRefusal } from "./auth/signed-out.ts";
import { hearTime } from "./time/now.ts";

/** A refusal of the API. `param` names the field at fault, so that a form can show it there. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  /** What else the refusal tells, by its own names; each page knows its own. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    param: string | null,
    facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.facts = facts;
  }
}

/** The server says that there is no such thing, or none any more. */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 404;
}

/**
 * Nobody knows whether what was asked for has happened: the answer was lost, or cannot be read, or is the server's own
 * failure. A refusal is an answer.
 */
export function isUnanswered(thrown: unknown): boolean {
  return !(thrown instanceof ApiError) || thrown.status === 0 || thrown.status >= 500;
}

/** The server could not be reached, or what answered is not it. */
export const OFFLINE = "offline";

/** A complaint of a page itself, which needs no other words. */
export const OWN_WORDS = "own_words";

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path with the parameters that have a value. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Our own error body, or better-auth's, which is flat. */
async function errorOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => undefined);
  const error = body?.error ?? body ?? {};
  const message = typeof error.message === "string" ? error.message : response.statusText;
  const code = typeof error.code === "string" ? error.code : OFFLINE;
  hearRefusal(code);
  return new ApiError(response.status, code, message, error.param ?? null, error);
}

interface Sending {
  /** Under which the server does it once, however often it is sent. */
  readonly intent?: string;
}

async function send<Answer>(
  method: string,
  path: string,
  body?: unknown,
  { intent }: Sending = {},
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      // A form on another site cannot send it.
      ...(method !== "GET" && { "x-faregate-csrf": "1" }),
      ...(intent !== undefined && { "idempotency-key": intent }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((thrown: unknown) => {
    throw new ApiError(0, OFFLINE, String(thrown), null);
  });
  hearTime(response.headers);
  if (!response.ok) throw await errorOf(response);
  return response.status === 204 ? (undefined as Answer) : response.json();
}

export const api = {
  get: <Answer>(path: string, query?: Query) => send<Answer>("GET", withQuery(path, query)),
  post: <Answer>(path: string, body: unknown = {}, sending?: Sending) =>
    send<Answer>("POST", path, body, sending),
  put: <Answer>(path: string, body: unknown) => send<Answer>("PUT", path, body),
  patch: <Answer>(path: string, body: unknown) => send<Answer>("PATCH", path, body),
  delete: <Answer>(path: string) => send<Answer>("DELETE", path),
  page: <Row>(path: string, query: Query, after: string | undefined) =>
    send<Page<Row>>("GET", withQuery(path, { ...query, after })),
};
