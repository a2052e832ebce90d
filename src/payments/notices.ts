import type { Stripe } from "stripe";
import { Fault } from "../lib/faults.ts";
import * as z from "../lib/schemas.ts";
import type { Log } from "../telemetry/log.ts";
import type { AutoTopUps } from "./auto-topup.ts";
import { type Checkouts, mismatchOf } from "./checkouts.ts";
import type { Disputes } from "./disputes.ts";
import type { Order } from "./order.ts";
import type { Orders } from "./orders.ts";
import type { EpayGate } from "./providers/epay.ts";
import type { StripeGate } from "./providers/stripe.ts";
import type { Refunds } from "./refunds.ts";
import type { OrderRows } from "./tables/orders.ts";

/** What a handler may say of a notice that is signed and not refused. */
type Outcome = "credited" | "already" | "noted" | "ignored";

type SessionEvent = Stripe.Checkout.Session;

function digestOf(signature: string): string {
  return new Bun.CryptoHasher("sha256").update(signature).digest("hex");
}

const EVENT = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});

/** A signature vouches for the bytes alone: `null` can be signed too. */
function isEvent(value: unknown): value is Stripe.Event {
  return EVENT.safeParse(value).success;
}

interface NoticesParts {
  readonly store: OrderRows;
  readonly orders: Orders;
  readonly autoTopUps: AutoTopUps;
  readonly checkouts: Checkouts;
  readonly refunds: Refunds;
  readonly disputes: Disputes;
  readonly stripe: StripeGate | undefined;
  readonly epay: EpayGate | undefined;
  readonly log: Log;
}

/**
 * What providers tell us. A signature only proves who speaks: every notice is also held against the
 * order it names. What does not fit is refused and logged, and nothing is credited.
 */
export class Notices {
  readonly #parts: NoticesParts;

  constructor(parts: NoticesParts) {
    this.#parts = parts;
  }

