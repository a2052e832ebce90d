import type { NanoUsd } from "../../catalogue/money.ts";
import type { Balance } from "../../ledger/books.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../telemetry/log.ts";
import { centsOf } from "../amounts.ts";
import { eachOnItsOwn } from "../each.ts";
import type { Order } from "../order.ts";
import type { Orders } from "../orders.ts";
import type { PaymentLedger } from "../store.ts";
import type { OrderRows } from "../tables/orders.ts";
import type { Reversal, ReversalRows } from "../tables/reversals.ts";
import type { Checkout, Provider, Quote } from "./provider.ts";

/** Whether play money may be had now: only while the sandbox is the only channel. */
export type TestPaymentAllowed = () => boolean;

/** The provider that asks nobody for money. */
export class TestProvider implements Provider {
  readonly name = "test";
  readonly #allowed: TestPaymentAllowed;

  constructor(allowed: TestPaymentAllowed) {
    this.#allowed = allowed;
  }

  async available(): Promise<boolean> {
    return this.#allowed();
  }

  async quote(amount: NanoUsd): Promise<Quote> {
    return { currency: "usd", minor: centsOf(amount) };
  }

  async begin(order: Order): Promise<Checkout> {
    return { reference: `test_${order.id}`, url: null };
  }
}

interface TestEvent {
  /** Positive for test money that came, negative for what was reversed. */
  readonly amount: NanoUsd;
  /** What the account had been charged in all by then. */
  readonly charged: NanoUsd;
}

/**
 * How much of the test money is left. What is used is taken from test money first, so that what people
 * have paid stays theirs.
 */
export function testCreditLeft(events: readonly TestEvent[], chargedNow: NanoUsd): NanoUsd {
  let left = 0n;
  let charged = 0n;
  for (const event of [...events, { amount: 0n, charged: chargedNow }]) {
    const used = event.charged > charged ? event.charged - charged : 0n;
    left = left > used ? left - used : 0n;
    left += event.amount;
    charged += used;
  }
  return left < 0n ? 0n : left;
}

function least(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a < b ? a : b;
}

function atLeastNothing(amount: NanoUsd): NanoUsd {
  return amount > 0n ? amount : 0n;
}

/**
 * By what was charged by then, which the ledger counts and no clock can turn round. At the same sum
 * nothing was used in between: what came goes before what was reversed of it.
 */
function inOrder(events: readonly TestEvent[]): readonly TestEvent[] {
  return [...events].sort((a, b) => {
    if (a.charged !== b.charged) return a.charged < b.charged ? -1 : 1;
    return Number(a.amount < 0n) - Number(b.amount < 0n);
  });
}

interface TestPaymentsParts {
  readonly orders: Orders;
  readonly store: OrderRows;
  readonly reversals: ReversalRows;
  readonly ledger: PaymentLedger;
  readonly allowed: TestPaymentAllowed;
  readonly clock: Clock;
  readonly log: Log;
}

export class TestPayments {
  readonly #parts: TestPaymentsParts;
  /** Accounts of which nothing is left to reverse, with the number of test orders they had then. */
  readonly #settled = new Map<string, number>();

  constructor(parts: TestPaymentsParts) {
    this.#parts = parts;
  }

  /** Confirms a test order, as a payer would on a provider's page. */
  async pay(accountId: string, orderId: string): Promise<Order> {
    const order = await this.#parts.orders.find(accountId, orderId);
    if (order.provider !== "test" || !this.#parts.allowed()) {
      throw new Fault("invalid_value", "The test payment is not available for this order.");
    }
    if (order.status === "expired" || order.status === "failed") {
      throw new Fault("invalid_value", "This order is closed. Create another one.");
    }
    const balance = await this.#parts.ledger.balance(accountId);
    const evidence = { payment: `test_${order.id}`, notice: null, charged: balance?.charged ?? 0n };
    await this.#parts.orders.settle(order, evidence);
    return this.#parts.orders.find(accountId, orderId);
  }

