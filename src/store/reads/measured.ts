import type { AdmissionOutcome } from "../../admission/request.ts";
import { isEstimated, type Receipt } from "../../ledger/receipt.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { Store } from "../store.ts";

/** A receipt without a list of calls was served by the first one, if any was made. */
function countAttempts(metrics: Metrics, { channel, attempts }: Receipt): void {
  if (attempts.length === 0 && channel !== null) metrics.attempts.add(1, channel, "served");
  for (const attempt of attempts) {
    metrics.attempts.add(1, attempt.channel, attempt.code ?? "served");
  }
}

/** What the vendor of a channel did not count, or not so that it can be true. */
function countDoubts(metrics: Metrics, receipt: Receipt): void {
  const { channel, status, usage } = receipt;
  if (channel === null) return;
  // That counts are missing of an answer which was not read to its end is nobody's fault.
  if (status < 400 && isEstimated(receipt)) metrics.usageEstimated.add(1, channel);
  if (usage.clamped) metrics.usageClamped.add(1, channel);
}

function count(metrics: Metrics, receipt: Receipt): void {
  const { usage, charge } = receipt;
  metrics.requests.add(receipt.requests, receipt.endpoint, String(receipt.status));
  metrics.durationMs.observe(receipt.durationMs);
  if (receipt.errorCode !== null) metrics.errors.add(receipt.requests, receipt.errorCode);
  countAttempts(metrics, receipt);
  countDoubts(metrics, receipt);
  // Counts for graphs: what is charged is read from the books.
  if (charge.amount > 0n) metrics.spendNanoUsd.add(Number(charge.amount));
  if (receipt.loss > 0n) metrics.lossNanoUsd.add(Number(receipt.loss));
  if (usage.fresh > 0) metrics.tokens.add(usage.fresh, "input");
  if (usage.cacheRead > 0) metrics.tokens.add(usage.cacheRead, "cache_read");
  const written = usage.cacheWrite + usage.cacheWriteLong;
  if (written > 0) metrics.tokens.add(written, "cache_write");
  if (usage.output > 0) metrics.tokens.add(usage.output, "output");
}

/**
 * The same store, with what passes through it counted. Every request ends here with its receipt, so
 * nothing else need know that anybody counts.
 */
export function measuredStore(store: Store, metrics: Metrics, clock: Clock): Store {
  const { admission, ledger } = store;
  /** Counts what storage is asked for, and what of it is done. */
  const timed = <T>(
    times: Metrics["admitMs"],
    startedMs: number,
    work: Promise<T>,
    done: (value: T) => T,
  ): Promise<T> => {
    metrics.storageQueue += 1;
    const answered = () => {
      metrics.storageQueue -= 1;
      times.observe(clock() - startedMs);
    };
    return work.then(
      (value) => {
        answered();
        return done(value);
      },
      (thrown) => {
        answered();
        throw thrown;
      },
    );
  };
  const admitted = (outcome: AdmissionOutcome): AdmissionOutcome => {
    metrics.admissions.add(1, outcome.kind);
    return outcome;
  };
  metrics.holding = () => store.unsettled().length;
  return {
    ...store,
    admission: {
      admit(request, allowance) {
        const startedMs = clock();
        const outcome = admission.admit(request, allowance);
        if (outcome instanceof Promise) {
          return timed(metrics.admitMs, startedMs, outcome, admitted);
        }
        metrics.admitMs.observe(clock() - startedMs);
        return admitted(outcome);
      },
      raise: (request, allowance) => admission.raise(request, allowance),
    },
    ledger: {
      ...ledger,
      settle: (settlement, waitMs) =>
        timed(metrics.commitMs, clock(), ledger.settle(settlement, waitMs), (written) => {
          if (written === "done") count(metrics, settlement.receipt);
          return written;
        }),
      refuse(receipt, counted) {
        // Nobody waits for the row of a refusal; it has happened all the same.
        count(metrics, receipt);
        return ledger.refuse(receipt, counted);
      },
    },
  };
}
