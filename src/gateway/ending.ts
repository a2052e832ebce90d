import { formatUsd } from "../catalogue/money.ts";
import type { Settlement } from "../ledger/receipt.ts";
import { asFault, type Fault } from "../lib/faults.ts";
import type { AnswerEnd, StreamPass } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import type { Ending, Run } from "./run.ts";
import type { Services } from "./services.ts";

/** What a settled answer says about itself; the charge only where its key shows it. */
export function answerEnd(run: Run, settlement: Settlement): AnswerEnd {
  const { charge, usage } = settlement.receipt;
  const cost = run.caller.key.showCost ? formatUsd(charge.amount) : undefined;
  return { cost, usage, echo: {} };
}

/** What is known of an answer at this moment. */
export function endingOf(
  services: Services,
  exchange: Exchange | undefined,
  answer: Pick<StreamPass, "usage" | "outputTokens" | "webSearches" | "id"> | undefined,
): Ending {
  return {
    usage: answer?.usage,
    outputTokens: answer?.outputTokens ?? 0,
    webSearches: answer?.webSearches ?? 0,
    responseId: answer?.id,
    vendorRequestId: exchange?.vendorRequestId ?? null,
    vendorStatus: exchange?.status ?? 0,
    firstByteAtMs: exchange?.firstByteAtMs ?? null,
    endedAtMs: services.clock(),
  };
}

/** Ends the hold of a request that failed, and gives back the fault to answer with. */
export async function settleFailure(
  services: Services,
  run: Run,
  ending: Ending,
  thrown: unknown,
): Promise<Fault> {
  const fault = asFault(thrown);
  const cause = fault.cause instanceof Error ? fault.cause.message : undefined;
  const level = fault.status === 500 ? "error" : "warn";
  const { requestId } = run.caller;
  const channel = run.target?.channel.id;
  services.log[level]("request_failed", {
    requestId,
    channel,
    code: fault.code,
    cause,
    thrown: fault.cause,
  });
  await services.ledger.settle(run.failed(ending, fault));
  return fault;
}
