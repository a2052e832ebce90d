/**
 * Every error a client can see, in one table. `status` and `type` are the wire's; `retry` is what
 * `x-should-retry` tells the official clients.
 */
interface FaultRow {
  readonly status: number;
  readonly type: string;
  /** When it occurs. `npm run docs` writes it into docs/errors.md. */
  readonly about: string;
  /** The wire's `code` where it differs from the row's name. */
  readonly code?: string;
  /** Where a row does not say it: see `mayRetry`. */
  readonly retry?: boolean;
}

/**
 * Returns whether the same request may succeed later. Among the 4xx only a 429 may, unless its row says otherwise: clients
 * that guess by the status alone retry for minutes with a wrong key. Undefined leaves it to them, and to `retry-after`.
 */
function mayRetry({ status, retry }: FaultRow): boolean | undefined {
  if (retry !== undefined) return retry;
  return status < 500 && status !== 429 ? false : undefined;
}

/** A request that its client must change. */
const invalid = (about: string, status: number = 400) => ({
  ...{ status, type: "invalid_request_error", about },
});

const unavailable = (about: string, retry: boolean) => ({
  ...{ status: 503, type: "service_unavailable_error", about, retry },
});

const FIELD = "a field is wrong, is given twice, or differs from a known one only by its capitals";
const REJECTED = "the vendor refused the request; the message has its words";
const NOT_NOW = "the gateway cannot take the request now";
const STORED = "nothing is stored under that id for this key";
const NOT_JSON = "the body is not JSON, not UTF-8, or not what its `Content-Encoding` says";

export const FAULTS = {
  missing_required_parameter: invalid(FIELD),
  invalid_type: invalid(FIELD),
  invalid_value: invalid(FIELD),
  integer_below_min_value: invalid(FIELD),
  integer_above_max_value: invalid(FIELD),
  decimal_below_min_value: invalid(FIELD),
  decimal_above_max_value: invalid(FIELD),
  empty_array: invalid(FIELD),
  duplicate_parameter: invalid(FIELD),
  unsupported_parameter: invalid(
    "the field asks for something that neither Faregate nor this model offers",
  ),
  unsupported_endpoint: invalid("the model is on another endpoint, which the message names"),
  invalid_content_type: invalid(NOT_JSON),
  invalid_json: invalid(NOT_JSON),
  previous_response_not_found: invalid(STORED),
  item_not_found: invalid(STORED),
  websocket_connection_limit_reached: invalid(
    "a WebSocket has reached its age limit; open a new one",
  ),
  key_limit_reached: invalid(
    "the account has as many keys as it may; delete some, or ask the operator",
  ),
  upstream_rejected: invalid(REJECTED),
  // The client can fix it, but the limit is our account's: its own name tells receipts apart.
  over_upstream_quota: { ...invalid(REJECTED), code: "upstream_rejected" },
  context_length_exceeded: invalid(REJECTED),
  preflight_failed: invalid(
    "an article breaks a rule of the platform; nothing was sent, and `problems` lists all",
  ),
  render_too_slow: invalid("the articles take longer to render than `FAREGATE_DRAFT_RENDER_MS`"),
  budget_exceeded: {
    ...{ status: 400, type: "budget_exceeded", code: "400" },
    about: "a budget of the key, or the balance, is used up ([what to do](#when-money-is-used-up))",
  },
  invalid_api_key: invalid(
    "the key is missing, malformed, unknown, disabled, expired, replaced or deleted",
    401,
  ),
  ip_not_allowed: invalid("the key may not be used from this address", 401),
  not_signed_in: invalid("a call of the console's API has no session and no operator token", 401),
  permission_denied: invalid("the key lacks `account-read`, or a role or scope is too low", 403),
  model_not_found: invalid(
    "the model is unknown, or the key may not call it; `param` is `model`",
    404,
  ),
  // A key does not learn which models exist that it may not call. Its receipt tells both apart.
  model_not_allowed: {
    ...invalid("the model is unknown, or the key may not call it; `param` is `model`", 404),
    code: "model_not_found",
  },
  not_found: invalid("there is no such response, receipt, object or route", 404),
  unknown_url: invalid("there is no such response, receipt, object or route", 404),
  not_offered: invalid(
    "a vendor has this path, Faregate does not ([what to do](wires.md#not-offered))",
    404,
  ),
  method_not_allowed: invalid("the header `allow` names the right methods", 405),
  request_too_slow: {
    ...invalid(
      "the body took longer than `FAREGATE_UPLOAD_MS`, in the console `FAREGATE_FORM_MS`",
      408,
    ),
    retry: true,
  },
  idempotency_conflict: invalid("the `Idempotency-Key` was used with another path or body", 409),
  idempotency_not_kept: invalid(
    "it was answered and charged, but not kept; `x-faregate-receipt` names the receipt",
    409,
  ),
  idempotency_busy: {
    ...invalid("the first request with this `Idempotency-Key` still runs", 409),
    retry: true,
  },
  edit_conflict: invalid(
    "somebody else changed the draft, or the key's secret, in the meantime",
    409,
  ),
  push_busy: {
    ...invalid(
      "another call sends, deletes or publishes this draft, or one with the same text",
      409,
    ),
    retry: true,
  },
  request_too_large: invalid(
    "a body is over `FAREGATE_BODY_BYTES_MAX`, a message over `FAREGATE_WEBSOCKET_FRAME_BYTES_MAX`",
    413,
  ),
  unsupported_encoding: invalid(
    "the body's compression is unknown; `accept-encoding` names the known ones",
    415,
  ),
  rate_limit_exceeded: {
    ...{ status: 429, type: "rate_limit_error" },
    about: "too many requests or tokens; `retry-after` and `retry-after-ms` say how long to wait",
  },
  budget_busy: {
    ...{ status: 429, type: "rate_limit_error" },
    about: "running requests hold the money that is left; try again shortly",
  },
  internal_error: { status: 500, type: "server_error", about: "a bug of ours; nothing is charged" },
  writing_failed: {
    ...{ status: 502, type: "model_error", retry: false },
    about: "the model was paid but wrote no article; `writing` has its receipt",
  },
  platform_refused: {
    ...{ status: 502, type: "platform_error", retry: false },
    about:
      "the public-account platform refused a draft; only what `replaced` counts was stored there",
  },
  proxy_failed: {
    ...{ status: 502, type: "platform_error", retry: true },
    about: "the proxy to the platform refused the call or did not answer; nothing was sent",
  },
  token_unavailable: {
    ...{ status: 502, type: "platform_error", retry: false },
    about: "the service that holds the token gave none that the platform accepts; nothing was sent",
  },
  platform_unknown: {
    ...{ status: 502, type: "platform_error", retry: false },
    about: "nobody knows whether the platform stored the draft; retry it by its id",
  },
  mail_failed: {
    ...{ status: 502, type: "mail_error", retry: false },
    about: "the mail server did not answer or refused; operators see its words",
  },
  upstream_unavailable: unavailable(
    "every vendor that could be asked failed before its first byte, or rests",
    true,
  ),
  model_unavailable: unavailable(
    "the model's vendors refuse every key of this gateway; only the operator can fix it",
    false,
  ),
  storage_unavailable: unavailable(NOT_NOW, true),
  office_unavailable: unavailable(NOT_NOW, true),
  overloaded: unavailable(NOT_NOW, true),
} as const satisfies Record<string, FaultRow>;

