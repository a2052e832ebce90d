import type { PresentedKey } from "../accounts/account.ts";
import { type Model, ratesFor } from "../catalogue/models.ts";
import {
  CHARGE_MAX,
  type Charge,
  endedAt,
  type NanoUsd,
  price,
  withFee,
} from "../catalogue/money.ts";
import type {
  AttemptRecord,
  Receipt,
  Settlement,
  TokensTaken,
  UsageSource,
} from "../ledger/receipt.ts";
import { refusalOf } from "../ledger/refusal.ts";
import type { Fault } from "../lib/faults.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import { inputTokens, NO_USAGE, totalTokens, type Usage } from "../protocols/usage.ts";
import type { ClientRequest } from "../protocols/wire.ts";
import type { Attempt } from "../upstream/plans/attempt.ts";
import { wordsOfVendor } from "../upstream/refusal.ts";
import type { Candidate, Candidates } from "./arriving/find-model.ts";
import { type Cause, faultOf } from "./ending/cause.ts";
import { ENDINGS, type Ending, endingOf } from "./ending/endings.ts";
import type { Allowance } from "./money/allowance.ts";
import { type Asked, believed, isCredible, type Most, usageBilled } from "./money/believed.ts";
import type { RequestTrace } from "./tracing/request-trace.ts";

const NOTHING: Charge = { lines: [], amount: 0n };
const MODEL_CHARS_MAX = 128;

/** What is known of a request before it is admitted: enough for the row of a refusal. */
export interface Caller {
  readonly requestId: string;
  readonly key: PresentedKey;
  readonly endpoint: string;
  /** By the clock on the wall, for the record. */
  readonly createdAtMs: number;
  /** By the clock that nobody sets, which all that is measured of a request goes by. */
  readonly startedAtMs: number;
  /** By the same clock: when its key was last looked at. */
  readonly knownAtMs: number;
  /** For storage, until a vendor is asked. */
  readonly timeBudget: TimeBudget;
  /** Where the request is recorded for whoever collects traces. */
  readonly trace?: RequestTrace | undefined;
}

type RequestFacts = Pick<ClientRequest, "model" | "stream"> & Asked["request"];

/** What is known of the answer when a request ends. */
export interface Tally {
  readonly usage: Usage | undefined;
  /** Output that was delivered, as estimated. */
  readonly outputTokens: number;
  readonly webSearches: number;
  readonly responseId: string | undefined;
  readonly vendorRequestId: string | null;
  /** The vendor's HTTP status; 0 when it gave none. */
  readonly vendorStatus: number;
  readonly firstByteAtMs: number | null;
  readonly endedAtMs: number;
  /** Why the vendor stopped, for each of its answers, where it says so. */
  readonly finishReasons?: readonly string[] | undefined;
}

/** What a vendor is asked for, where that decides what the answer may cost. */
interface AskedFor {
  /** So much output of each answer, where the money buys no more. */
  readonly outputClamp?: number | undefined;
  /** What the request costs there for what it asks beyond the lists. */
  readonly fee?: NanoUsd;
}

/** What is known of a request when its hold is there. */
export type AdmittedFacts = Pick<
  AdmittedRequest,
  "caller" | "request" | "candidates" | "inputTokens"
>;

/** A request that holds money: how it was sized, who is asked to serve it, what its end will cost. */
export class AdmittedRequest implements Asked {
  readonly caller: Caller;
  readonly request: RequestFacts;
  /** The model that was asked for, then those that may stand in for it. */
  readonly candidates: Candidates;
  readonly inputTokens: number;
  readonly allowance: Allowance;
  /** What it took of its key's tokens per minute; undefined where the key has no such limit. */
  readonly #taken: TokensTaken | undefined;
  /** The calls to vendors that came to nothing. */
  readonly #failed: AttemptRecord[] = [];
  #candidate: Candidate;
  #target: Attempt | undefined;
  #attemptAtMs = 0;
  /** What the vendor that is asked said in place of an answer. */
  #said: string | undefined;
  #outputClamp: number | undefined;
  #fee: NanoUsd = 0n;

