import { formatUsd } from "../../catalogue/money.ts";
import { RESPONSE_ID_CHARS_MAX, type Settlement } from "../../ledger/receipt.ts";
import type { Fault } from "../../lib/faults.ts";
import type { AnswerEnd, StreamFilter, VendorResult } from "../../protocols/wire.ts";
import type { Exchange } from "../../upstream/exchange.ts";
import type { Attempt } from "../../upstream/plans/attempt.ts";
import type { AdmittedRequest, Tally } from "../admitted-request.ts";
import type { Services } from "../services.ts";
import { finishReasonsOf } from "../tracing/finish-reasons.ts";
import { type Cause, faultOf } from "./cause.ts";
import { endingOf } from "./endings.ts";

const NO_ECHO = {};

/** A request that ends, and what it has come to: who was asked, by which call, with what answer. */
export interface Ended {
  readonly admitted: AdmittedRequest;
  readonly attempt?: Attempt | undefined;
  readonly exchange?: Exchange | undefined;
  readonly answer?: EndedAnswer | undefined;
}

/** A stream or a whole answer, as far as it was read. */
type EndedAnswer = Pick<StreamFilter, "usage" | "outputTokens" | "webSearches" | "id"> &
  Partial<Pick<StreamFilter, "finishReasons" | "final">> &
  Partial<Pick<VendorResult, "body">>;

/** What a receipt can be found by. A vendor's text that no index takes would keep it from being written. */
function keptId(id: string | undefined): string | undefined {
  return id !== undefined && id.length <= RESPONSE_ID_CHARS_MAX ? id : undefined;
}

/** What is known of an answer at this moment. */
class AnswerTally implements Tally {
  readonly #answer: Ended["answer"];
  readonly usage: Tally["usage"];
  readonly webSearches: number;
  readonly responseId: string | undefined;
  readonly vendorRequestId: string | null;
  readonly vendorStatus: number;
  readonly firstByteAtMs: number | null;
  readonly endedAtMs: number;

  constructor({ exchange, answer }: Ended, nowMs: number) {
    this.#answer = answer;
    this.usage = answer?.usage;
    this.webSearches = answer?.webSearches ?? 0;
    this.responseId = keptId(answer?.id);
    this.vendorRequestId = exchange?.vendorRequestId ?? null;
    this.vendorStatus = exchange?.status ?? 0;
    this.firstByteAtMs = exchange?.firstByteAtMs ?? null;
    this.endedAtMs = nowMs;
  }

  /** Asked only where the vendor's own count will not do: a whole answer has to be read for it. */
  get outputTokens(): number {
    return this.#answer?.outputTokens ?? 0;
  }

  /** Asked only where a trace tells of it. */
  get finishReasons(): readonly string[] | undefined {
    const whole = this.#answer?.body ?? this.#answer?.final;
    return this.#answer?.finishReasons ?? (whole && finishReasonsOf(whole));
  }
}

export function tallyOf({ watchdog }: Pick<Services, "watchdog">, ended: Ended): Tally {
  return new AnswerTally(ended, watchdog.now());
}

/** What a settled answer says about itself; the charge only where its key shows it. */
export function answerEnd(admitted: AdmittedRequest, settlement: Settlement): AnswerEnd {
  const { charge, usage, usageSource } = settlement.receipt;
  const cost = admitted.caller.key.showCost ? formatUsd(charge.amount) : undefined;
  const mended = usageSource !== "vendor" || usage.clamped;
  return { cost, usage, mended, echo: NO_ECHO };
}

/**
 * Ends a request that has no end of an answer to send: its vendor is told, its hold is ended. Rejects
 * with what the client hears instead where that could not be recorded in time.
 */
export async function endRequest(services: Services, ended: Ended, cause: Cause): Promise<void> {
  const { vendor, faultsChannel, books, log } = endingOf(cause);
  const fault = faultOf(cause);
  const tally = tallyOf(services, ended);
  if (log && fault) writeFailure(services, ended.admitted, log, fault);
  if (faultsChannel) ended.attempt?.failed(fault);
  if (vendor === "cancel") ended.exchange?.cancel(new Error(`the request ended: ${cause.kind}`));
  if (books === "voided") return;
  const settlement = ended.admitted.settle(cause, tally);
  await (books === "eventually"
    ? traced(ended.admitted, services.ledger.settleEventually(settlement))
    : traced(ended.admitted, services.ledger.settle(settlement)));
}

/** A settlement on its way to the disk, with which the request's trace ends where it has one. */
export function traced({ caller }: AdmittedRequest, written: PromiseLike<void>): PromiseLike<void> {
  return caller.trace ? caller.trace.settled(written) : written;
}

function writeFailure(
  services: Pick<Services, "log">,
  { caller, target }: AdmittedRequest,
  level: "warn" | "error",
  { code, cause }: Fault,
): void {
  services.log[level]("request_failed", {
    requestId: caller.requestId,
    channel: target?.channel.id,
    code,
    cause: cause instanceof Error ? cause.message : undefined,
    thrown: cause,
  });
}
