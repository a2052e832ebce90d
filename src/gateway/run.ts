import type { PresentedKey } from "../accounts/account.ts";
import { type Model, ratesFor } from "../catalogue/models.ts";
import { type Charge, type NanoUsd, price } from "../catalogue/money.ts";
import type { Attempt, BillingReason, Receipt, Settlement } from "../ledger/receipt.ts";
import type { Fault } from "../lib/faults.ts";
import { atMost, inputTokens, NO_USAGE, totalTokens, type Usage } from "../protocols/usage.ts";
import type { ClientRequest } from "../protocols/wire.ts";
import type { Attempt as Target } from "../upstream/plan.ts";
import type { Candidate } from "./find-model.ts";

const NOTHING: Charge = { lines: [], amount: 0n };
const MODEL_CHARS_MAX = 128;

/** What is known of a request before it is admitted: enough for the row of a refusal. */
export interface Caller {
  readonly requestId: string;
  readonly key: PresentedKey;
  readonly endpoint: string;
  readonly startedAtMs: number;
}

type RequestFacts = Pick<ClientRequest, "model" | "stream" | "maxOutput" | "choices" | "webSearch">;

/** A vendor that searches reads and writes several times in one request. */
const SEARCH_ROUNDS = 16;

/** What is known of the answer when a request ends. */
export interface Ending {
  readonly usage: Usage | undefined;
  readonly outputTokens: number;
  readonly webSearches: number;
  readonly responseId: string | undefined;
  readonly vendorRequestId: string | null;
  /** The vendor's HTTP status; 0 when it gave none. */
  readonly vendorStatus: number;
  readonly firstByteAtMs: number | null;
  readonly endedAtMs: number;
}

/** What is known of a request when its hold is there. */
interface RunFacts {
  readonly caller: Caller;
  readonly request: RequestFacts;
  /** The model that was asked for, then those that may stand in for it. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly inputTokens: number;
  readonly held: NanoUsd;
}

/** A request that holds money: how it was sized, who is asked to serve it, what its end will cost. */
export class Run {
  readonly caller: Caller;
  readonly request: RequestFacts;
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly inputTokens: number;
  readonly held: NanoUsd;
  /** The calls to vendors that came to nothing. */
  readonly #failed: Attempt[] = [];
  #candidate: Candidate;
  #target: Target | undefined;
  #attemptAtMs = 0;

  constructor(facts: RunFacts) {
    const { stream, maxOutput, choices, webSearch } = facts.request;
    this.caller = facts.caller;
    this.candidates = facts.candidates;
    this.#candidate = facts.candidates[0];
    // Not the request itself: a long stream must not keep a large body in memory.
    const model = this.#candidate.model.id;
    this.request = { model, stream, maxOutput, choices, webSearch };
    this.inputTokens = facts.inputTokens;
    this.held = facts.held;
  }

  /** The model that answers. */
  get model(): Model {
    return this.#candidate.model;
  }

  get candidate(): Candidate {
    return this.#candidate;
  }

  /** Where the request is now. */
  get target(): Target | undefined {
    return this.#target;
  }

  /** The next vendor is called. */
  begin(candidate: Candidate, target: Target, nowMs: number): void {
    this.#candidate = candidate;
    this.#target = target;
    this.#attemptAtMs = nowMs;
  }

  /** The vendor did not serve, and another will be asked. */
  gaveUp(status: number, fault: Fault | undefined, nowMs: number): void {
    this.#failed.push(this.#attempt(status, fault?.code ?? null, nowMs));
  }

  #attempt(status: number, code: string | null, nowMs: number): Attempt {
    const { id } = this.#candidate.model;
    return {
      channel: this.#target?.channel.id ?? "",
      credential: this.#target?.credential.key.lastFour || null,
      model: id === this.request.model ? null : id,
      status,
      code,
      startedMs: this.#attemptAtMs - this.caller.startedAtMs,
      durationMs: nowMs - this.#attemptAtMs,
    };
  }

  /** What the request has cost so far, were it to end after so many generated tokens. */
  costSoFar(outputTokens: number): NanoUsd {
    return this.#charge(this.#estimate(outputTokens)).amount;
  }

  /** Answered in full. */
  completed(ending: Ending, clientLeft: boolean): Settlement {
    const { usage } = ending;
    if (!usage) return this.#settle(ending, "completed_estimated", 200, true);
    return this.#settle(ending, clientLeft ? "client_closed_finished" : "completed", 200, true);
  }

  /** The client left, or was too slow to wait for: input and what was delivered. */
  clientClosed(ending: Ending): Settlement {
    return this.#settle(this.#delivered(ending), "client_closed", 499, true);
  }

