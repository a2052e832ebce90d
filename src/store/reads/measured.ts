import type { AdmissionOutcome } from "../../admission/request.ts";
import { isEstimated, type Receipt } from "../../ledger/receipt.ts";
import type { Clock } from "../../lib/clock.ts";
import { hear, type Listener } from "../../lib/threads/deferred.ts";
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
  metrics.recent.add(receipt.status, receipt.requests);
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

/** The end of a request on its way to the disk. It is counted before whoever waits for it hears. */
class CountedEnd implements Listener<"done" | "already"> {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #receipt: Receipt;
  readonly #startedMs: number;

  constructor(metrics: Metrics, clock: Clock, receipt: Receipt, startedMs: number) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#receipt = receipt;
    this.#startedMs = startedMs;
    metrics.storageQueue += 1;
  }

  came(written: "done" | "already"): void {
    this.#over();
    if (written === "done") count(this.#metrics, this.#receipt);
  }

  failed(): void {
    this.#over();
  }

  #over(): void {
    this.#metrics.storageQueue -= 1;
    this.#metrics.commitMs.observe(this.#clock() - this.#startedMs);
  }
}

/**
 * The same store, with what passes through it counted. Every request ends here with its receipt, so
 * nothing else need know that anybody counts.
 */
export function measuredStore<Of extends Store>(store: Of, metrics: Metrics, clock: Clock): Of {
  const { admission, ledger } = store;
  /** Counts what storage is asked for, and what of it is done. */
  const timed = async (work: Promise<AdmissionOutcome>) => {
    const startedMs = clock();
    metrics.storageQueue += 1;
    try {
      return admitted(await work);
    } finally {
      metrics.storageQueue -= 1;
      metrics.admitMs.observe(clock() - startedMs);
    }
  };
  const admitted = (outcome: AdmissionOutcome): AdmissionOutcome => {
    metrics.admissions.add(1, outcome.kind);
    return outcome;
  };
  metrics.holding = () => store.unsettled().length;
  return {
    ...store,
    admission: {
      admit(request, timeBudget) {
        const outcome = admission.admit(request, timeBudget);
        if (outcome instanceof Promise) return timed(outcome);
        // It was decided in memory: in less than can be measured.
        metrics.admitMs.observe(0);
        return admitted(outcome);
      },
      raise: (request, timeBudget) => admission.raise(request, timeBudget),
    },
    ledger: {
      ...ledger,
      settle(settlement, waitMs) {
        const startedMs = clock();
        const written = ledger.settle(settlement, waitMs);
        hear(written, new CountedEnd(metrics, clock, settlement.receipt, startedMs));
        return written;
      },
      refuse(receipt, counted) {
        // Nobody waits for the row of a refusal; it has happened all the same.
        count(metrics, receipt);
        return ledger.refuse(receipt, counted);
      },
    },
  };
}
