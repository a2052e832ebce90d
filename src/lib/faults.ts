/**
 * Every error a client can see, in one table. `status` and `type` are the wire's; `retry` is what
 * `x-should-retry` tells the official clients.
 */
interface FaultRow {
  readonly status: number;
  readonly type: string;
  /** The wire's `code` where it differs from the row's name. */
  readonly code?: string;
  /** Where a row does not say it: see `mayRetry`. */
  readonly retry?: boolean;
}

/**
 * Says whether the same request may succeed later, where the row does not: of the 4xx, only a 429. Clients that guess by
 * the status alone ask again for minutes with a key that is wrong. Undefined leaves it to them, and to `retry-after`.
 */
function mayRetry({ status, retry }: FaultRow): boolean | undefined {
  if (retry !== undefined) return retry;
  return status < 500 && status !== 429 ? false : undefined;
}

const invalid = { status: 400, type: "invalid_request_error" } as const;

export const FAULTS = {
  invalid_api_key: { status: 401, type: "invalid_request_error" },
  not_signed_in: { status: 401, type: "invalid_request_error" },
  ip_not_allowed: { status: 401, type: "invalid_request_error" },
  unknown_url: { status: 404, type: "invalid_request_error" },
  not_offered: { status: 404, type: "invalid_request_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  invalid_content_type: invalid,
  invalid_json: invalid,
  unsupported_encoding: { status: 415, type: "invalid_request_error" },
  request_too_slow: { status: 408, type: "invalid_request_error", retry: true },
  request_too_large: { status: 413, type: "invalid_request_error" },
  missing_required_parameter: invalid,
  invalid_type: invalid,
  invalid_value: invalid,
  integer_below_min_value: invalid,
  integer_above_max_value: invalid,
  decimal_below_min_value: invalid,
  decimal_above_max_value: invalid,
  empty_array: invalid,
  duplicate_parameter: invalid,
  unsupported_parameter: invalid,
  unsupported_endpoint: invalid,
  previous_response_not_found: invalid,
  item_not_found: invalid,
  websocket_connection_limit_reached: invalid,
  upstream_rejected: invalid,
  // The client's to mend, by a limit that is our account's: its receipt tells it from what the vendor says of a request.
  over_upstream_quota: { ...invalid, code: "upstream_rejected" },
  context_length_exceeded: invalid,
  model_not_found: { status: 404, type: "invalid_request_error" },
  // A key learns no more of what it may not call than of what there is not; its receipt tells them apart.
  model_not_allowed: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  not_found: { status: 404, type: "invalid_request_error" },
  permission_denied: { status: 403, type: "invalid_request_error" },
  preflight_failed: invalid,
  render_too_slow: invalid,
  idempotency_conflict: { status: 409, type: "invalid_request_error" },
  idempotency_not_kept: { status: 409, type: "invalid_request_error" },
  idempotency_busy: { status: 409, type: "invalid_request_error", retry: true },
  key_limit_reached: invalid,
  edit_conflict: { status: 409, type: "invalid_request_error" },
  push_busy: { status: 409, type: "invalid_request_error", retry: true },
  writing_failed: { status: 502, type: "model_error", retry: false },
  platform_refused: { status: 502, type: "platform_error", retry: false },
  proxy_failed: { status: 502, type: "platform_error", retry: true },
  token_unavailable: { status: 502, type: "platform_error", retry: false },
  platform_unknown: { status: 502, type: "platform_error", retry: false },
  mail_failed: { status: 502, type: "mail_error", retry: false },
  rate_limit_exceeded: { status: 429, type: "rate_limit_error" },
  budget_busy: { status: 429, type: "rate_limit_error" },
  budget_exceeded: { status: 400, type: "budget_exceeded", code: "400" },
  upstream_unavailable: { status: 503, type: "service_unavailable_error", retry: true },
  model_unavailable: { status: 503, type: "service_unavailable_error", retry: false },
  storage_unavailable: { status: 503, type: "service_unavailable_error", retry: true },
  office_unavailable: { status: 503, type: "service_unavailable_error", retry: true },
  overloaded: { status: 503, type: "service_unavailable_error", retry: true },
  internal_error: { status: 500, type: "server_error" },
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