  /** Some vendors count the input at the beginning; what they wrote since then is our estimate. */
  #delivered(ending: Ending): Ending {
    const { usage } = ending;
    if (!usage) return ending;
    const { output, webSearches } = this.#estimate(ending.outputTokens, ending.webSearches);
    const counted = {
      ...usage,
      output: Math.max(usage.output, output),
      webSearches: Math.max(usage.webSearches, webSearches),
    };
    return { ...ending, usage: counted };
  }

  /** The client left before the vendor was called. */
  abandoned(ending: Ending): Settlement {
    return this.#settle(ending, "refused", 499, false);
  }

  /** The vendor or the gateway failed: only usage that the vendor reported is charged. */
  failed(ending: Ending, fault: Fault): Settlement {
    if (isUnsaid(ending, fault)) return this.#settle(ending, "refused", fault.status, false, fault);
    const ours = fault.status === 500;
    const reason = ours
      ? "gateway_failed"
      : ending.usage
        ? "upstream_failed_with_usage"
        : "upstream_failed";
    return this.#settle(ending, reason, fault.status, !ours && ending.usage !== undefined, fault);
  }

  /** Input and output as estimated, never more than could have been asked for. */
  #estimate(outputTokens: number, webSearches = 0): Usage {
    const { maxOutput, choices } = this.request;
    const { model } = this;
    const most = Math.min(maxOutput ?? model.maxOutput, model.maxOutput) * choices;
    const output = Math.min(Math.ceil(outputTokens), most);
    return { ...NO_USAGE, fresh: this.inputTokens, output, webSearches };
  }

  /** A vendor's counts, never more than the model can read and write. */
  #plausible(usage: Usage): Usage {
    const rounds = this.request.webSearch ? SEARCH_ROUNDS : 1;
    return atMost(usage, {
      input: this.model.context * rounds,
      output: this.model.maxOutput * this.request.choices * rounds,
    });
  }

  #charge(usage: Usage): Charge {
    return price(usage, ratesFor(this.#candidate.priced, inputTokens(usage)));
  }

  /** One call that served needs no list; it is what the receipt is about. */
  #attempts(ending: Ending, fault: Fault | undefined): readonly Attempt[] {
    if (this.#target === undefined) return this.#failed;
    if (this.#failed.length === 0 && !fault) return this.#failed;
    if (fault && isUnsaid(ending, fault)) return this.#failed;
    const last = this.#attempt(ending.vendorStatus, fault?.code ?? null, ending.endedAtMs);
    return [...this.#failed, last];
  }

  #settle(
    ending: Ending,
    billingReason: BillingReason,
    status: number,
    charged: boolean,
    fault?: Fault,
  ): Settlement {
    const told = ending.usage && this.#plausible(ending.usage);
    const usage = told ?? this.#estimate(ending.outputTokens, ending.webSearches);
    const charge = this.#charge(usage);
    const kind = charged ? "post" : "void";
    const source = ending.usage ? "vendor" : charged ? "estimated" : "none";
    const { tokensPerMinute } = this.caller.key;
    return {
      kind,
      tokensBeyondEstimate:
        charged && tokensPerMinute > 0 ? Math.max(0, totalTokens(usage) - this.inputTokens) : 0,
      receipt: {
        ...receiptHead(this.caller, this.request),
        status,
        billingReason,
        errorCode: fault?.code ?? null,
        channel: this.#target?.channel.id ?? null,
        servedModel: this.model.id === this.request.model ? null : this.model.id,
        attempts: this.#attempts(ending, fault),
        vendorCost: ending.usage?.vendorCost ?? null,
        vendorRequestId: ending.vendorRequestId,
        responseId: ending.responseId ?? null,
        usage: source === "none" ? NO_USAGE : usage,
        usageSource: source,
        priceVersion: this.#candidate.priced.version,
        charge: charged ? charge : NOTHING,
        held: this.held,
        // A vendor that never answered has nothing to bill.
        loss: charged || ending.firstByteAtMs === null ? 0n : charge.amount,
        firstByteMs:
          ending.firstByteAtMs === null ? null : ending.firstByteAtMs - this.caller.startedAtMs,
        durationMs: ending.endedAtMs - this.caller.startedAtMs,
      },
    };
  }
}

/** The request could not be said to the vendor, so the vendor was not called. */
function isUnsaid(ending: Ending, fault: Fault): boolean {
  return fault.status < 500 && ending.vendorStatus === 0;
}

function receiptHead(caller: Caller, request: { model: string; stream: boolean } | undefined) {
  return {
    requestId: caller.requestId,
    accountId: caller.key.accountId,
    keyId: caller.key.id,
    createdAtMs: caller.startedAtMs,
    endpoint: caller.endpoint,
    model: (request?.model ?? "").slice(0, MODEL_CHARS_MAX),
    stream: request?.stream ?? false,
  };
}

/** The zero-cost row of a request that no vendor saw. */
export function refusal(
  caller: Caller,
  request: { model: string; stream: boolean } | undefined,
  fault: Fault,
  endedAtMs: number,
): Receipt {
  return {
    ...receiptHead(caller, request),
    status: fault.status,
    billingReason: "refused",
    errorCode: fault.code === String(fault.status) ? fault.type : fault.code,
    channel: null,
    servedModel: null,
    attempts: [],
    vendorCost: null,
    vendorRequestId: null,
    responseId: null,
    usage: NO_USAGE,
    usageSource: "none",
    priceVersion: null,
    charge: NOTHING,
    held: 0n,
    loss: 0n,
    firstByteMs: null,
    durationMs: endedAtMs - caller.startedAtMs,
  };
}
