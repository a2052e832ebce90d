import type { AccountsStore } from "../../accounts/store.ts";
import type { AdmissionOutcome, AdmissionRequest } from "../../admission/request.ts";
import type { AdmissionStore } from "../../admission/store.ts";
import type { Limits } from "../../config/config.ts";
import type { Claim } from "../../conversations/claim.ts";
import type { KeptAnswerStore } from "../../conversations/store.ts";
import { lateSettlement } from "../../ledger/late-settlement.ts";
import type { LedgerStore } from "../../ledger/store.ts";
import { onceAGo, systemClock } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { retryWrite } from "../../lib/retry.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { Deadlines, type Waiting, wakingClock } from "../../lib/threads/deadlines.ts";
import { TimeBudget } from "../../lib/threads/time-budget.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import type { Log } from "../../telemetry/log.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import type { Store } from "../store.ts";
import { StorageHealth } from "./storage-health.ts";
import { WriteProof } from "./write-proof.ts";

/** A question that has no answer for so long is a reason to ask whether storage works. */
const LONG_MS = 1_500;
/** With a settlement that has waited for so long storage is down. */
const OLD_MS = 5_000;

/** A proof that takes as long as so many requests wait, one after the other, is not waited for either. */
const RENEW_AFTER_WAITS = 2;

/** Names of methods that nobody waits for, or that take as long as they take. */
type Leisurely<Port> = readonly (keyof Port & string)[];

function stalled(ms: number): StorageError {
  return new StorageError(`storage has not answered for ${Math.round(ms)} ms`);
}

/** What follows where the end of a request cannot be written, or not in time. */
interface Settling {
  failed(thrown: unknown): void;
  over(requestId: string): void;
  grewOld(): void;
  ended(): void;
}

/** Every request waits for its end to be written: by an object of its own, and no functions. */
class SettlementWait implements Waiting<"done" | "already"> {
  readonly #requestId: string;
  readonly #settling: Settling;
  readonly ms: number;

  constructor(requestId: string, ms: number, settling: Settling) {
    this.#requestId = requestId;
    this.ms = ms;
    this.#settling = settling;
  }

  get longMs(): number {
    return OLD_MS;
  }

  long(): void {
    this.#settling.grewOld();
  }

  longOver(): void {
    this.#settling.ended();
  }

  over(waitedMs: number): StorageError {
    this.#settling.over(this.#requestId);
    return stalled(waitedMs);
  }

  failed(thrown: unknown): void {
    this.#settling.failed(thrown);
  }
}

/**
 * Gives every call to storage a deadline, and reports failures. A call that is over its deadline goes on in the
 * background, and its late result is handled.
 */
class StoreTimeouts {
  readonly #health: StorageHealth;
  readonly #proof: WriteProof;
  readonly #store: Store;
  readonly #limits: Limits;
  readonly #deadlines: Deadlines;
  #isClosed = false;
  /** A write has hung for as long as a request waits: nobody else is made to, until one has been taken. */
  #isStuck = false;

  constructor(store: Store, limits: Limits, log: Log, metrics: Metrics, watchdog: Watchdog) {
    this.#store = store;
    this.#limits = limits;
    this.#health = new StorageHealth(log, metrics, () => void this.#look().catch(() => {}));
    this.#proof = new WriteProof(
      () => store.ping(),
      (failure) => this.#proved(failure),
    );
    this.#deadlines = new Deadlines(LONG_MS, () => this.#health.suspect(), watchdog);
    store.watch?.(() => this.#health.suspect());
  }

  close(): void {
    this.#isClosed = true;
    this.#health.close();
  }

  /** Throws while storage is down. While it is up, its state is made sure of. */
  async ready(): Promise<void> {
    if (this.#health.downFor === undefined) await this.#proof.ask().catch(() => {});
    if (this.#health.downFor !== undefined) throw new StorageError(this.#health.downFor);
  }

  /** Throws unless the books have just been written to. */
  async ping(): Promise<void> {
    await this.#proof.ask();
  }

  /** While storage is in doubt, time and again. */
  async #look(): Promise<void> {
    const { pendingMs } = this.#proof;
    const { admission_storage_ms } = this.#limits;
    if (pendingMs > admission_storage_ms) this.#isStuck = true;
    // A proof that is given up with its connection makes way for the next.
    if (pendingMs > RENEW_AFTER_WAITS * admission_storage_ms) await this.#store.renew?.();
    await this.#proof.ask();
  }

  #proved(failure?: Error): void {
    if (!failure) this.#isStuck = false;
    this.#health.proved(failure);
  }

