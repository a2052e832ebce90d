import { type Clock, every } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

/** How often a storage that fails is asked whether it works again, and spoken of. */
const LOOK_MS = 1_000;
const REMIND_MS = 10_000;

interface Outage {
  readonly sinceMs: number;
  readonly stopLooking: () => void;
  saidMs: number;
  /** What has failed since it began, and the last reason. */
  failures: number;
  reason: string;
}

/**
 * Tells of outages: of the first failure at once, then now and then with a count, and of the end, which is
 * when the books have been written to again. All failures of storage are told here, and nowhere else.
 */
export class StorageHealth {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #prove: () => Promise<void>;
  readonly #clock: Clock;
  #outage: Outage | undefined;
  #isClosed = false;

  /** `prove` writes to the books, and says here whether it worked. */
  constructor(
    log: Log,
    metrics: Metrics,
    prove: () => Promise<void>,
    clock: Clock = () => performance.now(),
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#prove = prove;
    // Whoever watches these finds them before there is anything to count.
    for (const operation of ["admission", "settlement"]) metrics.storageFailures.add(0, operation);
  }

  /** Something that was asked of storage has failed, or has had no answer in time. */
  failed(operation: string, reason: string): void {
    this.#metrics.storageFailures.add(1, operation);
    this.suspect(operation, reason);
    if (this.#outage) this.#outage.failures += 1;
  }

  /** The same of what has not failed yet. */
  suspect(operation: string, reason: string): void {
    const nowMs = this.#clock();
    if (this.#outage) {
      this.#outage.reason = reason;
      return;
    }
    if (this.#isClosed) return;
    const stopLooking = every(LOOK_MS, () => void this.#look());
    this.#outage = { sinceMs: nowMs, saidMs: nowMs, stopLooking, failures: 0, reason };
    this.#metrics.storageUp = false;
    this.#log.error("storage_failed", { operation, reason });
  }

  get isOut(): boolean {
    return this.#outage !== undefined;
  }

  /** Nothing is told any more. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #look(): Promise<void> {
    await this.#prove().catch(() => {});
    this.#remind();
  }

  /** The books have been written to since it began. */
  worked(): void {
    const outage = this.#outage;
    if (!outage) return;
    this.#end();
    this.#metrics.storageUp = true;
    const { failures } = outage;
    this.#log.warn("storage_recovered", { failures, seconds: this.#secondsOf(outage) });
  }

  #remind(): void {
    const outage = this.#outage;
    if (!outage || this.#clock() - outage.saidMs < REMIND_MS) return;
    outage.saidMs = this.#clock();
    const { failures, reason } = outage;
    const seconds = this.#secondsOf(outage);
    this.#log.error("storage_still_failing", { failures, seconds, reason });
  }

  #end(): void {
    this.#outage?.stopLooking();
    this.#outage = undefined;
  }

  #secondsOf({ sinceMs }: Outage): number {
    return Math.round((this.#clock() - sinceMs) / 1_000);
  }
}
