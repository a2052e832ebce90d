import type { Limits } from "../config/config.ts";

const BUCKETS = 10;

interface HealthStatus {
  readonly state: "ok" | "cooled" | "trial";
  readonly cooledUntilMs: number | undefined;
  /** Within the window. */
  readonly attempts: number;
  readonly faults: number;
}

/** Counts attempts and faults of the last while, in steps: the cost does not grow with the traffic. */
export class Window {
  readonly #bucketMs: number;
  readonly #attempts = new Uint32Array(BUCKETS);
  readonly #faults = new Uint32Array(BUCKETS);
  #newest = 0;

  constructor(windowMs: number) {
    this.#bucketMs = Math.max(1, Math.ceil(windowMs / BUCKETS));
  }

  #moveTo(nowMs: number): number {
    const bucket = Math.floor(nowMs / this.#bucketMs);
    const from = Math.max(this.#newest + 1, bucket - BUCKETS + 1);
    for (let passed = from; passed <= bucket; passed++) {
      this.#attempts[passed % BUCKETS] = 0;
      this.#faults[passed % BUCKETS] = 0;
    }
    this.#newest = Math.max(this.#newest, bucket);
    return this.#newest % BUCKETS;
  }

  addAttempt(nowMs: number): void {
    const at = this.#moveTo(nowMs);
    this.#attempts[at] = (this.#attempts[at] ?? 0) + 1;
  }

  /** Of an attempt that was added, now or before. */
  addFault(nowMs: number): void {
    const at = this.#moveTo(nowMs);
    this.#faults[at] = (this.#faults[at] ?? 0) + 1;
  }

  /** No more faults than attempts, though an attempt may be out of the window when its fault comes. */
  counts(nowMs: number): { attempts: number; faults: number } {
    this.#moveTo(nowMs);
    const sum = (counts: Uint32Array) => counts.reduce((total, count) => total + count, 0);
    const attempts = sum(this.#attempts);
    return { attempts, faults: Math.min(sum(this.#faults), attempts) };
  }

  clear(): void {
    this.#attempts.fill(0);
    this.#faults.fill(0);
  }
}

/**
 * Whether a channel can be trusted with requests. Too many faults cool it; then one request at a time
 * tries it, and the first that is answered brings it back.
 */
export class ChannelHealth {
  readonly #limits: Limits;
  readonly #window: Window;
  #state: HealthStatus["state"] = "ok";
  #cooledUntilMs = 0;
  /** While a trial runs. It has an end, so that one whose outcome is never told blocks nothing. */
  #trialUntilMs = 0;
  readonly #modelsCooledUntilMs = new Map<string, number>();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#window = new Window(limits.channel_window_ms);
  }

  /** When a request for the model may go there: a moment that is past, or one to come. */
  opensAtMs(model: string): number {
    const modelAtMs =
      this.#modelsCooledUntilMs.size === 0 ? 0 : (this.#modelsCooledUntilMs.get(model) ?? 0);
    if (this.#state === "ok") return modelAtMs;
    return Math.max(modelAtMs, this.#cooledUntilMs, this.#trialUntilMs);
  }

  /** A request goes there. Returns whether it is the one on trial. */
  begin(nowMs: number): boolean {
    if (this.#state === "ok") return false;
    this.#state = "trial";
    this.#trialUntilMs = nowMs + this.#limits.channel_cooldown_ms;
    return true;
  }

  /** The vendor answered, be it with a refusal that is not its fault. */
  answered(nowMs: number, onTrial: boolean): void {
    if (onTrial) this.#recover();
    if (this.#state === "ok") this.#window.addAttempt(nowMs);
  }

  /** The vendor failed. */
  faulted(nowMs: number, onTrial: boolean): void {
    if (onTrial) this.#cool(nowMs);
    if (this.#state !== "ok") return;
    this.#window.addAttempt(nowMs);
    this.#countFault(nowMs);
  }

  /** The vendor failed in the middle of an answer, which is counted as an attempt already. */
  brokeOff(nowMs: number): void {
    if (this.#state === "ok") this.#countFault(nowMs);
  }

  #countFault(nowMs: number): void {
    this.#window.addFault(nowMs);
    const { channel_attempts_min, channel_fault_percent } = this.#limits;
    const { attempts, faults } = this.#window.counts(nowMs);
    if (attempts < channel_attempts_min) return;
    if (faults * 100 > attempts * channel_fault_percent) this.#cool(nowMs);
  }

  /** The outcome says nothing about the vendor. */
  released(onTrial: boolean): void {
    if (onTrial && this.#state === "trial") this.#trialUntilMs = 0;
  }

  /** Whether it fails so seldom that requests can be moved here from elsewhere without a thought. */
  isWell(nowMs: number): boolean {
    return this.#failsSeldom(nowMs, 0);
  }

  /** Whether a fault of this moment is a single one: it would be well without it. */
  isWellButForOne(nowMs: number): boolean {
    return this.#failsSeldom(nowMs, 1);
  }

  #failsSeldom(nowMs: number, forgiven: number): boolean {
    const { attempts, faults } = this.#window.counts(nowMs);
    const { retry_budget_percent } = this.#limits;
    return (
      this.#state === "ok" &&
      (faults - forgiven) * 100 <= (attempts - forgiven) * retry_budget_percent
    );
  }

  /** Whether it failed so often that it is cooled, or on trial since. */
  get isDown(): boolean {
    return this.#state !== "ok";
  }

  get cooled(): boolean {
    return this.#state === "cooled";
  }

  /**
   * A question beside the traffic was answered: it may be tried at once. One that was not says little,
   * as a vendor may serve without it; the rest ends when it would have.
   */
  probed(nowMs: number, alive: boolean): void {
    if (this.#state !== "cooled" || !alive) return;
    this.#state = "trial";
    this.#cooledUntilMs = nowMs;
  }

  /** Whoever runs the channel says that it can be used again. */
  revive(): void {
    this.#modelsCooledUntilMs.clear();
    this.#recover();
  }

  coolModel(model: string, nowMs: number): void {
    this.#modelsCooledUntilMs.set(model, nowMs + this.#limits.channel_cooldown_ms);
  }

  #cool(nowMs: number): void {
    this.#state = "cooled";
    this.#cooledUntilMs = nowMs + this.#limits.channel_cooldown_ms;
    this.#trialUntilMs = 0;
  }

  #recover(): void {
    this.#state = "ok";
    this.#cooledUntilMs = 0;
    this.#trialUntilMs = 0;
    // What it was cooled for is over; otherwise the next single fault would cool it again.
    this.#window.clear();
  }

  status(nowMs: number): HealthStatus {
    const cooledUntilMs = this.#state === "cooled" ? this.#cooledUntilMs : undefined;
    return { state: this.#state, cooledUntilMs, ...this.#window.counts(nowMs) };
  }
}
