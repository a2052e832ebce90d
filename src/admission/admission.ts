import type { Limits } from "../config/config.ts";
import { MoneyFault } from "../ledger/refusal.ts";
import { type Clock, every } from "../lib/clock.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { LeaveSignal } from "../lib/route.ts";
import { FairBudget } from "../lib/threads/fair-budget.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import type { AdmissionOutcome, AdmissionRequest, RaiseOutcome, RaiseRequest } from "./request.ts";
import type { AdmissionStore } from "./store.ts";

/** The client hung up before it was its turn. */
export class LeftTheLine extends Error {
  override readonly name = "LeftTheLine";
}

type Wait = Extract<AdmissionOutcome | RaiseOutcome, { kind: "wait" }>;
/** What a request is told that has waited for as long as it had to. */
export type Admitting = Exclude<AdmissionOutcome, Wait>;
type Raised = Exclude<RaiseOutcome, Wait>;

/** Whoever may have to wait in line. */
export interface InLine {
  /** Its client leaves. */
  readonly signal: LeaveSignal;
  /** Throws where it has no business there any more. */
  mayStay?(): Promise<void>;
  /** The request as it is when its turn may come: prices may have changed since `request` was made. */
  requestNow?(request: AdmissionRequest): AdmissionRequest;
}

/** Somebody in line, with the question to put to the store. */
interface WaitTerms<Answer> {
  ask(): MaybePromise<Answer | Wait>;
  /** Throws where it has no business in the line any more. */
  mayStay?(): Promise<void>;
  /** Runs already and goes before all that have not begun. */
  readonly runs: boolean;
  readonly waitMs: number;
  readonly signal?: LeaveSignal;
}

interface Waiter {
  readonly runs: boolean;
  readonly deadlineMs: number;
  readonly signal: LeaveSignal | undefined;
  /** The store is asked about it: what comes of that is waited for. */
  isAsked: boolean;
  /** Whether it is still to be asked about; if not, it has been told why. */
  stays(): Promise<boolean>;
  /** The account or key to wait for; undefined once the waiter has its answer, or the failure. */
  ask(): Promise<string | undefined>;
  /** It was not its turn in time, or it has left. */
  dismiss(why: "late" | "left"): void;
}

/** How many of a line are asked about at once. They reach the store in order, in one batch. */
const HEADS = 16;
/** Money may also come free without this process hearing of it: a top-up, a new day. */
const LOOK_AGAIN_MS = 200;

/**
 * Lets requests through and gives them more while they run, or has them wait in order for money that
 * running requests hold. A line belongs to an account, for its balance, or to a key, for all its
 * budgets, since whatever is held is held in each of them; it moves when something is settled there.
 * Whoever runs already stands before those who have not begun, and needs no place. Of the places of those, which are
 * bounded in all, each account has a share.
 */
export class Admission {
  readonly #store: AdmissionStore;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #lines = new Map<string, Waiter[]>();
  readonly #moving = new Map<string, boolean>();
  /** For those who have not begun. */
  readonly #places: FairBudget;
  #waiting = 0;
  #stopLooking: (() => void) | undefined;

  constructor(store: AdmissionStore, limits: Limits, clock: Clock) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
    this.#places = new FairBudget(limits.admission_waiting_max);
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Never answers "wait": it has waited. Throws a fault when the wait was too long, or what `mayStay` throws, which is
   * asked each time that it may be its turn.
   */
  admit(request: AdmissionRequest, who: InLine, timeBudget?: TimeBudget): MaybePromise<Admitting> {
    const outcome = this.#store.admit(this.#behindOthers(request), timeBudget);
    if (!(outcome instanceof Promise)) return this.#told(outcome, request, who, timeBudget);
    return this.#toldLater(outcome, request, who, timeBudget);
  }

