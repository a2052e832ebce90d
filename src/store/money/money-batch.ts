import type { BudgetWindow } from "../../accounts/keys/budget-window.ts";
import { NO_LEEWAY } from "../../admission/judge.ts";
import { type RateLimits, RateWindow, WINDOW_SECONDS } from "../../admission/rates.ts";
import type {
  AdmissionOutcome,
  AdmissionRequest,
  RaiseOutcome,
  RaiseRequest,
} from "../../admission/request.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import type { RefusalCount } from "../../ledger/store.ts";
import { ChannelDays } from "../reads/channel-days.ts";
import { InputLosses } from "../reads/input-losses.ts";
import { Rollups } from "../reads/rollups.ts";
import { AT, type ReceiptRow } from "../rows.ts";
import { correctedWithin, isInterrupted } from "./interrupted.ts";
import type { EntryRow, HoldRow, MoneyRows } from "./money-rows.ts";
import type { Operation, OperationResult } from "./operations.ts";
import { ScopeBook } from "./scope-book.ts";

type Limited = Extract<AdmissionOutcome, { kind: "limited" }>;
type Settle = Extract<Operation, { kind: "settle" }>;

/** How soon to ask again when other requests of the same key fill its concurrency limit. */
const CONCURRENCY_RETRY_MS = 1_000;

function mustCharge(row: ReceiptRow, charged: NanoUsd): void {
  if (row[AT.cost] === charged) return;
  throw new Error(`receipt ${row[AT.id]} says ${row[AT.cost]}, but ${charged} is charged`);
}

/** The operations of one transaction: rows are written as they come, sums once at the end. */
export class MoneyBatch {
  readonly #rows: MoneyRows;
  readonly #owner: string;
  readonly #nowMs: number;
  readonly #scopes: ScopeBook;
  readonly #rates = new Map<string, RateWindow>();
  readonly #rollups = new Rollups();
  readonly #channelDays = new ChannelDays();
  readonly #inputLosses = new InputLosses();
  readonly #keysUsed = new Map<string, number>();

  constructor(rows: MoneyRows, owner: string, nowMs: number) {
    this.#rows = rows;
    this.#owner = owner;
    this.#nowMs = nowMs;
    this.#scopes = new ScopeBook(nowMs);
  }

  /** One result per operation, in order. What it throws must undo the whole transaction. */
  run(operations: readonly Operation[]): OperationResult[] {
    const results: OperationResult[] = [];
    // Settlements free the money that others of the same batch may take. Who runs comes before who
    // has not begun.
    operations.forEach((op, i) => {
      if (op.kind !== "admit" && op.kind !== "raise") results[i] = this.#end(op);
    });
    operations.forEach((op, i) => {
      if (op.kind === "raise") results[i] = this.#raise(op.request);
    });
    operations.forEach((op, i) => {
      if (op.kind === "admit") results[i] = this.#admit(op.request);
    });
    this.#finish();
    return results;
  }

