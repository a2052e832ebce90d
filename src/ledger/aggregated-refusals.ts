import type { Receipt } from "./receipt.ts";
import type { RefusalCount } from "./store.ts";

const MINUTE_MS = 60_000;

/** The part of an aggregated refusal that is not written yet. */
interface Part {
  readonly receipt: Receipt;
  readonly count: RefusalCount;
}

/**
 * Refusals of one key for one reason in one minute that share a receipt. While a part of them is
 * being written, the next one gathers. So a client that sends faster than storage writes makes the parts larger,
 * not more.
 */
export class AggregatedRefusal {
  readonly #first: Receipt;
  #waiting = 0;
  #counted = 0;
  #max = 0;
  #lastAtMs = 0;
  #writing = false;

  constructor(first: Receipt) {
    this.#first = first;
  }

  get receiptId(): string {
    return this.#first.requestId;
  }

  add({ createdAtMs, durationMs }: Receipt, { requests, max }: RefusalCount): void {
    this.#waiting += 1;
    this.#counted += requests;
    this.#max = max;
    this.#lastAtMs = Math.max(this.#lastAtMs, createdAtMs + durationMs);
  }

  /** Writes what waits, until nothing does, unless that is being done already. */
  async write(part: (part: Part) => Promise<void>): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    try {
      while (this.#waiting > 0) await part(this.#take());
    } finally {
      this.#writing = false;
    }
  }

  #take(): Part {
    const receipt = { ...this.#first, requests: this.#waiting, lastAtMs: this.#lastAtMs };
    const count = { requests: this.#counted, max: this.#max };
    this.#waiting = 0;
    this.#counted = 0;
    return { receipt, count };
  }
}

/** Refusals for one reason within the minute. */
interface Tally {
  receipts: number;
  aggregate: AggregatedRefusal | undefined;
}

/** Gives the first refusals of a minute a receipt each, and aggregates further ones into one receipt. */
export class AggregatedRefusals {
  readonly #receiptsMax: number;
  readonly #tallies = new Map<string, Tally>();
  #minute = 0;

  constructor(receiptsMax: number) {
    this.#receiptsMax = receiptsMax;
  }

  /** The aggregate that a refusal belongs to; undefined if it gets a receipt of its own. */
  aggregateOf(receipt: Receipt): AggregatedRefusal | undefined {
    this.#startMinute(Math.floor((receipt.createdAtMs + receipt.durationMs) / MINUTE_MS));
    const name = `${receipt.keyId} ${receipt.errorCode}`;
    const tally = this.#tallies.get(name) ?? { receipts: 0, aggregate: undefined };
    this.#tallies.set(name, tally);
    if (tally.receipts < this.#receiptsMax) {
      tally.receipts += 1;
      return undefined;
    }
    tally.aggregate ??= new AggregatedRefusal(receipt);
    return tally.aggregate;
  }

  /** Forgets the former minute, so that keys do not pile up. */
  #startMinute(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#tallies.clear();
  }
}
