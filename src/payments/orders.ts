import { StoredThrottle, type TryWindows } from "../accounts/stored-throttle.ts";
import { formatUsd } from "../catalogue/money.ts";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { Log } from "../telemetry/log.ts";
import { ORDER_RANGE, readCents } from "./amounts.ts";
import { eachOnItsOwn } from "./each.ts";
import type { Evidence, Order, ProviderName } from "./order.ts";
import type { Provider, Quote } from "./providers/provider.ts";
import type { PaymentLedger } from "./store.ts";
import type { OrderRows } from "./tables/orders.ts";

/** Providers keep an order open for a day; a notice may come a little after that. */
export const ORDER_MS_MAX = 25 * 3_600_000;
/** One that Stripe is asked after is closed by its answer, or after so long without one. */
const CHECKOUT_MS_MAX = 7 * 24 * 3_600_000;
/** Orders that an account may begin in an hour. */
const ORDERS_PER_HOUR_MAX = 30;

const HOUR_MS = 3_600_000;

interface OrdersParts {
  readonly store: OrderRows;
  readonly ledger: PaymentLedger;
  readonly providers: readonly Provider[];
  readonly tries: TryWindows;
  readonly clock: Clock;
  readonly log: Log;
}

interface OrderForm {
  readonly provider: ProviderName;
  readonly amount: string;
  readonly method?: string | undefined;
}

const NOTES: Record<ProviderName, string> = {
  stripe: "Stripe",
  epay: "Epay",
  test: "Test payment (no real money)",
};

/** A new order of which nothing is known but what was asked for. */
export function newOrder(
  asked: Pick<Order, "accountId" | "provider" | "amount" | "automatic"> & { method?: string },
  quote: Quote,
  nowMs: number,
): Order {
  return {
    method: null,
    ...asked,
    id: newId("ord_"),
    currency: quote.currency,
    minor: quote.minor,
    status: "created",
    reference: null,
    payment: null,
    notice: null,
    checkoutUrl: null,
    charged: null,
    refunded: 0n,
    failure: null,
    createdAtMs: nowMs,
    confirmedAtMs: null,
    lookedAtMs: null,
    paidAtMs: null,
  };
}

/**
 * Orders and the one way in which they are credited: the provider's word is kept, then the ledger is
 * credited under the order's id, then the order is marked as paid. A crash after any of these steps is
 * healed by doing the rest again, which credits nothing twice.
 */
export class Orders {
  readonly #store: OrderRows;
  readonly #ledger: PaymentLedger;
  readonly #providers: readonly Provider[];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #throttle: StoredThrottle;

  constructor({ store, ledger, providers, tries, clock, log }: OrdersParts) {
    this.#store = store;
    this.#ledger = ledger;
    this.#providers = providers;
    this.#clock = clock;
    this.#log = log;
    this.#throttle = new StoredThrottle(tries, HOUR_MS, clock);
  }

  /** The providers that can be used now. */
  async available(): Promise<ProviderName[]> {
    const open = await Promise.all(this.#providers.map((provider) => provider.available()));
    return this.#providers.filter((_, index) => open[index]).map(({ name }) => name);
  }

  async create(accountId: string, form: OrderForm): Promise<Order> {
    const provider = this.#providers.find(({ name }) => name === form.provider);
    if (!provider || !(await provider.available())) {
      throw new Fault("invalid_value", `Payment by '${form.provider}' is not available here.`, {
        param: "provider",
      });
    }
    const amount = readCents(form.amount, "amount", ORDER_RANGE);
    const quote = await provider.quote(amount, form.method);
    await this.#throttle.spend(`orders of ${accountId}`, ORDERS_PER_HOUR_MAX);
    const { method } = form;
    const asked = { accountId, provider: provider.name, amount, automatic: false };
    const order = newOrder(method ? { ...asked, method } : asked, quote, this.#clock());
    await this.#store.add(order);
    return this.#begin(provider, order);
  }

  async #begin(provider: Provider, order: Order): Promise<Order> {
    try {
      const { reference, url } = await provider.begin(order);
      await this.#store.refer(order.id, reference, url);
      return { ...order, reference, checkoutUrl: url };
    } catch (thrown) {
      this.#log.error("payment_not_begun", { order: order.id, provider: provider.name, thrown });
      await this.#store.close(order.id, "failed", "The payment could not be begun.");
      throw new Fault(
        "upstream_unavailable",
        "The payment service refused the order. Try again later.",
        {
          cause: thrown,
        },
      );
    }
  }

  /** Only of this account. */
  async find(accountId: string, id: string): Promise<Order> {
    const order = await this.#store.find(id);
    if (order?.accountId !== accountId) {
      throw new Fault("not_found", "There is no such order.");
    }
    return order;
  }

  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Order[]> {
    return this.#store.list(accountId, after, limit);
  }

  /**
   * A payment that was proven to be this order's. "already" when it was credited before; undefined when
   * the order cannot take this payment.
   */
  async settle(order: Order, evidence: Evidence): Promise<"credited" | "already" | undefined> {
    if (await this.#store.confirm(order.id, evidence, this.#clock())) return this.#credit(order);
    const now = await this.#store.find(order.id);
    return now?.paidAtMs != null && now.payment === evidence.payment ? "already" : undefined;
  }

  async #credit(order: Order): Promise<"credited" | "already"> {
    const fresh = await this.#ledger.credit({
      id: order.id,
      accountId: order.accountId,
      amount: order.amount,
      kind: order.provider === "test" ? "test" : "topup",
      note: order.automatic ? `${NOTES[order.provider]}, automatic` : NOTES[order.provider],
      createdAtMs: this.#clock(),
    });
    await this.#store.markPaid(order.id, this.#clock());
    if (fresh) this.#log.info("order_paid", { order: order.id, amount: formatUsd(order.amount) });
    return fresh ? "credited" : "already";
  }

  /** Credits what is owed, where a process ended between the steps. Returns how many there were. */
  async reconcile(): Promise<number> {
    const owed = await this.#store.listOwed();
    await eachOnItsOwn(owed, this.#log, (order) => this.#credit(order));
    const nowMs = this.#clock();
    await this.#store.closeOlder(nowMs - ORDER_MS_MAX, nowMs - CHECKOUT_MS_MAX);
    return owed.length;
  }
}