  constructor(facts: AdmittedFacts, allowance: Allowance, taken?: TokensTaken) {
    const { stream, choices, webSearch, rounds } = facts.request;
    this.caller = facts.caller;
    this.candidates = facts.candidates;
    this.#candidate = facts.candidates[0];
    // Not the request itself: a long stream must not keep a large body in memory.
    const model = this.#candidate.model.id;
    this.request = { model, stream, choices, webSearch, rounds };
    this.inputTokens = facts.inputTokens;
    this.allowance = allowance;
    this.#taken = taken;
  }

  /** The model that answers. */
  get model(): Model {
    return this.#candidate.model;
  }

  get candidate(): Candidate {
    return this.#candidate;
  }

  /** Where the request is now. */
  get target(): Attempt | undefined {
    return this.#target;
  }

  /** The most output of one answer that the vendor was asked for, where the money buys no more. */
  get outputClamp(): number | undefined {
    return this.#outputClamp;
  }

  /**
   * Whether its key may hear how far an answer is cut. Where it is the balance that cuts it, the figure is a part of the
   * balance, which not every key may read.
   */
  get tellsClamp(): boolean {
    return this.caller.key.accountRead || !this.allowance.byBalance;
  }

  /** What its answer can come to for the money that is there. */
  get most(): Most {
    const { input, output, searches, answers } = this.allowance.sizeOf(this.model);
    const clamp = this.#outputClamp;
    const bought = clamp === undefined ? this.allowance.outputOf(this.model) : clamp * answers;
    return { input, output: Math.min(output, bought ?? output), searches };
  }

  /** The next vendor is called. */
  begin(candidate: Candidate, target: Attempt, nowMs: number, asked: AskedFor = {}): void {
    this.#candidate = candidate;
    this.#target = target;
    this.#fee = asked.fee ?? 0n;
    this.#attemptAtMs = nowMs;
    this.#outputClamp = asked.outputClamp;
    this.#said = undefined;
    this.caller.trace?.calling(target, this.request.stream);
  }

  /** The vendor has said this in place of an answer, for whoever reads the receipt. */
  heard(words: string): void {
    this.#said = words;
  }

  /** The vendor did not serve, and another will be asked. */
  gaveUp(status: number, fault: Fault | undefined, nowMs: number): void {
    this.#failed.push(this.#attempt(status, fault, nowMs));
    this.caller.trace?.gaveUp(status, fault);
  }

  #attempt(status: number, fault: Fault | undefined, nowMs: number): AttemptRecord {
    const { id } = this.#candidate.model;
    return {
      channel: this.#target?.channel.id ?? "",
      credential: this.#target?.credential.key.lastFour || null,
      model: id === this.request.model ? null : id,
      status,
      code: fault?.fault ?? null,
      message: fault ? (this.#said ?? wordsOfVendor(fault)) : null,
      startedMs: this.#attemptAtMs - this.caller.startedAtMs,
      durationMs: nowMs - this.#attemptAtMs,
    };
  }

