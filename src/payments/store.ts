import type { NanoUsd } from "../catalogue/money.ts";
import type { Balance, Credit, Debit } from "../ledger/books.ts";

/** Money that leaves a balance other than by use. */
export interface LedgerMoves {
  /**
   * Takes `amount` from what the account has free, by one entry, in one transaction with the
   * balance. "already" when an entry with this id is there, whatever its amount. "short" when
   * balance − held is less than the amount, or when the id was closed before anything was taken: nothing has
   * happened then. A debit lowers what counts as credited and leaves what counts as charged alone.
   */
  debit(
    id: string,
    accountId: string,
    amount: NanoUsd,
    kind: "refund" | "reversal",
    note: string,
  ): Promise<"done" | "already" | "short">;
  /**
   * Resolves to what was taken under this id. Where that is nothing, nothing will be: whoever is about to debit it finds
   * it short. So what is given up cannot be debited a moment later by somebody who dies before they say so.
   */
  closeDebit(
    id: string,
    accountId: string,
    kind: "refund" | "reversal",
    note: string,
  ): Promise<NanoUsd>;
}

/** A credit or a debit, as it stands in the ledger; the amount is never negative. */
export interface LedgerEntry {
  readonly seq: number;
  readonly id: string;
  readonly kind: Credit["kind"] | Debit["kind"];
  readonly amount: NanoUsd;
}

interface LatestEntries {
  /** What all credits and debits of the account come to at the moment at which the entries were read. */
  readonly credited: NanoUsd;
  readonly entries: readonly LedgerEntry[];
}

/** What payments ask of the ledger. */
export interface PaymentLedger extends LedgerMoves {
  /** False when this credit's id was there already; throws for an unknown account. */
  credit(credit: Credit): Promise<boolean>;
  balance(accountId: string): Promise<Balance | undefined>;
  /** The account that has the credit or debit of this id, also of one that was closed; undefined where there is none. */
  accountOfEntry(id: string): Promise<string | undefined>;
  /** Credits and debits of an account, the latest first, by the order in which they were written; those before `seq`. */
  latestEntries(accountId: string, limit: number, seq?: number): Promise<LatestEntries>;
}