  #failed(operation: string, thrown: unknown): void {
    if (thrown instanceof StorageError) this.#health.failed(operation, thrown.message);
  }

  /** How long is waited for what requests do not depend on; why it fails is for its caller to tell. */
  #waiting(operation: string, ms: number): Waiting<unknown> {
    const over = (waitedMs: number) => {
      const stall = stalled(waitedMs);
      this.#failed(operation, stall);
      return stall;
    };
    return { ms, over };
  }

  /** The same for what each request goes through: there, every failure is one of storage. */
  #vital(operation: string): Waiting<unknown> {
    const ms = this.#limits.admission_storage_ms;
    const failed = (thrown: unknown) => this.#failed(operation, thrown);
    return { ms, over: stalled, failed };
  }

  /** What is there at once is not waited for, and costs nothing here. */
  #waitMaybe<T>(
    answer: MaybePromise<T>,
    waiting: Waiting<unknown>,
    timeBudget?: TimeBudget,
  ): MaybePromise<T> {
    if (!(answer instanceof Promise)) return answer;
    return this.#deadlines.wait(answer, waiting as Waiting<T>, timeBudget);
  }

  #admitting(
    request: AdmissionRequest,
    outcome: Promise<AdmissionOutcome>,
    waiting: Waiting<unknown>,
    timeBudget: TimeBudget | undefined,
  ): Promise<AdmissionOutcome> {
    const late = (taken: AdmissionOutcome) => this.#takeBack(request, taken);
    return this.#deadlines.wait(outcome, { ...waiting, late }, timeBudget);
  }

  /** Every method of a port, but for these, whose failures are told of all the same. */
  bounded<Port extends object>(port: Port, operation: string, leisurely: Leisurely<Port>): Port {
    const waiting = this.#waiting(operation, this.#limits.admission_storage_ms);
    const left: readonly string[] = leisurely;
    const told = (thrown: unknown) => {
      this.#failed(operation, thrown);
      throw thrown;
    };
    const methods = Object.entries(port).map(([name, method]) => {
      const isLeft = left.includes(name);
      const bound = (...args: unknown[]) => {
        // What who asks may wait in all is for the guard: behind it nobody waits.
        const last = args.at(-1);
        const timeBudget = last instanceof TimeBudget ? last : undefined;
        if (timeBudget) args.pop();
        const answer: Promise<unknown> = method.apply(port, args);
        return isLeft ? answer.catch(told) : this.#deadlines.wait(answer, waiting, timeBudget);
      };
      return [name, bound];
    });
    return Object.fromEntries(methods) as Port;
  }

  accounts(): AccountsStore {
    const { accounts } = this.#store;
    const lookup = this.#vital("authentication");
    const waiting = this.#waiting("accounts", this.#limits.admission_storage_ms);
    return {
      ...this.bounded(accounts, "accounts", []),
      replaceSecret: (exchange, formerEndsAtMs) => {
        // Whoever does not hear that it is done tells nobody the secret, and the one before would end all the same.
        const failed = () => this.#undo(() => accounts.withdrawSecret(exchange));
        const replaced = accounts.replaceSecret(exchange, formerEndsAtMs);
        return this.#deadlines.wait(replaced, { ...waiting, failed } as Waiting<boolean>);
      },
      findKey: (hash, timeBudget) => {
        try {
          // Every request begins here: in an outage that lasts, they would gather by the thousands.
          if (this.#isStuck) throw new StorageError("storage has not taken a write for a while");
          return this.#waitMaybe(accounts.findKey(hash), lookup, timeBudget);
        } catch (thrown) {
          // A file that cannot be read, in this very thread.
          const failure = StorageError.from(thrown);
          this.#failed("authentication", failure);
          throw failure;
        }
      },
    };
  }

  admission(): AdmissionStore {
    const { admission } = this.#store;
    const vital = this.#vital("admission");
    return {
      admit: (request, timeBudget) => {
        const outcome = admission.admit(request);
        if (!(outcome instanceof Promise)) return outcome;
        return this.#admitting(request, outcome, vital, timeBudget);
      },
      // What is granted late belongs to a hold that is open, and ends with it.
      raise: (request, timeBudget) => this.#waitMaybe(admission.raise(request), vital, timeBudget),
    };
  }

  /** A hold that was taken when its request had been refused already. */
  #takeBack(request: AdmissionRequest, outcome: AdmissionOutcome): void {
    if (outcome.kind !== "admitted") return;
    const end = lateSettlement(request, outcome, systemClock());
    this.#undo(() => this.#store.ledger.settle(end));
  }

  /** For as long as it takes; what a process leaves behind, recovery finds. */
  #undo(write: () => PromiseLike<unknown>): void {
    const once = async () => {
      if (!this.#isClosed) await write();
    };
    retryWrite(once, systemClock, Number.POSITIVE_INFINITY).catch((thrown: unknown) =>
      this.#failed("undoing", thrown),
    );
  }

  ledger(): LedgerStore {
    const { ledger } = this.#store;
    const { settle_wait_ms } = this.#limits;
    const settling: Settling = {
      failed: (thrown) => this.#failed("settlement", thrown),
      over: (requestId) => ledger.withdraw(requestId),
      grewOld: () => this.#health.grewOld(OLD_MS),
      ended: () => this.#health.ended(),
    };
    const refusing = this.#vital("refusal") as Waiting<number>;
    return {
      ...this.bounded(ledger, "ledger", ["recover", "verify"]),
      withdraw: (requestId) => ledger.withdraw(requestId),
      deny: (requestId) => ledger.deny(requestId),
      refuse: (receipt, count) => this.#deadlines.wait(ledger.refuse(receipt, count), refusing),
      settle: (settlement, ms = settle_wait_ms) => {
        const { requestId } = settlement.receipt;
        const waiting = new SettlementWait(requestId, ms, settling);
        return this.#deadlines.hear(ledger.settle(settlement), waiting);
      },
    };
  }

  keptAnswers(): KeptAnswerStore {
    const { keptAnswers } = this.#store;
    const waiting = this.#waiting("answers", this.#limits.admission_storage_ms);
    return {
      ...this.bounded(keptAnswers, "answers", ["sweepAnswers"]),
      claim: (claimant, span, timeBudget) => {
        // Nobody else would ever let go of it.
        const late = ({ requestId, state }: Claim) => {
          if (requestId !== claimant.requestId) return;
          this.#undo(() => keptAnswers.freeClaim(claimant, requestId, state));
        };
        const claimed = keptAnswers.claim(claimant, span);
        return this.#deadlines.wait(claimed, { ...waiting, late }, timeBudget);
      },
    };
  }

  sql(): Sql {
    const { sql } = this.#store;
    const waiting = this.#waiting("console", this.#limits.console_storage_ms);
    const wait = <T>(work: Promise<T>) => this.#deadlines.wait(work, waiting as Waiting<T>);
    return {
      query: (text, params) => wait(sql.query(text, params)),
      nowMs: () => wait(sql.nowMs()),
      transaction: (work) => wait(sql.transaction(work)),
    };
  }
}

/** A store that says whether it is up. */
interface TimedStore extends Store {
  /** Throws while storage is down, as the log and the metrics say. */
  ready(): Promise<void>;
}

/** The same store, where nobody waits without an end, and whose failures are told of. */
export function timedStore(
  store: Store,
  limits: Limits,
  log: Log,
  metrics = new Metrics(),
  watchdog = new Watchdog(onceAGo(wakingClock())),
): TimedStore {
  const timeouts = new StoreTimeouts(store, limits, log, metrics, watchdog);
  return {
    ...store,
    accounts: timeouts.accounts(),
    admission: timeouts.admission(),
    ledger: timeouts.ledger(),
    conversations: timeouts.bounded(store.conversations, "responses", ["sweep"]),
    keptAnswers: timeouts.keptAnswers(),
    sql: timeouts.sql(),
    ready: () => timeouts.ready(),
    ping: () => timeouts.ping(),
    async close() {
      timeouts.close();
      await store.close();
    },
  };
}

/** The same for a process that relays nothing: a page may look for longer than a request may wait. */
export function timedForPages(store: Store, limits: Limits, log: Log): TimedStore {
  return timedStore(store, { ...limits, admission_storage_ms: limits.console_storage_ms }, log);
}
