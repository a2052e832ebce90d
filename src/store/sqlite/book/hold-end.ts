import type { NanoUsd } from "../../../catalogue/money.ts";
import type { TokensUsed } from "../../../ledger/receipt.ts";
import type { Listener } from "../../../lib/threads/deferred.ts";
import type { ReceiptRow } from "../../rows.ts";
import type { Ending } from "./journal-queue.ts";
import type { OpenHold } from "./open-holds.ts";

/** How a hold ends. */
interface EndFacts {
  readonly hold: OpenHold;
  readonly row: ReceiptRow;
  readonly line: string;
  readonly charged: NanoUsd;
  readonly atMs: number;
  readonly tokens: TokensUsed | undefined;
}

/** Whoever takes what has ended off the books. */
export interface Ends {
  ended(end: EndFacts, record: number): void;
}

/** The end of a hold on its way to the disk. */
export class HoldEnd implements EndFacts, Ending, Listener<unknown> {
  readonly #ends: Ends;
  readonly hold: OpenHold;
  readonly row: ReceiptRow;
  readonly line: string;
  readonly charged: NanoUsd;
  readonly atMs: number;
  readonly tokens: TokensUsed | undefined;

  constructor(ends: Ends, { hold, row, line, charged, atMs, tokens }: EndFacts) {
    this.#ends = ends;
    this.hold = hold;
    this.row = row;
    this.line = line;
    this.charged = charged;
    this.atMs = atMs;
    this.tokens = tokens;
  }

  get id(): string {
    return this.hold.id;
  }

  ended(record: number): void {
    this.#ends.ended(this, record);
  }

  came(): void {}

  /** Nothing was written: the hold is open as before. */
  failed(): void {
    this.hold.ending = undefined;
  }
}