  #end(op: Exclude<Operation, { kind: "admit" | "raise" }>): OperationResult {
    switch (op.kind) {
      case "settle":
        return this.#settle(op);
      case "cancel":
        return this.#cancel(op.requestId);
      case "refuse":
        return this.#refuse(op.row, op.count);
    }
  }

  /** Refusals count like what is admitted; how long they keep the key waiting is the answer. */
  #refuse(row: ReceiptRow, { requests, max }: RefusalCount): number {
    mustCharge(row, 0n);
    if (this.#recordReceipt(row)) this.#addUp(row);
    const keyId = row[AT.keyId];
    if (!this.#keysUsed.has(keyId)) this.#keysUsed.set(keyId, this.#nowMs);
    if (requests === 0) return 0;
    const window = this.#keptRateWindow(keyId);
    window.count(requests, 0, this.#nowMs);
    const limits = { requestsPerMinute: max, tokensPerMinute: 0, concurrency: 0 };
    return window.refusal(limits, 0, this.#nowMs)?.retryAfterMs ?? 0;
  }

  /** Writes what the operations added up to. */
  #finish(): void {
    for (const move of this.#scopes.moves()) this.#rows.moveScope(move);
    for (const reset of this.#scopes.resets()) this.#rows.resetBudget(reset);
    for (const [keyId, window] of this.#rates) {
      for (const second of window.changed()) this.#rows.writeRateSecond(keyId, second);
    }
    for (const cells of this.#rollups.all()) this.#rows.addRollup(cells);
    for (const cells of this.#channelDays.all()) this.#rows.addChannelDay(cells, this.#owner);
    for (const cells of this.#inputLosses.all()) this.#rows.addInputLoss(cells);
    for (const [keyId, atMs] of this.#keysUsed) this.#rows.touchKey(keyId, atMs);
  }

  #loadScopes(accountId: string, keyId: string): void {
    if (this.#scopes.has(keyId)) return;
    const scopes = this.#rows.scopes(accountId, keyId);
    const usedIn = (window: BudgetWindow) => this.#rows.usedIn(keyId, window);
    this.#scopes.load(keyId, scopes, this.#rows.budgets(keyId), usedIn);
  }

  #rateWindow(keyId: string, limits: RateLimits): RateWindow {
    // Nothing to judge by, nothing to keep: a key without limits costs no row.
    if (limits.requestsPerMinute === 0 && limits.tokensPerMinute === 0) {
      return new RateWindow([], this.#nowMs);
    }
    return this.#keptRateWindow(keyId);
  }

  #keptRateWindow(keyId: string): RateWindow {
    let window = this.#rates.get(keyId);
    if (!window) {
      const oldest = Math.floor(this.#nowMs / 1000) - WINDOW_SECONDS;
      window = new RateWindow(this.#rows.rateSeconds(keyId, oldest), this.#nowMs);
      this.#rates.set(keyId, window);
    }
    return window;
  }

  #admit(request: AdmissionRequest): AdmissionOutcome {
    const { keyId, limits } = request;
    const window = this.#rateWindow(keyId, limits);
    const limited = this.#limited(request, window);
    // A key that has no request left does not wait longer for asking; any other refusal is a request.
    if (request.countRate && limited?.limit !== "requests") window.count(1, 0, this.#nowMs);
    if (limited) return limited;
    this.#loadScopes(request.accountId, keyId);
    const verdict = this.#scopes.admit(keyId, request, request.behind);
    if (verdict.kind !== "admit") return verdict;
    const { allowance: held, left, lone, byBalance } = verdict;
    this.#insertHold(request, held);
    const hasLimit = limits.tokensPerMinute > 0;
    const taken = hasLimit ? window.take(request.tokens, this.#nowMs) : undefined;
    const rates = window.snapshot(limits, this.#nowMs);
    const facts = { held, tight: held < request.worst, lone, byBalance, left, taken };
    return { kind: "admitted", ...facts, rates };
  }

  #limited(request: AdmissionRequest, window: RateWindow): Limited | undefined {
    const { limits } = request;
    const refusal = request.countRate
      ? window.refusal(limits, request.tokens, this.#nowMs)
      : window.tokenRefusal(limits, request.tokens, this.#nowMs);
    if (refusal) {
      return { kind: "limited", ...refusal, rates: window.snapshot(limits, this.#nowMs) };
    }
    const max = limits.concurrency;
    if (max === 0) return undefined;
    const used = this.#rows.openHolds(request.keyId);
    if (used < max) return undefined;
    const rates = window.snapshot(limits, this.#nowMs);
    const retryAfterMs = CONCURRENCY_RETRY_MS;
    return { kind: "limited", limit: "concurrency", max, used, retryAfterMs, rates };
  }

  #insertHold(request: AdmissionRequest, amount: NanoUsd): void {
    this.#rows.insertHold([
      request.requestId,
      request.accountId,
      request.keyId,
      this.#owner,
      amount,
      request.inputCost,
      request.model,
      request.endpoint,
      request.channel,
      Number(request.stream),
      this.#nowMs,
    ]);
  }

  #raise(request: RaiseRequest): RaiseOutcome {
    const hold = this.#rows.findHold(request.requestId);
    if (!hold) return this.#raiseLate(request);
    // One that holds nothing is free, and does not count as running.
    if (hold.amount === 0n) return { kind: "ended" };
    this.#loadScopes(hold.account_id, hold.key_id);
    const outcome = this.#scopes.raise(hold.key_id, hold.amount, request);
    if (outcome.kind === "granted") this.#rows.raiseHold(hold, outcome.granted);
    return outcome;
  }

  /**
   * A request that lives, although its hold was given back because its process seemed dead. It goes on with
   * what is left now; what it comes to is charged at its end.
   */
  #raiseLate(request: RaiseRequest): RaiseOutcome {
    const { requestId, accountId, keyId } = request;
    if (!this.#rows.findInterrupted(requestId)) return { kind: "ended" };
    this.#loadScopes(accountId, keyId);
    return this.#scopes.raiseUnheld(keyId, request);
  }

  #settle(end: Settle): "done" | "already" {
    const { post, row } = end;
    const hold = this.#rows.takeHold(row[AT.id]);
    if (!hold) return this.#correct(end);
    this.#charge(hold, post ? "post" : "void", end);
    if (this.#recordReceipt(row)) this.#addUp(row);
    return "done";
  }

  /**
   * The end of a request whose process was taken for dead: its hold is void, and its receipt says that it was
   * interrupted. What it comes to is charged all the same, once, as far as its scopes have it left, and its receipt says
   * how it ended.
   */
  #correct(end: Settle): "done" | "already" {
    const { leeway = NO_LEEWAY } = end;
    const before = isInterrupted(end.row) ? undefined : this.#rows.findInterrupted(end.row[AT.id]);
    if (!before) return "already";
    const [id, account_id, key_id] = [before[AT.id], before[AT.accountId], before[AT.keyId]];
    this.#loadScopes(account_id, key_id);
    const cost = end.row[AT.cost];
    const most = this.#scopes.mostCorrected(key_id, cost, leeway);
    const row = most < cost ? correctedWithin(end.row, most) : end.row;
    this.#charge({ id, account_id, key_id, amount: 0n }, "correction", { ...end, row });
    this.#rollups.takeBack(before);
    this.#channelDays.takeBack(before);
    this.#rows.replaceReceipt(row);
    this.#addUp(row);
    return "done";
  }

  /** What a hold ends with, in the scopes of its key. */
  #charge(hold: HoldRow, kind: EntryRow["kind"], { post, row, tokens }: Settle) {
    const amount = post ? row[AT.cost] : 0n;
    mustCharge(row, amount);
    this.#loadScopes(hold.account_id, hold.key_id);
    this.#scopes.settle(hold.key_id, amount, hold.amount);
    const createdAtMs = this.#scopes.timeOf(hold.key_id);
    this.#rows.insertEntry({ hold, kind, amount, createdAtMs });
    this.#keysUsed.set(hold.key_id, createdAtMs);
    if (tokens) this.#keptRateWindow(hold.key_id).replace(tokens, this.#nowMs);
  }

  /** As if the request had never been admitted. */
  #cancel(requestId: string): null {
    const hold = this.#rows.takeHold(requestId);
    if (!hold) return null;
    this.#loadScopes(hold.account_id, hold.key_id);
    this.#scopes.settle(hold.key_id, 0n, hold.amount);
    return null;
  }

  #addUp(row: ReceiptRow): void {
    this.#rollups.add(row);
    this.#channelDays.add(row);
    this.#inputLosses.add(row);
  }

  /** False for a row that is there already, and so has been added up already. */
  #recordReceipt(row: ReceiptRow): boolean {
    if (row[AT.lastAt] === null) return this.#rows.insertReceipt(row);
    this.#rows.addToReceipt(row);
    return true;
  }
}
