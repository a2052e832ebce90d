import type { PresentedKey } from "../accounts/account.ts";
import { type Model, type PriceVersion, ratesFor } from "../catalogue/models.ts";
import { type Charge, type NanoUsd, price } from "../catalogue/money.ts";
import type { BillingReason, Receipt, Settlement } from "../ledger/receipt.ts";
import type { Fault } from "../lib/faults.ts";
import { atMost, inputTokens, NO_USAGE, totalTokens, type Usage } from "../protocols/usage.ts";
import type { ClientRequest } from "../protocols/wire.ts";
import type { Route } from "../upstream/channels.ts";

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
  readonly firstByteAtMs: number | null;
  readonly endedAtMs: number;
}

/** A request that holds money: how it was sized, and what its end will cost. */
export class Run {
  readonly caller: Caller;
  readonly request: RequestFacts;
  readonly model: Model;
  readonly route: Route;
  /** Pinned at admission: a price change meanwhile does not touch a running request. */
  readonly priced: PriceVersion;
  readonly inputTokens: number;
  readonly held: NanoUsd;

  constructor(
    facts: Omit<Run, "completed" | "clientClosed" | "abandoned" | "failed" | "costSoFar">,
  ) {
    const { model, stream, maxOutput, choices, webSearch } = facts.request;
    this.caller = facts.caller;
    // Not the request itself: a long stream must not keep a large body in memory.
    this.request = { model, stream, maxOutput, choices, webSearch };
    this.model = facts.model;
    this.route = facts.route;
    this.priced = facts.priced;
    this.inputTokens = facts.inputTokens;
    this.held = facts.held;
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
    return this.#settle(ending, "client_closed", 499, true);
  }

  /** The client left before the vendor was called. */
  abandoned(ending: Ending): Settlement {
    return this.#settle(ending, "refused", 499, false);
  }

  /** The vendor or the gateway failed: only usage that the vendor reported is charged. */
  failed(ending: Ending, fault: Fault): Settlement {
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
    const most = Math.min(maxOutput ?? this.model.maxOutput, this.model.maxOutput) * choices;
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
    return price(usage, ratesFor(this.priced, inputTokens(usage)));
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
        channel: this.route.channel.id,
        vendorRequestId: ending.vendorRequestId,
        responseId: ending.responseId ?? null,
        usage: source === "none" ? NO_USAGE : usage,
        usageSource: source,
        priceVersion: this.priced.version,
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
