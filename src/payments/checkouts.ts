import type { Stripe } from "stripe";
import type { Clock } from "../lib/clock.ts";
import { Throttle } from "../lib/threads/throttle.ts";
import type { Log } from "../telemetry/log.ts";
import { eachOnItsOwn } from "./each.ts";
import type { Order } from "./order.ts";
import type { Orders } from "./orders.ts";
import type { StripeGate } from "./providers/stripe.ts";
import type { OrderRows } from "./tables/orders.ts";

type Session = Stripe.Checkout.Session;

/** A page that waits for its order asks every few seconds; Stripe is not asked as often. */
const GLANCE_GAP_MS = 3_000;
/** Stripe takes only so many calls of all customers together, however many orders one has open. */
const GLANCES_PER_MINUTE_MAX = 30;

/** The limits of the process that concern checkouts, as the settings name them. */
export interface CheckoutLimits {
  readonly checkout_looks_max: number;
  readonly checkout_look_rest_ms: number;
}

interface Refused {
  /** Why the session is not believed. */
  readonly refused: string;
}

/** What of a session does not agree with the order; undefined where they belong together. */
export function mismatchOf(session: Session, order: Order): string | undefined {
  const bound =
    session.id === order.reference &&
    session.client_reference_id === order.id &&
    session.metadata?.account === order.accountId;
  if (!bound) return "it is for another order";
  const agreed =
    session.amount_total === Number(order.minor) && session.currency === order.currency;
  return agreed ? undefined : "the amount is not the order's";
}

interface CheckoutsParts {
  readonly store: OrderRows;
  readonly orders: Orders;
  readonly stripe: StripeGate | undefined;
  readonly limits: CheckoutLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What Stripe knows of the checkouts that were begun. A notice may never come: an address that cannot
 * be reached, a webhook that nobody set up. So open orders are also asked after.
 */
export class Checkouts {
  readonly #parts: CheckoutsParts;
  readonly #glances: Throttle;

  constructor(parts: CheckoutsParts) {
    this.#parts = parts;
    this.#glances = new Throttle(60_000, parts.clock);
  }

  /** Acts on a session of this order, by whatever way it came. `notice` is null where we asked. */
  async learn(
    order: Order,
    session: Session,
    notice: string | null,
  ): Promise<"credited" | "already" | "noted" | Refused> {
    const wrong = mismatchOf(session, order);
    if (wrong !== undefined) return { refused: wrong };
    if (session.payment_status === "unpaid") {
      // One that is complete all the same waits for the money of a slow means of payment.
      if (session.status === "expired") await this.#parts.store.close(order.id, "expired", null);
      return "noted";
    }
    const { payment_intent: payment } = session;
    if (session.payment_status !== "paid" || typeof payment !== "string") {
      return { refused: "nothing was paid" };
    }
    if (notice !== null && order.paidAtMs !== null && order.notice === notice) {
      return { refused: "it is a replay" };
    }
    const outcome = await this.#parts.orders.settle(order, { payment, notice });
    return outcome ?? { refused: "the order has another payment" };
  }

  /** The order as it is once Stripe was asked, for a payer who has come back and waits. */
  async glance(order: Order): Promise<Order> {
    const { lookedAtMs, accountId, id } = order;
    const waits = order.status === "created" && order.confirmedAtMs === null;
    const checkout = order.provider === "stripe" && !order.automatic && order.reference !== null;
    if (!this.#parts.stripe || !waits || !checkout) return order;
    // One that lies ahead is of before a clock was set back.
    const gapMs = lookedAtMs === null ? GLANCE_GAP_MS : Math.abs(this.#parts.clock() - lookedAtMs);
    if (gapMs < GLANCE_GAP_MS) return order;
    if (!this.#glances.take(accountId, GLANCES_PER_MINUTE_MAX)) return order;
    await this.#look(order, GLANCE_GAP_MS);
    return this.#parts.orders.find(accountId, id);
  }

  /** Asks after open orders of which nothing was heard for a while, the longest silent first. */
  async sweep(): Promise<void> {
    if (!this.#parts.stripe) return;
    const { checkout_look_rest_ms: restMs, checkout_looks_max: most } = this.#parts.limits;
    const silent = await this.#parts.store.listSilent(this.#parts.clock(), restMs, most);
    await eachOnItsOwn(silent, this.#parts.log, (order) => this.#look(order, restMs));
  }

  /** An answer that does not come changes nothing: the order is asked after again. */
  async #look(order: Order, restMs: number): Promise<void> {
    if (!(await this.#parts.store.takeLook(order.id, this.#parts.clock(), restMs))) return;
    const facts = { order: order.id, session: order.reference };
    try {
      const session = await this.#parts.stripe?.findSession(order.reference ?? "");
      if (!session) return;
      const outcome = await this.learn(order, session, null);
      if (typeof outcome === "object") {
        this.#parts.log.warn("checkout_refused", { ...facts, because: outcome.refused });
      } else if (outcome === "credited") this.#parts.log.warn("checkout_without_notice", facts);
    } catch (thrown) {
      this.#parts.log.warn("checkout_unknown", { ...facts, thrown });
    }
  }
}
