import type { NanoUsd } from "../catalogue/money.ts";
import type { Limits } from "../config/config.ts";
import type { Clock, Clocks } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { retryRefusedWrite, retryWrite } from "../lib/retry.ts";
import { Deferred, hear, type Listener } from "../lib/threads/deferred.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import { AggregatedRefusals } from "./aggregated-refusals.ts";
import type { Credit } from "./books.ts";
import type { Receipt, Settlement } from "./receipt.ts";
import type { LedgerStore, RefusalCount } from "./store.ts";
import { UnknownModels } from "./unknown-models.ts";

/** Models of a key that nobody knows and that stand in a day's sums under their own names. */
const UNKNOWN_MODELS_MAX = 20;

/** What the receipt says of a request whose charge could not be written. */
export const UNRECORDED = {
  status: 503,
  billingReason: "gateway_failed",
  errorCode: "storage_unavailable",
} as const;

/** The credit by which a charge is given back that came after its client had been told that there is none. */
export function lateCreditId(requestId: string): string {
  return `late_${requestId}`;
}

/** The whole of it: whoever comes to give it back, does so once. */
export function lateCredit(
  { requestId, accountId, keyId }: Pick<Receipt, "requestId" | "accountId" | "keyId">,
  amount: NanoUsd,
  createdAtMs: number,
): Credit {
  const note = `${requestId} was charged after its client had been told that it was not`;
  return {
    ...{ id: lateCreditId(requestId), accountId, amount, kind: "restore", note, createdAtMs },
    charge: { keyId, requestId },
  };
}

type Written = "done" | "already";

/** What follows from how the first try to write a settlement went. */
interface Ways {
  written(settlement: Settlement): void;
  /** It was there before. */
  beforehand(settlement: Settlement, giveUpAtMs: number): Promise<void>;
  refused(settlement: Settlement, giveUpAtMs: number, thrown: unknown): Promise<void>;
}

/** A settlement that somebody waits for: nearly all are written at the first try. */
class Settling implements Listener<Written> {
  readonly #ways: Ways;
  readonly #settlement: Settlement;
  readonly #giveUpAtMs: number;
  readonly over = new Deferred<void>();

  constructor(ways: Ways, settlement: Settlement, giveUpAtMs: number) {
    this.#ways = ways;
    this.#settlement = settlement;
    this.#giveUpAtMs = giveUpAtMs;
  }

  came(written: Written): void {
    if (written === "already") {
      hear(this.#ways.beforehand(this.#settlement, this.#giveUpAtMs), this.over);
      return;
    }
    try {
      // First those in line for the money: what the answer sets off must not come before them.
      this.#ways.written(this.#settlement);
    } finally {
      this.over.came();
    }
  }

  failed(thrown: unknown): void {
    hear(this.#ways.refused(this.#settlement, this.#giveUpAtMs, thrown), this.over);
  }
}

/**
 * Ends holds, once each. A settlement that storage refuses is tried again for a while, since the
 * answer it belongs to is complete; after that the client is told so and the hold is voided as soon
 * as storage is back.
 */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #limits: Limits;
  /** What is recorded has the time of day; how long is waited goes by the other. */
  readonly #clock: Clock;
  readonly #steady: Clock;
  readonly #tasks: TaskGroup;
  readonly #aggregates: AggregatedRefusals;
  readonly #unknownModels = new UnknownModels(UNKNOWN_MODELS_MAX);
  /** Called with the scopes in which money came free. */
  onRelease: (...scopeIds: string[]) => void = () => {};
  /** Called when the refusals of a key, with all else of it, have used up its requests per minute. */
  onRateSpent: (keyId: string, max: number, waitMs: number) => void = () => {};

  constructor(store: LedgerStore, limits: Limits, { clock, steady }: Clocks, tasks: TaskGroup) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
    this.#steady = steady;
    this.#tasks = tasks;
    this.#aggregates = new AggregatedRefusals(limits.refusal_receipts_per_minute);
  }

