import type { NanoUsd } from "../catalogue/money.ts";
import type { Books, ClosedDebit, Credit, Debit, Verification } from "./books.ts";
import type { Receipt, Settlement } from "./receipt.ts";

/** How many requests of a refusal count, and how many its key may make in a minute. */
export interface RefusalCount {
  readonly requests: number;
  readonly max: number;
}

/** Holds of an instance that is gone, which have been voided. */
export interface Recovery {
  /** Null where there is never more than one. */
  readonly instance: string | null;
  readonly holds: number;
}

export interface LedgerStore extends Books {
  /**
   * Resolves once the settlement is on disk. "already" when the hold was resolved before. Nobody waits for
   * longer than `waitMs`: what has not begun to be written by then is not written, and what is being written
   * may come to pass; the hold tells.
   */
  settle(settlement: Settlement, waitMs?: number): PromiseLike<"done" | "already">;
  /** What waits to be written of the end of this request is not to be written. */
  withdraw(requestId: string): void;
  /**
   * Its client is told now that nothing is charged. Where the charge comes on disk all the same and this process is
   * gone before it could give it back, whoever starts next gives it back, if the database is one that can be told so.
   */
  deny(requestId: string): void;
  /**
   * A zero-cost row for a request that was refused. One that stands for several is added to what is
   * there under its id. Resolves to how long the key must wait for its next request, in milliseconds;
   * zero where it need not.
   */
  refuse(receipt: Receipt, count?: RefusalCount): Promise<number>;
  /** False when this credit's id was there already; throws for an unknown account. */
  credit(credit: Credit): Promise<boolean>;
  /** "short" when less than that is left beside what is held, or its id is closed; then nothing has happened. */
  debit(debit: Debit): Promise<"done" | "already" | "short">;
  /** Resolves to what was debited under this id. Where that is nothing, nothing will be. */
  closeDebit(closed: ClosedDebit): Promise<NanoUsd>;
  /** Voids the open holds of processes that are gone; returns whose they were. */
  recover(): Promise<readonly Recovery[]>;
  verify(): Promise<Verification>;
}
