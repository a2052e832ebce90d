import { type Clock, every, systemClock } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

/** How often a storage in doubt is asked whether it works, and spoken of. */
const LOOK_MS = 1_000;
const REMIND_MS = 10_000;
/** So many proofs with the same outcome, one after another, change the state. */
const PROOFS = 2;

interface Failure {
  readonly operation: string;
  readonly reason: string;
}

interface Outage {
  readonly sinceMs: number;
  saidMs: number;
  /** What has failed since it began, and the last reason. */
  failures: number;
  reason: string;
}

/**
 * Whether storage is up: one state, by which `/readyz`, the log and the metric go. It is down after two proofs that failed, or
 * with one settlement that is too old, and up after two proofs that succeeded while no settlement is too old. Any other
 * failure is a reason to ask for proofs, and no more: it may be the matter of one account.
 */
export class StorageHealth {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #look: () => void;
  readonly #clock: Clock;
  #stopLooking: (() => void) | undefined;
  /** Proofs with the same outcome, one after another. */
  #failed = 0;
  #succeeded = 0;
  /** Settlements that are too old. */
  #old = 0;
  #outage: Outage | undefined;
  /** Failures while storage was up, since they were told last. */
  #unsaid = 0;
  #saidMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** `look` asks for a proof, the outcome of which is told here. */
  constructor(
    log: Log,
    metrics: Metrics,
    look: () => void,
    clock: Clock = () => performance.now(),
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#look = look;
    // Dashboards find these before there is anything to count.
    for (const operation of ["admission", "settlement"]) metrics.storageFailures.add(0, operation);
  }

  /** Why storage is down; undefined while it is up. */
  get downFor(): string | undefined {
    return this.#outage?.reason;
  }

  /** Something that was asked of storage has failed, or has had no answer in time. */
  failed(operation: string, reason: string): void {
    this.#metrics.storageFailures.add(1, operation);
    if (this.#outage) {
      this.#outage.failures += 1;
      this.#outage.reason = reason;
    } else {
      this.#tell({ operation, reason });
    }
    this.suspect();
  }

  /** Storage is slow, or has failed: asks for proofs until two of them succeed. */
  suspect(): void {
    if (this.#stopLooking || this.#isClosed) return;
    this.#succeeded = 0;
    this.#stopLooking = every(LOOK_MS, () => {
      this.#look();
      this.#remind();
    });
    this.#look();
  }

  /** The outcome of a proof. */
  proved(failure?: Error): void {
    if (this.#isClosed) return;
    if (failure) {
      this.#metrics.storageFailures.add(1, "proof");
      this.suspect();
      this.#succeeded = 0;
      this.#failed += 1;
      if (this.#failed >= PROOFS) this.#down({ operation: "proof", reason: failure.message });
      return;
    }
    this.#failed = 0;
    this.#succeeded += 1;
    if (this.#succeeded < PROOFS || this.#old > 0) return;
    this.#rest();
    this.#up();
  }

  /** A settlement has waited for storage for too long. */
  grewOld(ms: number): void {
    this.#old += 1;
    this.suspect();
    const reason = `a settlement has waited for ${Math.round(ms)} ms`;
    this.#down({ operation: "settlement", reason });
  }

  /** Such a settlement waits no more. */
  ended(): void {
    this.#old -= 1;
  }

  /** Nothing is told any more. */
  close(): void {
    this.#isClosed = true;
    this.#rest();
  }

  #down({ operation, reason }: Failure): void {
    if (this.#outage || this.#isClosed) return;
    const nowMs = this.#clock();
    this.#outage = { sinceMs: nowMs, saidMs: nowMs, failures: 0, reason };
    this.#succeeded = 0;
    this.#metrics.storageUp = false;
    this.#metrics.storageOutage = { sinceMs: systemClock(), reason };
    this.#log.error("storage_failed", { operation, reason });
  }

  #up(): void {
    const outage = this.#outage;
    if (!outage) return;
    this.#outage = undefined;
    this.#metrics.storageUp = true;
    this.#metrics.storageOutage = undefined;
    const { failures } = outage;
    this.#log.warn("storage_recovered", { failures, seconds: this.#secondsOf(outage) });
  }

  /** Tells a failure while storage is up: the first at once, later ones now and then with a count. */
  #tell({ operation, reason }: Failure): void {
    this.#unsaid += 1;
    const nowMs = this.#clock();
    if (this.#isClosed || nowMs - this.#saidMs < REMIND_MS) return;
    this.#saidMs = nowMs;
    this.#log.warn("storage_refused", { operation, reason, times: this.#unsaid });
    this.#unsaid = 0;
  }

  #remind(): void {
    const outage = this.#outage;
    if (!outage || this.#clock() - outage.saidMs < REMIND_MS) return;
    outage.saidMs = this.#clock();
    const { failures, reason } = outage;
    const seconds = this.#secondsOf(outage);
    this.#log.error("storage_still_failing", { failures, seconds, reason });
  }

  #rest(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #secondsOf({ sinceMs }: Outage): number {
    return Math.round((this.#clock() - sinceMs) / 1_000);
  }
}
