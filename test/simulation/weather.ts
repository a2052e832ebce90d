import { StorageError } from "../../src/lib/faults.ts";
import type { Dice } from "./dice.ts";
import type { VirtualTime } from "./time.ts";

interface Outage {
  readonly fromMs: number;
  toMs: number;
}

const LOST_REPLIES = 0.02;

/** When storage is there, how long it takes, and when its answers are lost. */
export class Weather {
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  readonly #latencyMs: number;
  readonly #outages: Outage[] = [];
  readonly #lostAtMs: number[] = [];
  #out: Outage | undefined;

  constructor(time: VirtualTime, dice: Dice) {
    this.#time = time;
    this.#dice = dice;
    this.#latencyMs = dice.between(1, 5);
  }

  /** Now and then storage goes away and comes back. */
  plan(untilMs: number): void {
    for (let atMs = this.#gapMs(); atMs < untilMs; atMs += this.#gapMs()) {
      const longMs = this.#dice.chance(0.6) ? 12_000 : 2_000;
      const lastsMs = this.#dice.between(50, longMs);
      this.#time.after(atMs, () => this.#goOut());
      this.#time.after(atMs + lastsMs, () => this.#comeBack());
    }
  }

  #gapMs(): number {
    return this.#dice.between(5_000, 45_000);
  }

  #goOut(): void {
    if (this.#out) return;
    this.#out = { fromMs: this.#time.clock(), toMs: Number.POSITIVE_INFINITY };
    this.#outages.push(this.#out);
  }

  #comeBack(): void {
    if (this.#out) this.#out.toMs = this.#time.clock();
    this.#out = undefined;
  }

  check(): void {
    if (this.#out) throw new StorageError("storage is out");
  }

  /** A write on its way to the disk. */
  async pass(): Promise<void> {
    this.check();
    await this.#time.sleep(this.#latencyMs);
    this.check();
  }

  /** The answer to a write on its way back. */
  reply(): void {
    if (!this.#dice.chance(LOST_REPLIES)) return;
    this.#lostAtMs.push(this.#time.clock());
    throw new StorageError("the reply was lost");
  }

  /** Whether storage was out at any time between the two. */
  wasOut(fromMs: number, toMs: number): boolean {
    return this.#outages.some((outage) => outage.fromMs <= toMs && outage.toMs >= fromMs);
  }

  /** Whether the answer to a write was lost between the two. */
  lostReply(fromMs: number, toMs: number): boolean {
    return this.#lostAtMs.some((atMs) => fromMs <= atMs && atMs <= toMs);
  }
}