  async #toldLater(
    outcome: Promise<AdmissionOutcome>,
    request: AdmissionRequest,
    who: InLine,
    timeBudget: TimeBudget | undefined,
  ): Promise<Admitting> {
    return this.#told(await outcome, request, who, timeBudget);
  }

  #told(
    outcome: AdmissionOutcome,
    request: AdmissionRequest,
    who: InLine,
    timeBudget: TimeBudget | undefined,
  ): MaybePromise<Admitting> {
    return isWait(outcome) ? this.#queue(outcome, request, who, timeBudget?.leftMs) : outcome;
  }

  async #queue(
    first: Wait,
    request: AdmissionRequest,
    who: InLine,
    storageMs = this.#limits.admission_storage_ms,
  ): Promise<Admitting> {
    const { admission_wait_ms: waitMs } = this.#limits;
    let { scopeId } = first;
    const { accountId } = request;
    const busy = (others?: number) =>
      budgetBusy(scopeId === accountId ? "balance" : "budget", others);
    const reservation = this.#places.enter(accountId, 1);
    if (reservation === "share") throw busy(this.#places.shareOf(accountId).taken);
    if (reservation === "full") throw busy();
    let current = { ...request, countRate: false };
    const ask = async () => {
      const now = who.requestNow?.(current) ?? current;
      if (now !== current) current = { ...now, countRate: false };
      // In line it is money that is waited for: each question may take what was left for storage, and leaves it so.
      const answer = await this.#store.admit(current, new TimeBudget(storageMs));
      if (isWait(answer)) ({ scopeId } = answer);
      return answer;
    };
    const { signal } = who;
    const terms = { ask, runs: false, waitMs, signal, mayStay: async () => who.mayStay?.() };
    const answer = await this.#wait(scopeId, terms).finally(() => this.#places.leave(reservation));
    if (answer === "late") throw busy();
    if (answer === "left") throw new LeftTheLine();
    return answer;
  }

  /**
   * More for a running request that may cost more than it holds: a share, or as much as it could
   * need where it is alone. "ended" where nothing more is to be had or nothing came in time, and where
   * the request itself was settled meanwhile.
   */
  async raise(request: RaiseRequest, timeBudget?: TimeBudget): Promise<Raised> {
    const ask = () => this.#store.raise(request, timeBudget);
    const outcome = this.#behindRunning(request) ?? (await ask());
    if (outcome.kind !== "wait") return outcome;
    const waitMs = this.#limits.raise_wait_ms;
    const answer = await this.#wait(outcome.scopeId, { ask, runs: true, waitMs });
    return typeof answer === "string" ? { kind: "ended" } : answer;
  }

  /** Who comes while others wait for the same money goes behind them. */
  #behindOthers(request: AdmissionRequest): AdmissionRequest {
    if (this.#lines.size === 0) return request;
    const { accountId, keyId } = request;
    if (this.#lines.has(accountId)) return { ...request, behind: accountId };
    return this.#lines.has(keyId) ? { ...request, behind: keyId } : request;
  }

  /** There is nothing left where another that runs waits already. */
  #behindRunning({ accountId, keyId }: RaiseRequest): Wait | undefined {
    if (this.#lines.size === 0) return undefined;
    const scopeId = [accountId, keyId].find((id) => this.#lines.get(id)?.[0]?.runs);
    return scopeId === undefined ? undefined : { kind: "wait", scopeId };
  }

  /** Money came free in these scopes. */
  released(...scopeIds: readonly string[]): void {
    for (const scopeId of scopeIds) {
      if (this.#lines.has(scopeId)) void this.#move(scopeId);
    }
  }

  async #wait<Answer extends { readonly kind: string }>(
    scopeId: string,
    { ask, mayStay, runs, waitMs, signal }: WaitTerms<Answer>,
  ): Promise<Answer | "late" | "left"> {
    this.#waiting++;
    this.#stopLooking ??= every(LOOK_AGAIN_MS, () => this.#lookAgain());
    const deadlineMs = this.#clock() + waitMs;
    const { promise, resolve, reject } = Promise.withResolvers<Answer | "late" | "left">();
    const askOnce = async () => {
      try {
        const answer = await ask();
        if (isWait(answer)) return answer.scopeId;
        resolve(answer);
      } catch (thrown) {
        reject(thrown);
      }
      return undefined;
    };
    const stays = async () => {
      try {
        await mayStay?.();
        return true;
      } catch (thrown) {
        reject(thrown);
        return false;
      }
    };
    const asking = { isAsked: false, stays, ask: askOnce, dismiss: resolve };
    this.#join(scopeId, { runs, deadlineMs, signal, ...asking });
    try {
      return await promise;
    } finally {
      this.#waiting--;
      if (this.#waiting === 0) {
        this.#stopLooking?.();
        this.#stopLooking = undefined;
      }
    }
  }

  #join(scopeId: string, waiter: Waiter): void {
    const line = this.#lines.get(scopeId);
    if (!line) this.#lines.set(scopeId, [waiter]);
    else if (!waiter.runs) line.push(waiter);
    else line.splice(line.findLastIndex(({ runs }) => runs) + 1, 0, waiter);
  }

  #lookAgain(): void {
    for (const [scopeId, line] of this.#lines) {
      // However long the store takes for those before them.
      this.#dismiss(line);
      void this.#move(scopeId);
    }
  }

  /** Asks the store about the heads of a line until nobody gets any further. */
  async #move(scopeId: string): Promise<void> {
    if (this.#moving.has(scopeId)) {
      this.#moving.set(scopeId, true);
      return;
    }
    try {
      do this.#moving.set(scopeId, false);
      while ((await this.#step(scopeId)) || this.#moving.get(scopeId));
    } finally {
      this.#moving.delete(scopeId);
    }
  }

  /** True when someone left the line, so that the next may have a chance. */
  async #step(scopeId: string): Promise<boolean> {
    const line = this.#lines.get(scopeId);
    if (!line) return false;
    this.#dismiss(line);
    const heads = line.slice(0, HEADS);
    for (const waiter of heads) waiter.isAsked = true;
    // First all of this, since it takes different times: those who stay reach the store in order.
    const stay = await Promise.all(heads.map((waiter) => waiter.stays()));
    const asked = heads.map((waiter, i) => (stay[i] ? waiter.ask() : undefined));
    const answers = await Promise.all(asked);
    const gone = new Set<Waiter>();
    heads.forEach((waiter, i) => {
      waiter.isAsked = false;
      const waitsFor = answers[i];
      if (waitsFor === scopeId) return;
      gone.add(waiter);
      if (waitsFor !== undefined) this.#join(waitsFor, waiter);
    });
    const rest = line.filter((waiter) => !gone.has(waiter));
    if (rest.length > 0) this.#lines.set(scopeId, rest);
    else this.#lines.delete(scopeId);
    return gone.size > 0 && rest.length > 0;
  }

  /** Sends away those who have waited too long or have left, but for those that are asked about. */
  #dismiss(line: Waiter[]): void {
    const nowMs = this.#clock();
    for (const waiter of line.splice(0)) {
      if (waiter.isAsked) line.push(waiter);
      else if (waiter.signal?.aborted) waiter.dismiss("left");
      else if (waiter.deadlineMs <= nowMs) waiter.dismiss("late");
      else line.push(waiter);
    }
  }
}

function isWait<Answer extends { readonly kind: string }>(answer: Answer | Wait): answer is Wait {
  return answer.kind === "wait";
}

/**
 * Busy is not exhausted: the money is there, but requests that still run hold it. Where so many others of the account
 * wait for it already that there is no place for one more, that is said too.
 */
function budgetBusy(scope: "balance" | "budget", others?: number): MoneyFault {
  const inLine = others ? `, and ${others} requests of this account wait already` : "";
  return new MoneyFault(
    "budget_busy",
    `What is left of the budget is held by requests that are still running${inLine}. Try again shortly.`,
    {
      scope,
      period: null,
      used: null,
      max: null,
      left: null,
      needed: null,
      fix: "Try again once some of them have ended, or send fewer at once.",
      resetsAtMs: null,
    },
    { headers: { "retry-after": "2", "retry-after-ms": "2000" } },
  );
}