  #charge(usage: Usage): Charge {
    const charge = price(usage, ratesFor(this.#candidate.priced, inputTokens(usage)));
    return withFee(charge, this.#fee);
  }

  /** What the vendor may bill for input that it counts beyond our bound, and nobody is charged for. */
  #inputLoss({ usage: told }: Tally, usage: Usage, cost: Charge, charged: boolean): NanoUsd {
    const billed = told && usageBilled(this, told, usage, charged);
    if (!billed) return 0n;
    const more = this.#charge(billed).amount - cost.amount;
    if (more <= 0n) return 0n;
    const most = CHARGE_MAX - cost.amount;
    return more < most ? more : most;
  }

  /** One call that served needs no list; it is what the receipt is about. */
  #attempts(
    vendor: Ending["vendor"],
    fault: Fault | undefined,
    tally: Tally,
  ): readonly AttemptRecord[] {
    if (this.#target === undefined || vendor === "unasked") return this.#failed;
    if (this.#failed.length === 0 && !fault) return this.#failed;
    const last = this.#attempt(tally.vendorStatus, fault, tally.endedAtMs);
    return [...this.#failed, last];
  }

  /** The end of the hold, as its cause has it. */
  settle(cause: Cause, tally: Tally): Settlement {
    const settlement = this.#settlement(cause, tally);
    const { trace } = this.caller;
    if (trace) trace.settling(settlement.receipt, tally);
    return settlement;
  }

  #settlement(cause: Cause, tally: Tally): Settlement {
    const { charge: due, reason, status, vendor } = endingOf(cause);
    const fault = status === "fault" ? faultOf(cause) : undefined;
    let { usage } = tally;
    let source: UsageSource = "vendor";
    if (!usage || due === "delivered" || !isCredible(this, usage, tally)) {
      ({ usage, source } = believed(this, due, tally));
    }
    const counted = source !== "estimated";
    const charged = due === "counts" ? counted : due !== "nothing";
    const cost = this.#charge(usage);
    const inputLoss = this.#inputLoss(tally, usage, cost, charged);
    // It pays what it holds and no more, since no balance may be passed; the rest is ours.
    const charge = endedAt(cost, this.allowance.held);
    const spent = charged || counted ? usage : NO_USAGE;
    const taken = this.#taken;
    return {
      kind: charged ? "post" : "void",
      leeway: this.allowance.leeway,
      tokens: taken && { taken, used: totalTokens(spent) },
      receipt: {
        requestId: this.caller.requestId,
        accountId: this.caller.key.accountId,
        keyId: this.caller.key.id,
        createdAtMs: this.caller.createdAtMs,
        endpoint: this.caller.endpoint,
        model: this.request.model,
        stream: this.request.stream,
        status: status === "fault" ? (fault?.status ?? 500) : status,
        billingReason: counted ? reason.counted : reason.uncounted,
        errorCode: fault?.fault ?? null,
        refusal: null,
        channel: this.#target?.channel.id ?? null,
        servedModel: this.model.id === this.request.model ? null : this.model.id,
        attempts: this.#attempts(vendor, fault, tally),
        vendorCost: tally.usage?.vendorCost ?? null,
        vendorRequestId: tally.vendorRequestId,
        responseId: tally.responseId ?? null,
        usage: spent,
        usageSource: charged || counted ? source : "none",
        priceVersion: this.#candidate.priced.version,
        charge: charged ? charge : NOTHING,
        held: this.allowance.held,
        outputClamp: this.outputClamp ?? null,
        loss: charged ? cost.amount - charge.amount + inputLoss : lossOf(cost, tally) + inputLoss,
        inputLoss,
        firstByteMs:
          tally.firstByteAtMs === null ? null : tally.firstByteAtMs - this.caller.startedAtMs,
        durationMs: tally.endedAtMs - this.caller.startedAtMs,
        requests: 1,
        lastAtMs: null,
      },
    };
  }
}

/** What an unpaid request cost the house. A vendor that never answered has nothing to bill. */
function lossOf(cost: Charge, { firstByteAtMs }: Tally): NanoUsd {
  return firstByteAtMs === null ? 0n : cost.amount;
}

/** The zero-cost row of a request that no vendor saw. */
export function refusal(
  caller: Caller,
  request: { model: string; stream: boolean } | undefined,
  fault: Fault,
  endedAtMs: number,
): Receipt {
  return {
    requestId: caller.requestId,
    accountId: caller.key.accountId,
    keyId: caller.key.id,
    createdAtMs: caller.createdAtMs,
    endpoint: caller.endpoint,
    model: (request?.model ?? "").slice(0, MODEL_CHARS_MAX),
    stream: request?.stream ?? false,
    status: fault.status,
    billingReason: ENDINGS.refused.reason.uncounted,
    errorCode: fault.fault,
    refusal: refusalOf(fault),
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
    outputClamp: null,
    loss: 0n,
    inputLoss: 0n,
    firstByteMs: null,
    durationMs: endedAtMs - caller.startedAtMs,
    requests: 1,
    lastAtMs: null,
  };
}