  /** What is left of an account's test money, and no more than it has at all. */
  async left(accountId: string): Promise<NanoUsd> {
    const remaining = await this.#remaining(accountId);
    if (!remaining) return 0n;
    const { left, balance } = remaining;
    return atLeastNothing(least(left, balance.credited - balance.charged));
  }

  /**
   * What of the account's credits is neither used, held nor play money. Like usage, what is held is of play money first.
   * The credits were read before: play money that came since is not in them. The rest is of one moment, or a request that
   * is settled in between would be held by one look and used by the other.
   */
  async freeOfPlay(accountId: string, credited: NanoUsd): Promise<NanoUsd> {
    const remaining = await this.#remaining(accountId);
    if (!remaining) return 0n;
    const { left, balance } = remaining;
    const { charged, held } = balance;
    const unheld = atLeastNothing(least(left, balance.credited - charged) - held);
    return credited - charged - held - unheld;
  }

  /**
   * The balance is asked for after the rows are read: what was charged never falls, so a reversal has
   * at least the sum of every order that it takes from.
   */
  async #remaining(
    accountId: string,
  ): Promise<{ left: NanoUsd; reversals: number; balance: Balance } | undefined> {
    const orders = await this.#parts.store.listTest(accountId);
    const reversals = await this.#parts.reversals.listCounted(accountId);
    const balance = await this.#parts.ledger.balance(accountId);
    if (!balance) return undefined;
    const came = orders.map(({ amount, charged }) => ({ amount, charged: charged ?? 0n }));
    const went = reversals.map(({ amount, charged }) => ({ amount: -amount, charged }));
    const left = testCreditLeft(inOrder([...came, ...went]), balance.charged);
    return { left, reversals: reversals.length, balance };
  }

  /** Once a real channel is enabled: takes back what is left of test money, in every account. */
  async reverseTestCredit(): Promise<void> {
    if (this.#parts.allowed()) return;
    const open = await this.#parts.reversals.listOpen();
    await eachOnItsOwn(open, this.#parts.log, (reversal) => this.#drive(reversal));
    const accounts = await this.#parts.store.listTestAccounts();
    const unsettled = accounts.filter(({ id, orders }) => this.#settled.get(id) !== orders);
    await eachOnItsOwn(unsettled, this.#parts.log, async ({ id, orders }) => {
      // What is used up stays so; only another test order changes that.
      if ((await this.#reverse(id)) === 0n) this.#settled.set(id, orders);
    });
  }

  /** What was left before. */
  async #reverse(accountId: string): Promise<NanoUsd> {
    const remaining = await this.#remaining(accountId);
    if (!remaining) return 0n;
    const { left, reversals, balance } = remaining;
    const free = balance.credited - balance.charged - balance.held;
    const amount = free < left ? free : left;
    if (amount <= 0n) return left;
    const reversal: Reversal = {
      id: newId("rev_"),
      accountId,
      amount,
      charged: balance.charged,
      createdAtMs: this.#parts.clock(),
    };
    // The row is there before the entry: after a crash its amount is still known.
    if (await this.#parts.reversals.add(reversal, reversals)) await this.#drive(reversal);
    return left;
  }

  /** What running requests hold cannot be taken; the next round takes it. */
  async #drive(reversal: Reversal): Promise<void> {
    const { reversals, log } = this.#parts;
    const { id, accountId, amount } = reversal;
    if (await this.#debit(reversal)) {
      await reversals.finish(id, "done");
      log.info("test_credit_reversed", { account: accountId, amount });
    } else {
      await reversals.finish(id, "failed");
      this.#settled.delete(accountId);
    }
  }

  /** False where too little is left: then nobody has debited it, and nobody will, since it is made anew. */
  async #debit({ id, accountId, amount }: Reversal): Promise<boolean> {
    const { ledger } = this.#parts;
    const note = "Test credit reversed";
    if ((await ledger.debit(id, accountId, amount, "reversal", note)) !== "short") return true;
    return (await ledger.closeDebit(id, accountId, "reversal", note)) > 0n;
  }
}
