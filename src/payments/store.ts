import type { NanoUsd } from "../catalogue/money.ts";
import type { Balance } from "../ledger/books.ts";
import type { AutoTopUp } from "./auto-topup.ts";
import type { Batch, Code, CodeState, CodeStateName, NewCode } from "./code.ts";
import type { Dispute, DisputeStatus } from "./dispute.ts";
import type { Evidence, Order, ProviderName, Refund, RefundStatus } from "./order.ts";

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

interface TestAccount {
  readonly id: string;
  readonly orders: number;
}

export interface OrdersStore {
  add(order: Order): Promise<void>;
  /**
   * An automatic order, if the account has none open and the automatic ones since `sinceMs` leave
   * room for it below `max`.
   */
  addAutomatic(order: Order, max: NanoUsd, sinceMs: number): Promise<boolean>;
  find(id: string): Promise<Order | undefined>;
  /** Newest first; `after` is the last id of the page before. */
  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Order[]>;
  /** What the provider calls it and where it is paid. */
  refer(id: string, reference: string, checkoutUrl: string | null): Promise<void>;
  /**
   * Keeps the provider's word before anything is credited. False when the order is paid already, or
   * waits for the credit of another payment, or this payment belongs to another order.
   */
  confirm(id: string, evidence: Evidence, atMs: number): Promise<boolean>;
  /** The credit is in the ledger. */
  markPaid(id: string, atMs: number): Promise<void>;
  /** Ends an order nobody paid. False when it is not open any more. */
  close(id: string, status: "failed" | "expired", failure: string | null): Promise<boolean>;
  /** Closes what nobody paid; of checkouts at Stripe, which is asked, only what is far older. */
  closeOlder(createdBeforeMs: number, checkoutsBeforeMs: number): Promise<number>;
  /** Whether Stripe may be asked after the order now: only one of those who come within the rest. */
  takeLook(id: string, atMs: number, restMs: number): Promise<boolean>;
  /** Open checkouts at Stripe that were neither begun nor asked after since, the oldest first. */
  listSilent(sinceMs: number, limit: number): Promise<readonly Order[]>;
  findByPayment(provider: ProviderName, payment: string): Promise<Order | undefined>;
  /** Orders whose credit is owed. */
  listOwed(): Promise<readonly Order[]>;
  listOpenAutomatic(): Promise<readonly Order[]>;
  /**
   * Orders of an account that Stripe was paid for and that have something left to refund. One whose
   * payment is disputed has not: the bank takes it back already.
   */
  listRefundable(accountId: string): Promise<readonly Order[]>;
  /** Paid test orders: of one account, oldest first. */
  listTest(accountId: string): Promise<readonly Order[]>;
  /** Accounts that ever had any, and how many. */
  listTestAccounts(): Promise<readonly TestAccount[]>;
}

export interface RefundsStore {
  /** Sets the amount aside in its order. False when the order has not that much left. */
  reserve(refund: Refund): Promise<boolean>;
  find(id: string): Promise<Refund | undefined>;
  list(accountId: string, limit: number): Promise<readonly Refund[]>;
  listOpen(): Promise<readonly Refund[]>;
  /**
   * False when it was not in the state `from`. Failure gives the order its amount back. One that is to
   * return is kept as far as a dispute of its order found too little left; while a dispute is about
   * to take, it cannot be told how far, and the answer is false as well.
   */
  move(
    id: string,
    from: RefundStatus,
    to: RefundStatus,
    facts?: { readonly reference?: string; readonly failure?: string },
  ): Promise<boolean>;
}

export interface DisputesStore {
  /** False when it is there already. */
  add(dispute: Dispute): Promise<boolean>;
  find(id: string): Promise<Dispute | undefined>;
  /** Sets another amount to be taken. False when it is not `from` any more, or has been taken. */
  plan(id: string, from: NanoUsd, to: NanoUsd): Promise<boolean>;
  /** False when it was not in the state `from`. */
  move(id: string, from: DisputeStatus, to: DisputeStatus): Promise<boolean>;
  listOpen(): Promise<readonly Dispute[]>;
}

export interface Reversal {
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  readonly charged: NanoUsd;
  readonly createdAtMs: number;
}

export interface ReversalsStore {
  /** False while another one of the account is open, or when there are not `counted` any more. */
  add(reversal: Reversal, counted: number): Promise<boolean>;
  finish(id: string, status: "done" | "failed"): Promise<void>;
  listOpen(): Promise<readonly Reversal[]>;
  /** Those that happened or may have, oldest first. */
  listCounted(accountId: string): Promise<readonly Reversal[]>;
}

export interface CodesPage {
  readonly state?: CodeStateName | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface CodesStore {
  addBatch(batch: Batch, codes: readonly NewCode[]): Promise<void>;
  findBatch(id: string): Promise<Batch | undefined>;
  /** Newest first. */
  listBatches(after: string | undefined, limit: number): Promise<readonly Batch[]>;
  listCodes(batchId: string, onlyUnused: boolean): Promise<readonly CodeState[]>;
  /** Some of them, in the order of their ids. */
  pageOfCodes(batchId: string, page: CodesPage): Promise<readonly CodeState[]>;
  find(hash: string): Promise<Code | undefined>;
  /** Takes the code for the account, in one statement. Undefined when it cannot be taken. */
  take(
    hash: string,
    accountId: string,
    atMs: number,
    person?: string | undefined,
  ): Promise<Code | undefined>;
  /** Ends codes of a batch that nobody has taken: one of them, or all. How many there were. */
  revoke(batchId: string, codeId: string | undefined, atMs: number): Promise<number>;
  markCredited(id: string): Promise<void>;
  /** Codes that were taken until then and whose credit is owed. */
  listOwed(takenUntilMs: number): Promise<readonly Code[]>;
}

/**
 * What happens by itself changes only what it is about: whoever switches automatic top-up off at the
 * same moment finds it off.
 */
export interface AutoTopUpStore {
  find(accountId: string): Promise<AutoTopUp | undefined>;
  /** What somebody has chosen. */
  save(settings: AutoTopUp): Promise<void>;
  /** False when this is not the session that was begun last. */
  keepCard(accountId: string, setup: string, method: string): Promise<boolean>;
  /** Nobody saves a card in this session any more. */
  endSetup(accountId: string, setup: string): Promise<void>;
  /** Switched off by what happened. */
  suspend(accountId: string, reason: string): Promise<void>;
  /** Counts a refusal, and switches off at the last of so many. What it has become. */
  refuse(
    accountId: string,
    refusal: { readonly reason: string; readonly restsUntilMs: number; readonly max: number },
  ): Promise<AutoTopUp | undefined>;
  /** Not charged before then, through no fault of the card. */
  rest(accountId: string, untilMs: number): Promise<void>;
  /** The card was charged, so earlier refusals count no more. */
  forgive(accountId: string): Promise<void>;
  /** Those that are switched on, have a card, and do not rest after a refusal. */
  listDue(nowMs: number): Promise<readonly AutoTopUp[]>;
}

export interface PaymentsStore {
  readonly orders: OrdersStore;
  readonly refunds: RefundsStore;
  readonly disputes: DisputesStore;
  readonly reversals: ReversalsStore;
  readonly codes: CodesStore;
  readonly autoTopUps: AutoTopUpStore;
}
