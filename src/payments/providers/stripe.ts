import type { Stripe } from "stripe";
import type { NanoUsd } from "../../catalogue/money.ts";
import { centsOf } from "../amounts.ts";
import type { Order, Refund } from "../order.ts";
import type { Checkout, Provider, Quote } from "./provider.ts";

const CALL_MS = 20_000;
const RETRIES_MAX = 2;
const LOOK_MS = 5_000;
/** A payment intent is looked for from a little before its order, for clocks that differ. */
const CLOCK_SKEW_S = 300;

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Where Stripe is, when it is not at its own address. */
  readonly api?: { readonly host: string; readonly port: number; readonly protocol: "http" };
}

/** Pages of the console that a payer comes back to. */
export interface ReturnUrls {
  order(id: string, outcome: "paid" | "cancelled"): string;
  setup(outcome: "saved" | "cancelled"): string;
}

/** What the console's addresses are, below the address that people use. */
export function returnUrls(publicUrl: string): ReturnUrls {
  const wallet = `${publicUrl}/console/wallet`;
  return {
    order: (id, outcome) => `${wallet}?order=${id}&outcome=${outcome}`,
    setup: (outcome) => `${wallet}?auto_topup=${outcome}`,
  };
}

type Library = typeof import("stripe")["Stripe"];

let library: Library | undefined;

/** Loaded with the first call: it is large, and most installations never call it. */
async function loaded(): Promise<Library> {
  library ??= (await import("stripe")).Stripe;
  return library;
}

function isStripeError(thrown: unknown): thrown is Stripe.errors.StripeError {
  return library !== undefined && thrown instanceof library.errors.StripeError;
}

/** A key that is in use, or was used for something else: the earlier call may have happened. */
function isAboutKey({ type, code }: Stripe.errors.StripeError): boolean {
  return type === "StripeIdempotencyError" || code === "idempotency_key_in_use";
}

/**
 * Whether Stripe has said no. Anything else (no answer, a fault of theirs, a call that still runs) may
 * have happened all the same.
 */
export function isDefiniteRefusal(thrown: unknown): thrown is Error {
  if (!isStripeError(thrown)) return false;
  // A conflict or too many calls at once say nothing of the call that came first under this key.
  return [400, 401, 402, 403, 404].includes(thrown.statusCode ?? 0) && !isAboutKey(thrown);
}

/** Whether the refusal is about our own key, of which a customer neither knows nor has to. */
export function isAboutUs(refusal: Error): boolean {
  const { statusCode } = refusal as Partial<Stripe.errors.StripeError>;
  return statusCode === 401 || statusCode === 403;
}

/** Whether a customer of ours was deleted at Stripe, or belongs to another key than the present one. */
export function isMissingCustomer(thrown: unknown): boolean {
  return isStripeError(thrown) && thrown.code === "resource_missing" && thrown.param === "customer";
}

/** A refusal in words that a customer may read. */
export function refusalWords(refusal: Error): string {
  return isAboutUs(refusal) ? "The payment service cannot be used at the moment." : refusal.message;
}

/**
 * The first of a list that fits. When the list cannot be read nothing is known of what was looked for,
 * whatever the reason, so the error is never one that counts as a refusal.
 */
async function firstOf<T>(
  list: AsyncIterable<T>,
  fits: (item: T) => boolean,
): Promise<T | undefined> {
  try {
    for await (const item of list) if (fits(item)) return item;
    return undefined;
  } catch (thrown) {
    throw new Error("Stripe could not be asked.", { cause: thrown });
  }
}

/** Stripe as this room uses it. Every call that moves money carries the id of its row as its key. */
export class StripeGate implements Provider {
  readonly name = "stripe";
  readonly #settings: StripeSettings;
  readonly #urls: ReturnUrls;
  #client: Promise<Stripe> | undefined;

  constructor(settings: StripeSettings, urls: ReturnUrls) {
    this.#settings = settings;
    this.#urls = urls;
  }

