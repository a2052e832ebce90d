import type { Database } from "bun:sqlite";
import type { Leeway } from "../../../accounts/account.ts";
import { judge, judgeRaise, limitOf } from "../../../admission/judge.ts";
import type {
  AdmissionOutcome,
  AdmissionRequest,
  ExceededScope,
  RaiseOutcome,
  RaiseRequest,
} from "../../../admission/request.ts";
import type { AdmissionStore } from "../../../admission/store.ts";
import type { Receipt, Settlement, TokensUsed } from "../../../ledger/receipt.ts";
import type { LedgerStore, RefusalCount } from "../../../ledger/store.ts";
import { type Clock, tickClock } from "../../../lib/clock.ts";
import { StorageError } from "../../../lib/faults.ts";
import { AT, type ReceiptRow, writeReceipt } from "../../rows.ts";
import type { BookName } from "../journal/journal.ts";
import { writeRecord } from "../journal/record.ts";
import { DayLosses } from "./day-losses.ts";
import { type Ends, HoldEnd } from "./hold-end.ts";
import type { HoldSlots, KeptHold } from "./hold-slots.ts";
import { type JournalPort, JournalQueue } from "./journal-queue.ts";
import type { BalanceBook, BudgetBook, KeyBook } from "./key-book.ts";
import { KeyBooks } from "./key-books.ts";
import { KeyLimits } from "./key-limits.ts";
import { LateEnds } from "./late-ends.ts";
import { OpenHold, OpenHolds } from "./open-holds.ts";
import { SecondLook } from "./second-look.ts";

type Ended = "done" | "already";
type Admitted = Extract<AdmissionOutcome, { kind: "admitted" }>;

const NOT_COUNTED: RefusalCount = { requests: 0, max: 0 };

function exceededBy(scope: BalanceBook | BudgetBook, asking: AdmissionRequest): ExceededScope {
  const { used } = scope;
  const max = limitOf(scope, asking);
  if (scope.kind === "balance") return { scope: "balance", used, max };
  const { period, resetsAtMs } = scope.row;
  return { scope: "budget", used, max, period, resetsAtMs };
}

function chargesNothing(row: ReceiptRow): StorageError {
  return new StorageError(`receipt ${row[AT.id]} says ${row[AT.cost]}, but nothing is charged`);
}

/** Of an account and a key, the one whose money somebody waits for. */
function waitedFor(blocked: ReadonlySet<string>, ...ids: readonly string[]): string | undefined {
  return ids.find((id) => blocked.has(id));
}

interface BookParts {
  /** Reads the file as it is now, at once. */
  readonly db: Database;
  readonly journal: JournalPort;
  readonly slots: HoldSlots | undefined;
  readonly clock: Clock;
}

/**
 * The money of the one process that keeps the books of a folder: who may spend what is judged in memory, at
 * once. What has ended is told when the journal has it on disk.
 */
