import type { NanoUsd } from "../../catalogue/money.ts";
import { wholeCents } from "../amounts.ts";
import type { Order, Refund } from "../order.ts";
import { undoneBy } from "../restore-id.ts";
import type { LedgerEntry, PaymentLedger } from "../store.ts";
import type { DisputeRows } from "../tables/disputes.ts";
import type { OrderRows } from "../tables/orders.ts";
import type { RefundRows } from "../tables/refunds.ts";

/** Entries that are read at once. Most accounts have fewer. */
const PAGE = 500;

/** An order that was paid by card, and what of it can go back there. */
export interface CardCredit {
  readonly order: Order;
  readonly left: NanoUsd;
}

/** A refund without which is reckoned, and what of it is taken from the balance already. */
interface LeftOut {
  readonly refund: Refund;
  readonly taken: NanoUsd;
}

/** What is left of one order by the ledger, and what has gone back of it there. */
interface Part {
  readonly left: NanoUsd;
  readonly gone: NanoUsd;
}

/** What the tables know of entries. */
interface Origins {
  /** Ids of credits that are orders paid by card. */
  readonly byCard: ReadonlySet<string>;
  /** Orders by the refunds and disputes that took from them. */
  readonly orderOf: ReadonlyMap<string, string>;
}

function least(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a < b ? a : b;
}

function atLeastNothing(amount: NanoUsd): NanoUsd {
  return amount > 0n ? amount : 0n;
}

/**
 * Goes back through an account's entries. What is used is taken from the oldest credit first, so what is free in the
 * balance is what came last: each credit on the way has its part of it, until nothing is left to tell the origin of.
 */
class WayBack {
  #free: NanoUsd;
  /** What went back by hand, and was not found in a credit yet. */
  #byHand = 0n;
  readonly #gone = new Map<string, NanoUsd>();

  constructor(free: NanoUsd) {
    this.#free = free;
  }

  /** As though the refund had not been taken. Its entry is met on the way, and comes to nothing then. */
  leaveOut({ refund, taken }: LeftOut): void {
    this.#free += taken;
    this.#goneOf(refund.orderId, -taken);
  }

  get isOver(): boolean {
    return this.#free <= 0n;
  }

  /** The orders among these entries of which something is left. */
  pass(entries: readonly LedgerEntry[], origins: Origins): ReadonlyMap<string, Part> {
    const parts = new Map<string, Part>();
    for (const entry of entries) {
      if (this.isOver) break;
      const { id, kind, amount } = entry;
      if (kind === "refund") this.#debit(origins.orderOf.get(id), amount);
      // What restores a charge is no credit: so much less was used.
      else if (kind === "restore") this.#goneOf(origins.orderOf.get(undoneBy(id)), -amount);
      else if (origins.byCard.has(id)) parts.set(id, this.#order(id, amount));
      else if (kind === "topup" || kind === "trial") this.#other(amount);
      // Test credit is not in what is free, nor what was reversed of it.
    }
    return parts;
  }

  #debit(orderId: string | undefined, amount: NanoUsd): void {
    if (orderId === undefined) this.#byHand += amount;
    else this.#goneOf(orderId, amount);
  }

  #goneOf(orderId: string | undefined, amount: NanoUsd): void {
    if (orderId !== undefined) this.#gone.set(orderId, (this.#gone.get(orderId) ?? 0n) + amount);
  }

  #order(id: string, amount: NanoUsd): Part {
    const gone = this.#gone.get(id) ?? 0n;
    return { left: this.#take(amount - gone), gone };
  }

  /** What goes back by hand is of what came so, as long as there is any. */
  #other(amount: NanoUsd): void {
    const back = least(this.#byHand, amount);
    this.#byHand -= back;
    this.#take(amount - back);
  }

  #take(amount: NanoUsd): NanoUsd {
    const part = least(atLeastNothing(amount), this.#free);
    this.#free -= part;
    return part;
  }
}

interface CardMoneyParts {
  readonly ledger: PaymentLedger;
  readonly orders: OrderRows;
  readonly refunds: RefundRows;
  readonly disputes: DisputeRows;
  /** What of an account's credits is neither used nor held, nor play money, which nobody has paid. */
  readonly freeOfPlay: (accountId: string, credited: NanoUsd) => Promise<NanoUsd>;
}

/** What of a balance was paid by card. */
export class CardMoney {
  readonly #parts: CardMoneyParts;

  constructor(parts: CardMoneyParts) {
    this.#parts = parts;
  }

  /** Orders of which something can go back to its card, those that were credited last first. */
  refundable(accountId: string): Promise<readonly CardCredit[]> {
    return this.#reckon(accountId);
  }

  /** Whether a refund that was set aside can still be paid by what is left of its order. */
  async covers(refund: Refund, taken: NanoUsd): Promise<boolean> {
    const credits = await this.#reckon(refund.accountId, { refund, taken });
    return credits.some(({ order, left }) => order.id === refund.orderId && left >= refund.amount);
  }

  async #reckon(accountId: string, leftOut?: LeftOut): Promise<readonly CardCredit[]> {
    const { ledger, freeOfPlay } = this.#parts;
    const latest = await ledger.latestEntries(accountId, PAGE);
    // By the entries' own sum: what is debited meanwhile would else be looked for in older credits.
    const way = new WayBack(await freeOfPlay(accountId, latest.credited));
    if (leftOut) way.leaveOut(leftOut);
    const found: CardCredit[] = [];
    let { entries } = latest;
    while (entries.length > 0 && !way.isOver) {
      const parts = way.pass(entries, await this.#originsOf(entries));
      found.push(...(await this.#creditsOf(parts, leftOut?.refund)));
      const last = entries.at(-1)?.seq;
      const isAll = entries.length < PAGE;
      entries = isAll ? [] : (await ledger.latestEntries(accountId, PAGE, last)).entries;
    }
    return found;
  }

  async #originsOf(entries: readonly LedgerEntry[]): Promise<Origins> {
    const { orders, refunds, disputes } = this.#parts;
    const ids = (kind: LedgerEntry["kind"]) =>
      entries.filter((entry) => entry.kind === kind).map(({ id }) => id);
    const moves = [...ids("refund"), ...ids("restore").map(undoneBy)];
    const byCard = new Set(await orders.listByCard(ids("topup")));
    const ofOrders = [...(await refunds.ordersOf(moves)), ...(await disputes.ordersOf(moves))];
    return { byCard, orderOf: new Map(ofOrders.map(({ id, orderId }) => [id, orderId])) };
  }

  async #creditsOf(
    parts: ReadonlyMap<string, Part>,
    leftOut: Refund | undefined,
  ): Promise<readonly CardCredit[]> {
    const rows = await this.#parts.orders.listRefundable([...parts.keys()]);
    const orders = new Map(rows.map((order) => [order.id, order]));
    return [...parts].flatMap(([id, { left: inBalance, gone }]) => {
      const order = orders.get(id);
      if (!order) return [];
      const refunded = order.refunded - (leftOut?.orderId === id ? leftOut.amount : 0n);
      // Set aside for a refund, and still in the balance that was read.
      const leaving = atLeastNothing(refunded - gone);
      const left = wholeCents(least(inBalance - leaving, order.amount - refunded));
      return left > 0n ? [{ order, left }] : [];
    });
  }
}