  #stripe(): Promise<Stripe> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Stripe> {
    const { secretKey, api } = this.#settings;
    const options = { timeout: CALL_MS, maxNetworkRetries: RETRIES_MAX, telemetry: false };
    return new (await loaded())(secretKey, { ...options, ...api });
  }

  async available(): Promise<boolean> {
    return true;
  }

  async quote(amount: NanoUsd): Promise<Quote> {
    return { currency: "usd", minor: centsOf(amount) };
  }

  async begin(order: Order): Promise<Checkout> {
    const stripe = await this.#stripe();
    const metadata = { order: order.id, account: order.accountId };
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        client_reference_id: order.id,
        metadata,
        payment_intent_data: { metadata },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: order.currency,
              unit_amount: Number(order.minor),
              product_data: { name: "Prepaid credit" },
            },
          },
        ],
        success_url: this.#urls.order(order.id, "paid"),
        cancel_url: this.#urls.order(order.id, "cancelled"),
      },
      { idempotencyKey: order.id },
    );
    if (!session.url) throw new Error("Stripe gave no address for the checkout.");
    return { reference: session.id, url: session.url };
  }

  /** Asked for while somebody waits, so not for long. Undefined where Stripe knows none. */
  async findSession(id: string): Promise<Stripe.Checkout.Session | undefined> {
    const stripe = await this.#stripe();
    try {
      const options = { timeout: LOOK_MS, maxNetworkRetries: 0 };
      return await stripe.checkout.sessions.retrieve(id, {}, options);
    } catch (thrown) {
      if (isStripeError(thrown) && thrown.statusCode === 404) return undefined;
      throw thrown;
    }
  }

  /** Throws for a body that Stripe has not signed, or signed too long ago. Whatever was signed is read. */
  async readEvent(body: string, signature: string): Promise<unknown> {
    const stripe = await this.#stripe();
    return stripe.webhooks.constructEventAsync(body, signature, this.#settings.webhookSecret);
  }

  /** Another one than `gone`, which Stripe would give again for the same key. */
  async createCustomer(accountId: string, gone: string | null): Promise<string> {
    const stripe = await this.#stripe();
    const key = gone === null ? accountId : `${accountId}-after-${gone}`;
    const customer = await stripe.customers.create(
      { metadata: { account: accountId } },
      { idempotencyKey: `customer-${key}` },
    );
    return customer.id;
  }

  /** A page of Stripe's on which the payer agrees to be charged later. */
  async beginSetup(accountId: string, customer: string): Promise<Checkout> {
    const stripe = await this.#stripe();
    const session = await stripe.checkout.sessions.create({
      mode: "setup",
      currency: "usd",
      customer,
      client_reference_id: accountId,
      metadata: { account: accountId },
      success_url: this.#urls.setup("saved"),
      cancel_url: this.#urls.setup("cancelled"),
    });
    return { reference: session.id, url: session.url };
  }

  /** The pages for saving a card that a customer was given, the latest first. Asked for while somebody waits. */
  async listSetups(customer: string): Promise<readonly Stripe.Checkout.Session[]> {
    const stripe = await this.#stripe();
    const options = { timeout: LOOK_MS, maxNetworkRetries: 0 };
    const { data } = await stripe.checkout.sessions.list({ customer, limit: 100 }, options);
    return data.filter(({ mode }) => mode === "setup");
  }

  /** The payment method that a finished setup has saved for this customer. */
  async savedMethod(setupIntent: string, customer: string): Promise<string | undefined> {
    const stripe = await this.#stripe();
    const intent = await stripe.setupIntents.retrieve(setupIntent);
    const method = intent.payment_method;
    if (intent.status !== "succeeded" || intent.customer !== customer) return undefined;
    return typeof method === "string" ? method : method?.id;
  }

  /** Charges a saved card without its owner. The same order again gives the same intent. */
  async charge(order: Order, customer: string, method: string): Promise<Stripe.PaymentIntent> {
    const stripe = await this.#stripe();
    return stripe.paymentIntents.create(
      {
        amount: Number(order.minor),
        currency: order.currency,
        customer,
        payment_method: method,
        off_session: true,
        confirm: true,
        description: "Prepaid credit, automatic top-up",
        metadata: { order: order.id, account: order.accountId },
      },
      { idempotencyKey: order.id },
    );
  }

  /** The intent of an order whose answer was lost. */
  async findCharge(order: Order, customer: string): Promise<Stripe.PaymentIntent | undefined> {
    const stripe = await this.#stripe();
    const since = Math.floor(order.createdAtMs / 1000) - CLOCK_SKEW_S;
    const list = stripe.paymentIntents.list({
      customer,
      created: { gte: since },
      limit: 100,
    });
    return firstOf(list, (intent) => intent.metadata.order === order.id);
  }

  async refund({ id, payment, minor }: Refund): Promise<Stripe.Refund> {
    const stripe = await this.#stripe();
    return stripe.refunds.create(
      { payment_intent: payment, amount: Number(minor), metadata: { refund: id } },
      { idempotencyKey: id },
    );
  }

  /** The refund whose answer was lost. */
  async findRefund({ id, payment }: Refund): Promise<Stripe.Refund | undefined> {
    const stripe = await this.#stripe();
    const list = stripe.refunds.list({ payment_intent: payment, limit: 100 });
    return firstOf(list, (refund) => refund.metadata?.refund === id);
  }
}