export class MoneyBook
  implements AdmissionStore, Pick<LedgerStore, "settle" | "withdraw" | "deny" | "refuse">
{
  readonly keys: KeyBooks;
  readonly holds: OpenHolds;
  readonly losses: DayLosses;
  readonly #queue: JournalQueue;
  readonly #journal: JournalPort;
  /** Books whose windows are being read, since a clock was set. */
  readonly #turning = new Map<string, Promise<void>>();
  readonly #late: LateEnds;
  readonly #limits: KeyLimits;
  readonly #clock: Clock;
  readonly #second = new SecondLook({
    raise: (request, blocked) => this.#raiseNow(request, blocked),
    admit: (request, blocked) => this.#admitNow(request, blocked) as AdmissionOutcome,
  });

  constructor({ db, journal, slots, clock }: BookParts) {
    this.keys = new KeyBooks(db);
    this.losses = new DayLosses(db, clock);
    this.#limits = new KeyLimits(this.keys);
    this.holds = new OpenHolds(slots, journal);
    this.#clock = clock;
    this.#queue = new JournalQueue(journal, tickClock, () => this.#second.look());
    this.#journal = journal;
    const readAgain = (key: KeyBook) => this.#turnBack(key);
    const { keys, losses } = this;
    this.#late = new LateEnds({ db, queue: this.#queue, keys, losses, clock, readAgain });
  }

  /**
   * Brings keys to what the file says of them, as the answer comes and not later: it is of a moment between two groups of
   * records. How many of them it knows.
   */
  async readAgain(names: readonly BookName[]): Promise<number> {
    const states = await this.#journal.keyStates(names, this.#clock());
    this.keys.become(states);
    return states.length;
  }

  /** Where a clock was set, only the file knows what was used in the windows of now. */
  #turnBack(key: KeyBook): Promise<void> {
    const { id, balance } = key;
    const known = this.#turning.get(id);
    if (known) return known;
    const turning = this.readAgain([[balance.id, id]])
      .then((found) => {
        if (found === 0) throw new Error(`key ${id} of ${balance.id} has no sums`);
      })
      .catch((thrown) => {
        throw StorageError.from(thrown);
      })
      .finally(() => this.#turning.delete(id));
    this.#turning.set(id, turning);
    return turning;
  }

  #keyOf(accountId: string, keyId: string): KeyBook {
    return this.keys.of(accountId, keyId, this.#queue.applied);
  }

  admit(request: AdmissionRequest): AdmissionOutcome | Promise<AdmissionOutcome> {
    try {
      this.#queue.mustBeOpen();
      if (this.#queue.isDoubtful) return this.#admitInDoubt(request);
      return this.#admitNow(request, undefined);
    } catch (thrown) {
      return Promise.reject(StorageError.from(thrown));
    }
  }

  /** Nobody begins what could not be settled: the disk is asked first. */
  async #admitInDoubt(request: AdmissionRequest): Promise<AdmissionOutcome> {
    await this.#queue.prove();
    return this.#admitNow(request, undefined);
  }

  /**
   * At the first look, `blocked` is undefined, and who cannot go on waits a moment for what is being
   * settled. At the second it has the accounts and keys whose money somebody before waits for.
   */
  #admitNow(
    request: AdmissionRequest,
    blocked: Set<string> | undefined,
  ): AdmissionOutcome | Promise<AdmissionOutcome> {
    const { accountId, keyId } = request;
    if (this.holds.has(request.requestId)) throw new Error(`${request.requestId} is open already`);
    const nowMs = this.#clock();
    const key = this.#keyOf(accountId, keyId);
    if (!key.turn(nowMs)) return this.#admitTurned(request, key);
    const limited = this.#limits.refusal(request, key, nowMs);
    if (limited?.limit === "concurrency" && !blocked) return this.#later(request);
    // A key that has no request left does not wait longer for asking; any other refusal is a request.
    if (request.countRate && limited?.limit !== "requests") this.#limits.count(request, key, nowMs);
    if (limited) return limited;
    const verdict = judge(key.scopes, request);
    if (verdict.kind === "exceeded")
      return { kind: "exceeded", ...exceededBy(verdict.scope, request) };
    if (verdict.kind === "short") {
      const { scope, left, needed } = verdict;
      return { kind: "short", ...exceededBy(scope, request), left, needed };
    }
    if (verdict.kind === "wait") {
      const scopeId = verdict.scope.kind === "balance" ? accountId : keyId;
      if (!blocked) return this.#later({ ...request, countRate: false });
      blocked.add(scopeId);
      return { kind: "wait", scopeId };
    }
    const { allowance, left, lone, byBalance } = verdict;
    if (allowance > 0n) {
      if (!blocked && this.#second.isBlocked(accountId, keyId)) {
        return this.#later({ ...request, countRate: false });
      }
      const ahead = request.behind ?? (blocked && waitedFor(blocked, accountId, keyId));
      if (ahead !== undefined) return { kind: "wait", scopeId: ahead };
    }
    const taken = this.#limits.take(request, key, nowMs);
    const rates = this.#limits.snapshot(request, key, nowMs);
    const facts = {
      held: allowance,
      tight: allowance < request.worst,
      lone,
      byBalance,
      left,
      taken,
    };
    return this.#open(request, key, nowMs, { kind: "admitted", ...facts, rates });
  }

  async #admitTurned(request: AdmissionRequest, key: KeyBook): Promise<AdmissionOutcome> {
    await this.#turnBack(key);
    return this.admit(request);
  }

  #later(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const later = this.#second.admit(request);
    this.#queue.whenSettled(() => this.#second.look());
    return later;
  }

  #open(
    request: AdmissionRequest,
    key: KeyBook,
    nowMs: number,
    outcome: Admitted,
  ): Admitted | Promise<Admitted> {
    const kept: KeptHold = {
      id: request.requestId,
      account_id: request.accountId,
      key_id: request.keyId,
      amount: outcome.held,
      input_cost: request.inputCost,
      model: request.model,
      endpoint: request.endpoint,
      channel: request.channel,
      stream: Number(request.stream),
      created_at: nowMs,
    };
    const written = this.holds.open(new OpenHold(kept, key));
    return written ? this.#admittedOnce(written, key, outcome) : outcome;
  }

  /** A hold that has no slot is there once it has a row. Without that row its request has taken nothing. */
  async #admittedOnce(written: Promise<void>, key: KeyBook, outcome: Admitted): Promise<Admitted> {
    try {
      await written;
    } catch (thrown) {
      const { taken } = outcome;
      if (taken) this.keys.replaceTokens(key, { taken, used: 0 }, this.#clock());
      throw thrown;
    }
    return outcome;
  }

  async raise(request: RaiseRequest): Promise<RaiseOutcome> {
    this.#queue.mustBeOpen();
    const later = this.#second.raise(request);
    this.#queue.whenSettled(() => this.#second.look());
    return later;
  }

  #raiseNow(request: RaiseRequest, blocked: Set<string>): RaiseOutcome | Promise<RaiseOutcome> {
    const hold = this.holds.find(request.requestId);
    // One that holds nothing is free, and does not count as running.
    if (!hold || hold.ending || hold.amount === 0n) return { kind: "ended" };
    const { key } = hold;
    if (!key.turn(this.#clock())) return this.#turnBack(key).then(() => this.raise(request));
    const verdict = judgeRaise(key.scopes, hold.amount, request);
    if (verdict.kind === "wait") {
      const scopeId = verdict.scope.kind === "balance" ? key.balance.id : key.id;
      blocked.add(scopeId);
      return { kind: "wait", scopeId };
    }
    if (verdict.kind === "ended") return verdict;
    const written = this.holds.raise(hold, verdict.granted);
    return written ? written.then(() => verdict) : verdict;
  }

  settle({ kind, receipt, leeway, tokens }: Settlement): PromiseLike<Ended> {
    return this.end(kind, writeReceipt(receipt), tokens, leeway);
  }

  withdraw(requestId: string): void {
    this.#queue.withdraw(requestId);
  }

  deny(requestId: string): void {
    this.holds.deny(requestId);
  }

  /** Ends a hold, with the row of its receipt. */
  end(
    kind: "post" | "void",
    row: ReceiptRow,
    tokens: TokensUsed | undefined,
    leeway: Leeway | undefined,
  ): PromiseLike<Ended> {
    const charged = kind === "post" ? row[AT.cost] : 0n;
    if (row[AT.cost] !== charged) return Promise.reject(chargesNothing(row));
    const hold = this.holds.find(row[AT.id]);
    if (!hold) return this.#late.end(row, tokens, leeway);
    // Whoever was first decides; where that came to nothing, this one does.
    if (hold.ending) return this.#endAfter(hold.ending, () => this.end(kind, row, tokens, leeway));
    const { key } = hold;
    const { atMs, isSure } = key.post(this.#clock());
    const line = writeRecord({ kind, atMs, row });
    const ending = new HoldEnd(this.#ends, { hold, row, line, charged, atMs, tokens });
    const written = this.#queue.write(ending);
    hold.ending = written;
    written.hear(ending);
    return isSure ? written : this.#endAndTurn(written.promise(), key);
  }

  async #endAfter(first: PromiseLike<unknown>, end: () => PromiseLike<Ended>): Promise<Ended> {
    try {
      await first;
    } catch {
      return end();
    }
    return "already";
  }

  /** Where the windows cannot be read, what is settled is told all the same: whoever is judged next has it tried again. */
  async #endAndTurn<T>(written: Promise<T>, key: KeyBook): Promise<T> {
    const ended = await written;
    await this.#turnBack(key).catch(() => {});
    return ended;
  }

  readonly #ends: Ends = {
    ended: ({ hold, row, charged, atMs, tokens }, record) => {
      const { key } = hold;
      this.holds.end(hold, charged, atMs);
      this.losses.add(row);
      key.lastRecord = record;
      if (tokens) this.keys.replaceTokens(key, tokens, this.#clock());
    },
  };

  /** Refusals count like what is admitted; how long they keep the key waiting is the answer. */
  async refuse(receipt: Receipt, count: RefusalCount = NOT_COUNTED): Promise<number> {
    const { requests, max } = count;
    const row = writeReceipt(receipt);
    if (row[AT.cost] !== 0n) throw chargesNothing(row);
    const nowMs = this.#clock();
    let waitMs = 0;
    if (requests > 0) {
      const key = this.#keyOf(receipt.accountId, receipt.keyId);
      this.keys.countRequests(key, requests, nowMs);
      const limits = { requestsPerMinute: max, tokensPerMinute: 0, concurrency: 0 };
      waitMs = this.keys.ratesOf(key, nowMs).refusal(limits, 0, nowMs)?.retryAfterMs ?? 0;
    }
    const line = writeRecord({ kind: "refuse", atMs: nowMs, row });
    await this.#queue.write({ id: "", line, ended() {} });
    return waitMs;
  }

  /** Counts the hold of a process that is gone, until it is ended like any other. False if it is there. */
  adopt(kept: KeptHold, slot: number | undefined): boolean {
    if (this.holds.has(kept.id)) {
      this.holds.hasRow(kept);
      return false;
    }
    const key = this.#keyOf(kept.account_id, kept.key_id);
    this.holds.adopt(new OpenHold(kept, key), slot);
    return true;
  }

  /** Resolves when the file shows all that has been settled. */
  settleUp(): Promise<void> {
    return this.#queue.settleUp([]);
  }

  /** Resolves when the file shows all that is held, too. */
  async writeHolds(): Promise<void> {
    const holds = this.holds.takeUnwritten();
    try {
      await this.#queue.settleUp(holds);
    } catch (thrown) {
      this.holds.putBack(holds);
      throw thrown;
    }
  }

  /** Throws while nothing can be settled. */
  prove(): Promise<void> {
    return this.#queue.prove();
  }

  /** From now on the file is asked before anybody is let in, until it answers. */
  doubt(): void {
    this.#queue.doubt();
  }

  /** Writes what is waiting and refuses what comes after. */
  close(): Promise<void> {
    return this.#queue.close();
  }
}