  async stripe(body: string, signature: string | null): Promise<Outcome> {
    if (!this.#parts.stripe) throw new Fault("not_found", "Stripe is not configured here.");
    const event = await this.#readEvent(this.#parts.stripe, body, signature ?? "");
    const outcome = await this.#handle(event, digestOf(signature ?? ""));
    this.#parts.log.info("payment_notice", {
      provider: "stripe",
      id: event.id,
      type: event.type,
      outcome,
    });
    return outcome;
  }

  async #readEvent(stripe: StripeGate, body: string, signature: string): Promise<Stripe.Event> {
    const event = await stripe.readEvent(body, signature).catch((thrown: unknown) => {
      // The thrown error has the body in it, which anybody may have sent.
      const reason = thrown instanceof Error ? thrown.name : "unreadable";
      throw this.#refuse("stripe", "its signature is not valid", { reason });
    });
    if (isEvent(event)) return event;
    throw this.#refuse("stripe", "it is signed, but it is not an event", {});
  }

  async #handle(event: Stripe.Event, digest: string): Promise<Outcome> {
    switch (event.type) {
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        return this.#sessionPaid(event.data.object, digest);
      case "checkout.session.async_payment_failed":
        return this.#sessionClosed(event.data.object, "failed");
      case "checkout.session.expired":
        return this.#sessionClosed(event.data.object, "expired");
      case "payment_intent.succeeded":
        return this.#intentPaid(event.data.object, digest);
      case "refund.updated":
      case "refund.failed":
        if (await this.#parts.refunds.notice(event.data.object)) return "noted";
        throw this.#refuse("stripe", "the refund is not ours", { refund: event.data.object.id });
      case "charge.dispute.created":
      case "charge.dispute.updated":
      case "charge.dispute.funds_withdrawn":
      case "charge.dispute.funds_reinstated":
      case "charge.dispute.closed":
        return this.#disputed(event.data.object, event.type);
      default:
        return "ignored";
    }
  }

  async #disputed(dispute: Stripe.Dispute, type: Stripe.Event["type"]): Promise<Outcome> {
    const reinstated = type === "charge.dispute.funds_reinstated";
    const outcome = await this.#parts.disputes.notice(dispute, reinstated);
    if (outcome !== "refused") return outcome;
    throw this.#refuse("stripe", "the dispute does not fit the payment", { dispute: dispute.id });
  }

  /** The order that a session is for, once all that binds them agrees. */
  async #orderOf(session: SessionEvent): Promise<Order> {
    const id = session.metadata?.order ?? "";
    const order = await this.#parts.store.find(id);
    const facts = { order: id, session: session.id };
    if (order?.provider !== "stripe") throw this.#refuse("stripe", "no such order", facts);
    const wrong = mismatchOf(session, order);
    if (wrong !== undefined) throw this.#refuse("stripe", wrong, facts);
    return order;
  }

  async #sessionPaid(session: SessionEvent, digest: string): Promise<Outcome> {
    if (session.mode === "setup") return this.#cardSaved(session);
    // A Stripe account may have other uses; their sessions have none of our marks.
    if (session.metadata?.order === undefined) return "ignored";
    const order = await this.#orderOf(session);
    const outcome = await this.#parts.checkouts.learn(order, session, digest);
    if (typeof outcome === "string") return outcome;
    throw this.#refuse("stripe", outcome.refused, { order: order.id, session: session.id });
  }

  async #cardSaved(session: SessionEvent): Promise<Outcome> {
    if (session.metadata?.account === undefined) return "ignored";
    if (await this.#parts.autoTopUps.saved(session)) return "noted";
    throw this.#refuse("stripe", "no such setup", { session: session.id });
  }

  async #sessionClosed(session: SessionEvent, status: "failed" | "expired"): Promise<Outcome> {
    if (session.mode === "setup" || session.metadata?.order === undefined) return "ignored";
    const order = await this.#orderOf(session);
    await this.#parts.store.close(order.id, status, null);
    return "noted";
  }

  /** Charges of a saved card. Those of a checkout are settled by its session. */
  async #intentPaid(intent: Stripe.PaymentIntent, digest: string): Promise<Outcome> {
    const id = intent.metadata?.order;
    if (id === undefined) return "ignored";
    const facts = { order: id, intent: intent.id };
    const order = await this.#parts.store.find(id);
    if (order?.provider !== "stripe") throw this.#refuse("stripe", "no such order", facts);
    if (!order.automatic) return "ignored";
    if (order.paidAtMs !== null && order.notice === digest) {
      throw this.#refuse("stripe", "it is a replay", facts);
    }
    const outcome = await this.#parts.autoTopUps.charged(order, intent, digest);
    if (outcome === undefined || outcome === "open") {
      throw this.#refuse("stripe", "it does not fit the order", facts);
    }
    return outcome;
  }

  /** A notice by the Epay interface. The service sends the same one again until it is answered. */
  async epay(params: URLSearchParams): Promise<Outcome> {
    if (!this.#parts.epay) throw new Fault("not_found", "Epay is not configured here.");
    const notice = this.#parts.epay.readNotice(params);
    if (!notice) throw this.#refuse("epay", "its signature is not valid", {});
    const facts = { order: notice.orderId, payment: notice.payment };
    const order = await this.#parts.store.find(notice.orderId);
    if (order?.provider !== "epay") throw this.#refuse("epay", "no such order", facts);
    if (notice.minor !== order.minor) {
      throw this.#refuse("epay", "the amount is not the order's", facts);
    }
    if (!notice.success) return "noted";
    const { payment } = notice;
    const evidence = { payment, notice: digestOf(notice.signature) };
    const outcome = await this.#parts.orders.settle(order, evidence);
    if (!outcome) throw this.#refuse("epay", "the order has another payment", facts);
    this.#parts.log.info("payment_notice", { provider: "epay", ...facts, outcome });
    return outcome;
  }

  #refuse(provider: string, reason: string, facts: Readonly<Record<string, unknown>>): Fault {
    this.#parts.log.warn("payment_notice_refused", { provider, because: reason, ...facts });
    return new Fault("invalid_value", `The notice is refused: ${reason}.`);
  }
}
