import type { Limits } from "../config.ts";
import { type Clock, every } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { AdmissionOutcome, AdmissionRequest, RaiseOutcome, RaiseRequest } from "./request.ts";
import type { AdmissionStore } from "./store.ts";

/** The client hung up before it was its turn. */
export class LeftTheLine extends Error {
  override readonly name = "LeftTheLine";
}

type Settled = Exclude<AdmissionOutcome, { kind: "wait" }>;

interface Waiter {
  readonly request: AdmissionRequest;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  resolve(outcome: Settled): void;
  reject(thrown: unknown): void;
}

/** How many of a line are asked about at once. They reach the store in order, in one batch. */
const HEADS = 16;
/** Money may also come free without this process hearing of it: a top-up, a new day. */
const LOOK_AGAIN_MS = 200;

/**
 * Lets requests through, or has them wait in order for money that running requests hold. A line
 * belongs to an account, for its balance, or to a key, for all its budgets, since whatever is held
 * is held in each of them; it moves when something is settled there.
 */
export class Admission {
  readonly #store: AdmissionStore;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #lines = new Map<string, Waiter[]>();
  readonly #moving = new Map<string, boolean>();
  #waiting = 0;
  #stopLooking: (() => void) | undefined;

  constructor(store: AdmissionStore, limits: Limits, clock: Clock) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Never answers "wait": it has waited. Throws a fault when the wait was too long. */
  async admit(request: AdmissionRequest, signal: AbortSignal): Promise<Settled> {
    const outcome = await this.#store.admit(this.#behindOthers(request));
    if (outcome.kind !== "wait") return outcome;
    return this.#wait(outcome.scopeId, { ...request, countRate: false }, signal);
  }

  /** Who comes while others wait for the same money goes behind them. */
  #behindOthers(request: AdmissionRequest): AdmissionRequest {
    if (this.#lines.size === 0) return request;
    const behind = [request.accountId, request.keyId].find((scopeId) => this.#lines.has(scopeId));
    return behind === undefined ? request : { ...request, behind };
  }

  /** More for a running request that may cost more than it holds. */
  raise(request: RaiseRequest): Promise<RaiseOutcome> {
    return this.#store.raise(request);
  }

  /** Money came free in these scopes. */
  released(...scopeIds: readonly string[]): void {
    for (const scopeId of scopeIds) {
      if (this.#lines.has(scopeId)) void this.#move(scopeId);
    }
  }

  #wait(scopeId: string, request: AdmissionRequest, signal: AbortSignal): Promise<Settled> {
    if (this.#waiting >= this.#limits.admission_waiting_max) return Promise.reject(busy());
    this.#waiting++;
    this.#stopLooking ??= every(LOOK_AGAIN_MS, () => this.#lookAgain());
    const deadlineMs = this.#clock() + this.#limits.admission_wait_ms;
    return new Promise<Settled>((resolve, reject) => {
      this.#join(scopeId, { request, deadlineMs, signal, resolve, reject });
    }).finally(() => {
      this.#waiting--;
      if (this.#waiting > 0) return;
      this.#stopLooking?.();
      this.#stopLooking = undefined;
    });
  }

  #join(scopeId: string, waiter: Waiter): void {
    const line = this.#lines.get(scopeId);
    if (line) line.push(waiter);
    else this.#lines.set(scopeId, [waiter]);
  }

  #lookAgain(): void {
    for (const scopeId of this.#lines.keys()) void this.#move(scopeId);
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
    const outcomes = await Promise.all(heads.map((waiter) => this.#ask(waiter)));
    const gone = new Set<Waiter>();
    heads.forEach((waiter, i) => {
      const outcome = outcomes[i];
      if (outcome?.kind !== "wait") gone.add(waiter);
      else if (outcome.scopeId !== scopeId) {
        gone.add(waiter);
        this.#join(outcome.scopeId, waiter);
      }
    });
    const rest = line.filter((waiter) => !gone.has(waiter));
    if (rest.length > 0) this.#lines.set(scopeId, rest);
    else this.#lines.delete(scopeId);
    return gone.size > 0 && rest.length > 0;
  }

  /** Undefined when the store failed; the waiter has been told. */
  async #ask(waiter: Waiter): Promise<AdmissionOutcome | undefined> {
    try {
      const outcome = await this.#store.admit(waiter.request);
      if (outcome.kind !== "wait") waiter.resolve(outcome);
      return outcome;
    } catch (thrown) {
      waiter.reject(thrown);
      return undefined;
    }
  }

  /** Sends away those who have waited too long or have left. Nobody is asked about meanwhile. */
  #dismiss(line: Waiter[]): void {
    const nowMs = this.#clock();
    for (const waiter of line.splice(0)) {
      if (waiter.signal.aborted) waiter.reject(new LeftTheLine());
      else if (waiter.deadlineMs <= nowMs) waiter.reject(busy());
      else line.push(waiter);
    }
  }
}

/** Busy is not exhausted: the money is there, but requests that still run hold it. */
function busy(): Fault {
  return new Fault(
    "budget_busy",
    "What is left of the budget is held by requests that are still running. Try again shortly.",
    { headers: { "retry-after": "2", "retry-after-ms": "2000" } },
  );
}
