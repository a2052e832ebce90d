import type { NanoUsd } from "../catalogue/money.ts";
import type { Balance } from "../ledger/books.ts";

/** Money that leaves a balance other than by use. */
export interface LedgerMoves {
  /**
   * Takes `amount` from what the account has free, by one entry, in one transaction with the
   * balance. "already" when an entry with this id is there, whatever its amount. "short" when
   * balance − held is less than the amount: nothing has happened then. A debit lowers what counts as
   * credited and leaves what counts as charged alone.
   */
  debit(
    id: string,
    accountId: string,
    amount: NanoUsd,
    kind: "refund" | "reversal",
    note: string,
  ): Promise<"done" | "already" | "short">;
}

interface PaymentCredit {
  /** Idempotency key: the same id credits once. */
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  /** `test` is play money; `restore` gives back what a refund or a dispute took in vain. */
  readonly kind: "topup" | "test" | "restore";
  readonly note: string;
  readonly createdAtMs: number;
}

/** What payments ask of the ledger. */
export interface PaymentLedger extends LedgerMoves {
  /** False when this credit's id was there already; throws for an unknown account. */
  credit(credit: PaymentCredit): Promise<boolean>;
  balance(accountId: string): Promise<Balance | undefined>;
}