export type FaultName = keyof typeof FAULTS;

interface FaultDetails {
  /** Path of the field at fault, as the client wrote it. */
  readonly param?: string | undefined;
  /** Facts that clients may read beside the fixed four fields of the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further members of the error object, for the routes of drafts, whose clients show them. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** An expected failure that has an answer on the wire. Anything else that is thrown is our bug. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly fault: FaultName;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(fault: FaultName, message: string, details: FaultDetails = {}) {
    super(message, { cause: details.cause });
    this.fault = fault;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
    this.facts = details.facts ?? {};
  }

  /** The same fault with more facts for its client, beside those that it has. */
  with(headers: Readonly<Record<string, string>>): Fault {
    const { param, facts, cause } = this;
    const all = { ...headers, ...this.headers };
    return new Fault(this.fault, this.message, {
      param: param ?? undefined,
      facts,
      cause,
      headers: all,
    });
  }

  private get row(): FaultRow {
    return FAULTS[this.fault];
  }

  get status(): number {
    return this.row.status;
  }

  get type(): string {
    return this.row.type;
  }

  get code(): string {
    return this.row.code ?? this.fault;
  }

  get retry(): boolean | undefined {
    return mayRetry(this.row);
  }

  /** The error object of the wire: exactly four fields, and facts where a fault has any. */
  toJson(): { message: string; type: string; code: string; param: string | null } {
    const { message, type, code, param, facts } = this;
    return { message, type, code, param, ...facts };
  }
}

/** The database could not be read or written, or has not answered: then it may still do what it was asked for. */
export class StorageError extends Error {
  override readonly name = "StorageError";

  /** Whatever was thrown, as the error that callers know. */
  static from(thrown: unknown): StorageError {
    if (thrown instanceof StorageError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new StorageError(message, { cause: thrown });
  }
}

/** What a client may hear of something that was thrown: a fault as it is, a bug without its insides. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  if (thrown instanceof StorageError) {
    return new Fault(
      "storage_unavailable",
      "The gateway cannot reach its storage. Try again shortly.",
      {
        cause: thrown,
        headers: { "retry-after": "2" },
      },
    );
  }
  return new Fault("internal_error", "The gateway failed on this request.", { cause: thrown });
}

/** Whether the client has left before its request was read to the end. Then nothing of ours broke. */
export function isCutOff(
  thrown: unknown,
  request?: { readonly signal: { readonly aborted: boolean } },
): boolean {
  const isAbort = thrown instanceof DOMException && thrown.name === "AbortError";
  return isAbort && request?.signal.aborted === true;
}