  /**
   * Resolves once the settlement is on disk, whoever wrote it. `first` writes what must be there before:
   * without it there is no charge either. All of it waits no longer than `timeBudget` has left: what a process
   * that was stopped has slept is none of it.
   */
  settle(
    settlement: Settlement,
    first?: () => Promise<void>,
    timeBudget = new TimeBudget(this.#limits.settle_wait_ms),
  ): PromiseLike<void> {
    if (first) return this.#settleBehind(first, settlement, timeBudget);
    return this.#settleNow(settlement, timeBudget);
  }

  #settleNow(settlement: Settlement, { leftMs }: TimeBudget): PromiseLike<void> {
    const settling = new Settling(this.#ways, settlement, this.#steady() + leftMs);
    try {
      hear(this.#store.settle(settlement, leftMs), settling);
    } catch (thrown) {
      // A mistake of ours, which does not get better by asking again.
      return Promise.reject(this.#givenUp(settlement, thrown));
    }
    return settling.over;
  }

  async #settleBehind(
    first: () => Promise<void>,
    settlement: Settlement,
    timeBudget: TimeBudget,
  ): Promise<void> {
    try {
      await retryWrite(first, this.#steady, this.#steady() + timeBudget.leftMs, timeBudget);
    } catch (thrown) {
      throw this.#givenUp(settlement, thrown);
    }
    await this.#settleNow(settlement, timeBudget);
  }

  readonly #ways: Ways = {
    written: (settlement) => this.#released(settlement),
    beforehand: (settlement, giveUpAtMs) =>
      this.#finish(settlement, giveUpAtMs, this.#confirm(settlement, giveUpAtMs)),
    refused: (settlement, giveUpAtMs, thrown) =>
      this.#finish(settlement, giveUpAtMs, Promise.reject(thrown)),
  };

  /** What was not as it should be at the first try. */
  async #finish(settlement: Settlement, giveUpAtMs: number, tried: Promise<void>): Promise<void> {
    const write = () => this.#write(settlement, giveUpAtMs);
    try {
      await tried.catch((thrown) => retryRefusedWrite(thrown, write, this.#steady, giveUpAtMs));
    } catch (thrown) {
      throw this.#givenUp(settlement, thrown);
    }
    this.#released(settlement);
  }

  #released({ receipt }: Settlement): void {
    this.onRelease(receipt.accountId, receipt.keyId);
  }

  /** Nobody waits for it any more: it is ended without a charge. */
  #givenUp(settlement: Settlement, cause: unknown): Fault {
    this.#store.deny(settlement.receipt.requestId);
    this.#tasks.run(this.#endUnpaid(settlement));
    this.#released(settlement);
    return new Fault(
      "storage_unavailable",
      "The answer could not be recorded, so it was not charged. Try again shortly.",
      { cause, headers: { "retry-after": "5" } },
    );
  }

  /** For an end that nobody waits for: what was delivered is charged, however long storage is out. */
  async settleEventually(settlement: Settlement): Promise<void> {
    const write = () => this.#write(settlement, Number.POSITIVE_INFINITY);
    await retryWrite(write, this.#steady, Number.POSITIVE_INFINITY);
    this.#released(settlement);
  }

  /**
   * Ends a request that was interrupted, before another takes its place. Its process may live after all: as a request
   * ends once, it finds this end there, and is not paid for what is paid elsewhere. One that has ended by itself
   * meanwhile stays as it is.
   */
  async takeOver(interrupted: Receipt, timeBudget: TimeBudget): Promise<void> {
    const receipt = { ...interrupted, billingReason: "taken_over" } as const;
    await this.#store.settle({ kind: "void", receipt }, timeBudget.leftMs);
  }

  /**
   * A zero-cost row for a refusal, or a share of one where they come in a loop; returns its id. It
   * holds no money, so nobody waits for it. `isModelKnown` where its model is one of the catalogue, or none at all.
   */
  refuse(refused: Receipt, count: RefusalCount, isModelKnown: boolean): string {
    const receipt = isModelKnown
      ? refused
      : { ...refused, model: this.#unknownModels.nameFor(refused) };
    const aggregate = this.#aggregates.aggregateOf(receipt);
    if (!aggregate) {
      this.#tasks.run(this.#writeRefusal(receipt, count));
      return receipt.requestId;
    }
    aggregate.add(receipt, count);
    this.#tasks.run(aggregate.write((part) => this.#writeRefusal(part.receipt, part.count)));
    return aggregate.receiptId;
  }

  async #writeRefusal(receipt: Receipt, count: RefusalCount): Promise<void> {
    const waitMs = await this.#store.refuse(receipt, count);
    if (waitMs > 0) this.onRateSpent(receipt.keyId, count.max, waitMs);
  }

  /**
   * The hold was resolved before, by an earlier try whose reply was lost. Were it by anybody else, the answer
   * would not be paid for and must not go out.
   */
  async #confirm({ kind, receipt }: Settlement, giveUpAtMs: number): Promise<void> {
    if (kind === "void") return;
    const { requestId, accountId } = receipt;
    const timeBudget = new TimeBudget(giveUpAtMs - this.#steady());
    const written = await this.#store.findReceipt(requestId, accountId, undefined, timeBudget);
    if (written && isEndOf(written, receipt)) return;
    throw new Fault("storage_unavailable", "The hold of this request was lost. Try again.");
  }

  /**
   * Ends a hold whose client was told that nothing is charged. Where the charge is on disk all the same, by a
   * commit that took longer than anybody waits, it is given back, once.
   */
  #endUnpaid(settlement: Settlement): Promise<void> {
    const { requestId, accountId } = settlement.receipt;
    const end = async () => {
      const written = await this.#store.settle(voided(settlement), Number.POSITIVE_INFINITY);
      if (written === "done") return;
      const late = await this.#store.findReceipt(requestId, accountId);
      const amount = late?.charge.amount ?? 0n;
      if (amount === 0n) return;
      await this.#store.credit(lateCredit(settlement.receipt, amount, this.#clock()));
    };
    return retryWrite(end, this.#steady, Number.POSITIVE_INFINITY);
  }

  #write(settlement: Settlement, giveUpAtMs: number): Promise<void> {
    const writing = this.#store.settle(settlement, giveUpAtMs - this.#steady());
    return this.#confirmed(writing, settlement, giveUpAtMs);
  }

  async #confirmed(
    writing: PromiseLike<Written>,
    settlement: Settlement,
    giveUpAtMs: number,
  ): Promise<void> {
    if ((await writing) === "already") await this.#confirm(settlement, giveUpAtMs);
  }
}

/** Whether a receipt is this one as it was written: a correction may have charged less, and lost the rest. */
function isEndOf(written: Receipt, { charge, loss, billingReason }: Receipt): boolean {
  if (written.charge.amount === charge.amount) return true;
  const isAll = written.charge.amount + written.loss === charge.amount + loss;
  return isAll && written.billingReason === billingReason;
}

/** The same request, ended without a charge because its charge could not be written. */
function voided(settlement: Settlement): Settlement {
  if (settlement.kind === "void") return settlement;
  const { receipt } = settlement;
  return {
    kind: "void",
    tokens: settlement.tokens,
    receipt: {
      ...receipt,
      ...UNRECORDED,
      charge: { lines: [], amount: 0n },
      loss: receipt.charge.amount + receipt.loss,
    },
  };
}
