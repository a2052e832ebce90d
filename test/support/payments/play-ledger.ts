// A ledger in memory that does what the real one promises, and can lose its answers on demand.
import type { Balance } from "../../../src/ledger/books.ts";
import { StorageError } from "../../../src/lib/faults.ts";
import type { LedgerEntry, LedgerMoves, PaymentLedger } from "../../../src/payments/store.ts";

interface Funds {
  credited: bigint;
  charged: bigint;
  held: bigint;
}

interface Entry {
  readonly id: string;
  readonly accountId: string;
  readonly kind: LedgerEntry["kind"];
  readonly amount: bigint;
}

export class PlayLedger implements PaymentLedger {
  readonly entries: Entry[] = [];
  readonly #funds = new Map<string, Funds>();
  #faults: ("before" | "after")[] = [];
  #pause: (() => Promise<unknown>) | undefined;
  #wake: (() => Promise<unknown>) | undefined;
  #settled = 0n;

  open(accountId: string): void {
    this.#funds.set(accountId, { credited: 0n, charged: 0n, held: 0n });
  }

  /** The next change fails, before it has happened or after. */
  failNext(when: "before" | "after"): void {
    this.#faults.push(when);
  }

  /** What happens elsewhere before the next debit, which has been asked for by then. */
  meanwhile(work: () => Promise<unknown>): void {
    this.#pause = work;
  }

  /** What happens elsewhere after the next debit, before whoever asked for it hears its answer. */
  afterwards(work: () => Promise<unknown>): void {
    this.#wake = work;
  }

  /** From now on so much of what is held is used behind each look at a balance, until nothing is held. */
  settleAfterLooks(amount: bigint): void {
    this.#settled = amount;
  }

  charge(accountId: string, amount: bigint): void {
    this.#of(accountId).charged += amount;
  }

  hold(accountId: string, amount: bigint): void {
    this.#of(accountId).held += amount;
  }

  /** Of all entries that move money. */
  kinds(accountId: string): string[] {
    return this.entries
      .filter((entry) => entry.accountId === accountId && entry.amount !== 0n)
      .map(({ kind }) => kind);
  }

  /** What is in the balance: the sum of entries, less what was charged. */
  left(accountId: string): bigint {
    const { credited, charged } = this.#of(accountId);
    return credited - charged;
  }

  #of(accountId: string): Funds {
    const funds = this.#funds.get(accountId);
    if (!funds) throw new Error(`no account ${accountId}`);
    return funds;
  }

  #change<T>(work: () => T): T {
    const fault = this.#faults.shift();
    if (fault === "before") throw new StorageError("lost before");
    const result = work();
    if (fault === "after") throw new StorageError("lost after");
    return result;
  }

  async credit(credit: Parameters<PaymentLedger["credit"]>[0]): Promise<boolean> {
    return this.#change(() => {
      const funds = this.#of(credit.accountId);
      if (this.entries.some(({ id }) => id === credit.id)) return false;
      this.entries.push(credit);
      funds.credited += credit.amount;
      return true;
    });
  }

  async debit(
    ...[id, accountId, amount, kind]: Parameters<LedgerMoves["debit"]>
  ): ReturnType<LedgerMoves["debit"]> {
    const meanwhile = this.#pause;
    this.#pause = undefined;
    await meanwhile?.();
    const afterwards = this.#wake;
    this.#wake = undefined;
    const outcome = this.#change(() => {
      const funds = this.#of(accountId);
      const before = this.#taken(id);
      if (before !== undefined) return before > 0n ? "already" : "short";
      if (funds.credited - funds.charged - funds.held < amount) return "short";
      this.entries.push({ id, accountId, kind, amount: -amount });
      funds.credited -= amount;
      return "done";
    });
    await afterwards?.();
    return outcome;
  }

  async closeDebit(
    ...[id, accountId, kind]: Parameters<LedgerMoves["closeDebit"]>
  ): ReturnType<LedgerMoves["closeDebit"]> {
    return this.#change(() => {
      const before = this.#taken(id);
      if (before === undefined) this.entries.push({ id, accountId, kind, amount: 0n });
      return before ?? 0n;
    });
  }

  /** What was taken under an id; undefined where there is no entry. */
  #taken(id: string): bigint | undefined {
    const entry = this.entries.find((each) => each.id === id);
    return entry && -entry.amount;
  }

  async latestEntries(
    ...[accountId, limit, seq = Number.POSITIVE_INFINITY]: Parameters<
      PaymentLedger["latestEntries"]
    >
  ): ReturnType<PaymentLedger["latestEntries"]> {
    const entries = this.entries
      .map(({ amount, ...entry }, at) => ({
        ...entry,
        seq: at,
        amount: amount < 0n ? -amount : amount,
      }))
      .filter((entry) => entry.accountId === accountId && entry.seq < seq);
    return { credited: this.#of(accountId).credited, entries: entries.reverse().slice(0, limit) };
  }

  async accountOfEntry(id: string): Promise<string | undefined> {
    return this.entries.find((each) => each.id === id)?.accountId;
  }

  async balance(accountId: string): Promise<Balance | undefined> {
    const funds = this.#funds.get(accountId);
    const seen = funds && { ...funds, running: 0n, trialOnly: false };
    if (funds && funds.held >= this.#settled) {
      funds.held -= this.#settled;
      funds.charged += this.#settled;
    }
    return seen;
  }
}
