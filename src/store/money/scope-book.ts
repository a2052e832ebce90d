import type { Leeway } from "../../accounts/account.ts";
import type { BudgetWindow } from "../../accounts/keys/budget-window.ts";
import {
  type HoldTerms,
  judge,
  judgeRaise,
  limitOf,
  mostCorrected,
  type RaiseTerms,
  type Verdict,
} from "../../admission/judge.ts";
import type { AdmissionOutcome, ExceededScope, RaiseOutcome } from "../../admission/request.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { type BudgetRow, lastToReset, timeWith, turned, turnsTo } from "./budget-rows.ts";

/** A balance, or what a key has used and holds in all. */
export interface ScopeRow {
  readonly id: string;
  readonly kind: "balance" | "key";
  readonly max: NanoUsd | null;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  /** Open holds of more than nothing. */
  readonly running: bigint;
}

interface Sums {
  readonly id: string;
  used: NanoUsd;
  held: NanoUsd;
  running: bigint;
  usedMoved: NanoUsd;
  heldMoved: NanoUsd;
  runningMoved: bigint;
}

interface OpenBalance extends Sums {
  readonly kind: "balance";
  readonly max: NanoUsd;
}

/** A budget within this batch; its sums follow from those of its key. */
interface OpenBudget {
  readonly id: string;
  readonly kind: "budget";
  readonly max: NanoUsd;
  readonly row: BudgetRow;
  used: NanoUsd;
  held: NanoUsd;
  running: bigint;
}

interface OpenKey {
  readonly sums: Sums;
  readonly balance: OpenBalance;
  readonly budgets: readonly OpenBudget[];
  /** What a request of the key is judged by. */
  readonly scopes: readonly (OpenBalance | OpenBudget)[];
  /** The time of the batch, or a little later where a window of the key begins later. */
  readonly atMs: number;
}

/** A change to one scope, relative, so that what another process wrote meanwhile stays. */
export interface ScopeMove {
  readonly id: string;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  readonly running: bigint;
}

/** What a key was charged in a window, before this batch. */
type UsedIn = (window: BudgetWindow) => NanoUsd;

/** A budget whose period has turned. */
export interface BudgetReset {
  readonly keyId: string;
  readonly row: BudgetRow;
}

type BookVerdict =
  | Extract<Verdict, { kind: "admit" }>
  | Extract<AdmissionOutcome, { kind: "exceeded" | "short" | "wait" }>;

function shift(sums: Sums, used: NanoUsd, held: NanoUsd, running: bigint): void {
  sums.used += used;
  sums.held += held;
  sums.running += running;
  sums.usedMoved += used;
  sums.heldMoved += held;
  sums.runningMoved += running;
}

function hasMoved({ usedMoved, heldMoved, runningMoved }: Sums): boolean {
  return usedMoved !== 0n || heldMoved !== 0n || runningMoved !== 0n;
}

function sumsOf({ id, used, held, running: kept }: ScopeRow): Sums {
  // Where nothing is held nobody runs: a program from before the count was kept may have settled here.
  const running = held === 0n ? 0n : kept;
  const runningMoved = running - kept;
  return { id, used, held, running, usedMoved: 0n, heldMoved: 0n, runningMoved };
}

function exceededBy(scope: OpenBalance | OpenBudget, terms: HoldTerms): ExceededScope {
  const { used } = scope;
  const max = limitOf(scope, terms);
  if (scope.kind === "balance") return { scope: "balance", used, max };
  const { period, resetsAtMs } = scope.row;
  return { scope: "budget", used, max, period, resetsAtMs };
}

/**
 * The scopes a batch touches, as they stand after each of its operations. Decisions are made here
 * and written once per scope at the end of the batch.
 */
export class ScopeBook {
  readonly #nowMs: number;
  readonly #balances = new Map<string, OpenBalance>();
  readonly #keys = new Map<string, OpenKey>();
  readonly #resets: BudgetReset[] = [];
  /** Accounts and keys whose money an earlier request of the batch waits for: nobody overtakes it. */
  readonly #blocked = new Set<string>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Notes the scopes of a key, as read inside the batch's transaction. */
  load(
    keyId: string,
    scopes: readonly ScopeRow[],
    budgets: readonly BudgetRow[],
    usedIn: UsedIn,
  ): void {
    // Judging by half of the scopes would let through what the other half forbids.
    const find = (kind: ScopeRow["kind"]) => {
      const found = scopes.find((scope) => scope.kind === kind);
      if (!found) throw new Error(`key ${keyId} has no ${kind === "key" ? "sums" : kind}`);
      return found;
    };
    const balance = this.#balance(find("balance"));
    const sums = sumsOf(find("key"));
    const atMs = timeWith(budgets, this.#nowMs);
    const turn = (row: BudgetRow) => {
      const window = turnsTo(row, atMs);
      return window && turned(row, window, sums.used, usedIn(window));
    };
    const open = budgets.map((row) => this.#budget(keyId, row, turn(row), sums));
    if (open.length > 1) open.sort((a, b) => lastToReset(a.row, b.row));
    const key = { sums, balance, budgets: open, scopes: [balance, ...open], atMs };
    this.#keys.set(keyId, key);
  }

  #balance(row: ScopeRow): OpenBalance {
    const known = this.#balances.get(row.id);
    if (known) return known;
    const entry: OpenBalance = { ...sumsOf(row), kind: "balance", max: row.max ?? 0n };
    this.#balances.set(row.id, entry);
    return entry;
  }

  #budget(keyId: string, kept: BudgetRow, reset: BudgetRow | undefined, key: Sums): OpenBudget {
    if (reset) this.#resets.push({ keyId, row: reset });
    const row = reset ?? kept;
    const { id, max } = row;
    const { held, running } = key;
    return { id, kind: "budget", max, row, used: key.used - row.base, held, running };
  }

