import type { NanoUsd } from "../../../catalogue/money.ts";
import type { Listener } from "../../../lib/threads/eventual.ts";
import type { Ending } from "./journal-queue.ts";
import type { OpenHold } from "./open-holds.ts";

/** How a hold ends. */
interface EndFacts {
  readonly hold: OpenHold;
  readonly line: string;
  readonly charged: NanoUsd;
  readonly atMs: number;
  readonly tokens: number;
}

/** Whoever takes what has ended off the books. */
export interface Ends {
  ended(end: EndFacts, record: number): void;
}

/** The end of a hold on its way to the disk. */
export class HoldEnd implements Ending, Listener<unknown> {
  readonly #ends: Ends;
  readonly #facts: EndFacts;

  constructor(ends: Ends, facts: EndFacts) {
    this.#ends = ends;
    this.#facts = facts;
  }

  get id(): string {
    return this.#facts.hold.id;
  }

  get line(): string {
    return this.#facts.line;
  }

  ended(record: number): void {
    this.#ends.ended(this.#facts, record);
  }

  came(): void {}

  /** Nothing was written: the hold is open as before. */
  failed(): void {
    this.#facts.hold.ending = undefined;
  }
}