  #of(keyId: string): OpenKey {
    const key = this.#keys.get(keyId);
    if (!key) throw new Error(`the scopes of key ${keyId} are not loaded`);
    return key;
  }

  /** When what happens to the key's money in this batch happens. */
  timeOf(keyId: string): number {
    return this.#of(keyId).atMs;
  }

  /**
   * Judges a request and, when it is admitted, takes its hold. `behind` names an account or key for
   * which others wait already: the request may still be refused, but it does not overtake them.
   */
  admit(keyId: string, terms: HoldTerms, behind: string | null): BookVerdict {
    const { scopes, balance } = this.#of(keyId);
    const verdict = judge(scopes, terms);
    if (verdict.kind === "exceeded")
      return { kind: "exceeded", ...exceededBy(verdict.scope, terms) };
    if (verdict.kind === "short") {
      const { scope, left, needed } = verdict;
      return { kind: "short", ...exceededBy(scope, terms), left, needed };
    }
    if (verdict.kind === "wait") return this.#waitFor(verdict.scope, keyId);
    if (verdict.allowance === 0n) return verdict;
    const ahead = behind ?? this.#waitedFor(balance.id) ?? this.#waitedFor(keyId);
    if (ahead !== undefined) return { kind: "wait", scopeId: ahead };
    this.#move(keyId, 0n, verdict.allowance, 1n);
    return verdict;
  }

  /** Judges a request that runs and holds `held`, and takes what it is given. */
  raise(keyId: string, held: NanoUsd, terms: RaiseTerms): RaiseOutcome {
    const verdict = judgeRaise(this.#of(keyId).scopes, held, terms);
    if (verdict.kind === "wait") return this.#waitFor(verdict.scope, keyId);
    if (verdict.kind === "granted") this.#move(keyId, 0n, verdict.granted, 0n);
    return verdict;
  }

  /** Judges one that runs and holds nothing any more. What it is given is held nowhere. */
  raiseUnheld(keyId: string, terms: RaiseTerms): RaiseOutcome {
    const verdict = judgeRaise(this.#of(keyId).scopes, 0n, terms);
    return verdict.kind === "wait" ? this.#waitFor(verdict.scope, keyId) : verdict;
  }

  /** How much of a charge may still be made that nothing is held for any more. */
  mostCorrected(keyId: string, charge: NanoUsd, leeway: Leeway): NanoUsd {
    return mostCorrected(this.#of(keyId).scopes, charge, leeway);
  }

  /** The hold of a request is gone, and so much was charged for it. */
  settle(keyId: string, charged: NanoUsd, held: NanoUsd): void {
    this.#move(keyId, charged, -held, held > 0n ? -1n : 0n);
  }

  /** All budgets of a key wait for its running requests. */
  #waitFor(scope: OpenBalance | OpenBudget, keyId: string) {
    const scopeId = scope.kind === "balance" ? scope.id : keyId;
    this.#blocked.add(scopeId);
    return { kind: "wait", scopeId } as const;
  }

  #waitedFor(id: string): string | undefined {
    return this.#blocked.has(id) ? id : undefined;
  }

  #move(keyId: string, used: NanoUsd, held: NanoUsd, running: bigint): void {
    const { sums, balance, budgets } = this.#of(keyId);
    shift(balance, used, held, running);
    shift(sums, used, held, running);
    for (const budget of budgets) {
      budget.used += used;
      budget.held += held;
      budget.running += running;
    }
  }

  /** What has to be written, in id order. */
  moves(): ScopeMove[] {
    const moved: Sums[] = [];
    for (const balance of this.#balances.values()) if (hasMoved(balance)) moved.push(balance);
    for (const { sums } of this.#keys.values()) if (hasMoved(sums)) moved.push(sums);
    return moved
      .map(({ id, usedMoved, heldMoved, runningMoved }) => {
        return { id, used: usedMoved, held: heldMoved, running: runningMoved };
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Budgets that started anew in this batch, whatever came of its operations. */
  resets(): readonly BudgetReset[] {
    return this.#resets;
  }
}
