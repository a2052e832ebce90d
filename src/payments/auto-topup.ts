import type { Stripe } from "stripe";
import { StoredThrottle, type TryWindows } from "../accounts/stored-throttle.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import { type Clock, hasCome } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { Throttle } from "../lib/threads/throttle.ts";
import type { Log } from "../telemetry/log.ts";
import { type AutoTopUpForm, chosenBy } from "./auto-topup-form.ts";
import { eachOnItsOwn } from "./each.ts";
import type { Order, Refund } from "./order.ts";
import { newOrder, type Orders } from "./orders.ts";
import {
  isAboutUs,
  isDefiniteRefusal,
  isMissingCustomer,
  refusalWords,
  type StripeGate,
} from "./providers/stripe.ts";
import type { PaymentLedger } from "./store.ts";
import type { AutoTopUpRows } from "./tables/auto-topups.ts";
import type { OrderRows } from "./tables/orders.ts";
import type { Tell } from "./tell.ts";

const DAY_MS = 86_400_000;
/** A card that was refused rests for so long, and after so many refusals it is not tried again. */
export const CARD_REST_MS = 3_600_000;
const REFUSALS_MAX = 3;
/** A charge that Stripe does not know of is tried again for so long, under the same key. */
const CHARGE_MS_MAX = 10 * 60_000;
/** How often Stripe is asked after the card of an account that waits for it. */
const LOOKS_PER_MINUTE_MAX = 10;
/** Pages for saving a card that an account may be given in an hour; each is a call to Stripe. */
const SETUPS_PER_HOUR_MAX = 20;
const HOUR_MS = 3_600_000;

/** When and how an account is topped up from its saved card. */
export interface AutoTopUp {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly threshold: NanoUsd;
  readonly amount: NanoUsd;
  /** The most that is charged so within 24 hours. */
  readonly dailyMax: NanoUsd;
  readonly customer: string | null;
  /** The saved card; without one nothing is charged. */
  readonly method: string | null;
  /** The session that was begun last and may still save a card; one of before may be faster. */
  readonly setup: string | null;
  readonly refusals: number;
  /** Not charged before this: after a refusal, or where there is no room left in the day. Zero where it does not rest. */
  readonly restsUntilMs: number;
  readonly failure: string | null;
}

/** Settings by which a card may be charged. */
interface Chargeable extends AutoTopUp {
  readonly customer: string;
  readonly method: string;
}

/** Settings of an account that was given a page on which a card may be saved. */
interface Asked extends AutoTopUp {
  readonly customer: string;
  readonly setup: string;
}

interface AutoTopUpsParts {
  readonly settings: AutoTopUpRows;
  readonly store: OrderRows;
  readonly orders: Orders;
  readonly ledger: PaymentLedger;
  readonly stripe: StripeGate | undefined;
  readonly tell: Tell;
  readonly isEnabled: (accountId: string) => Promise<boolean>;
  readonly tries: TryWindows;
  readonly clock: Clock;
  readonly log: Log;
}

/** Charges a saved card when a balance runs low: one order at a time, and so much a day at most. */
export class AutoTopUps {
  readonly #parts: AutoTopUpsParts;
  readonly #looks: Throttle;
  readonly #setups: StoredThrottle;

  constructor(parts: AutoTopUpsParts) {
    this.#parts = parts;
    this.#looks = new Throttle(60_000, parts.clock);
    this.#setups = new StoredThrottle(parts.tries, HOUR_MS, parts.clock);
  }

  /** What the account has chosen, once Stripe was asked after a card of which no notice has come. */
  async glance(accountId: string): Promise<AutoTopUp | undefined> {
    const { settings: store, stripe, log } = this.#parts;
    const settings = await store.find(accountId);
    if (!stripe || !settings?.enabled || !isAsked(settings)) return settings;
    if (!this.#looks.take(accountId, LOOKS_PER_MINUTE_MAX)) return settings;
    try {
      await this.#lookAtPages(stripe, settings);
    } catch (thrown) {
      log.warn("card_unknown", { account: accountId, thrown });
      if (isMissingCustomer(thrown)) await store.endSetup(accountId, settings.setup);
    }
    return store.find(accountId);
  }

  /** Several pages may be open: a card that was saved on the last of them counts, and until then the first one. */
  async #lookAtPages(stripe: StripeGate, { accountId, customer, setup, method }: Asked) {
    const pages = await stripe.listSetups(customer);
    const last = pages.find(({ id }) => id === setup);
    const saved = pages.filter(({ status }) => status === "complete");
    const card =
      saved.find(({ id }) => id === setup) ?? (method === null ? saved.at(-1) : undefined);
    if (card) await this.saved(card);
    // Those before it have ended by then: nobody saves a card any more, and there is nothing left to ask after.
    if (last && last.status !== "open") await this.#parts.settings.endSetup(accountId, setup);
  }

  /** Saves the form. Where no card is saved yet, also the address of the page that saves one. */
  async change(
    accountId: string,
    form: AutoTopUpForm,
  ): Promise<{ before: AutoTopUp | undefined; settings: AutoTopUp; setupUrl: string | null }> {
    const { stripe, settings: store } = this.#parts;
    if (!stripe) throw new Fault("invalid_value", "Card payment is not available here.");
    const first = await store.change(accountId, (before) => {
      const { settings, needsCard } = chosenBy(accountId, before, form);
      return needsCard ? undefined : settings;
    });
    if (first.settings) return { ...first, settings: first.settings, setupUrl: null };
    await this.#setups.spend(`card pages of ${accountId}`, SETUPS_PER_HOUR_MAX);
    const known = first.before?.customer ?? null;
    const { customer, reference, url } = await this.#beginSetup(stripe, accountId, known);
    // Stripe was asked meanwhile, so what is chosen goes by what is stored now.
    const { before, settings } = await store.change(accountId, (now) => {
      const { settings: chosen, needsCard } = chosenBy(accountId, now, form);
      return needsCard ? { ...chosen, customer, method: null, setup: reference } : chosen;
    });
    return { before, settings, setupUrl: settings.setup === reference ? url : null };
  }

  async #beginSetup(stripe: StripeGate, accountId: string, known: string | null) {
    try {
      return await setupFor(stripe, accountId, known);
    } catch (thrown) {
      this.#parts.log.error("card_not_asked_for", { account: accountId, thrown });
      throw new Fault(
        "upstream_unavailable",
        "The payment service gave an unexpected answer. Try again later.",
        {
          cause: thrown,
        },
      );
    }
  }

  /**
   * A card was saved on a page of Stripe's. False when it is not of the account's customer. One that the account has
   * asked for another since is let go of, and that is all there is to it: told again later, it could come back.
   */
  async saved(session: Stripe.Checkout.Session): Promise<boolean> {
    const accountId = session.metadata?.account;
    const settings = accountId ? await this.#parts.settings.find(accountId) : undefined;
    const { id: setup, setup_intent: intent } = session;
    if (!this.#parts.stripe || !settings?.customer || typeof intent !== "string") return false;
    const { customer } = settings;
    if (session.customer !== customer) return false;
    const method = await this.#parts.stripe.savedMethod(intent, customer);
    if (method === undefined) return false;
    await this.#parts.settings.keepCard(settings.accountId, { setup, customer, method });
    return true;
  }

  /** Tops up every account that is due, and asks after charges whose outcome is not known. */
  async run(): Promise<void> {
    const { settings: all, store, stripe, clock, log } = this.#parts;
    if (!stripe) return all.forgetRests(clock(), CARD_REST_MS);
    await eachOnItsOwn(await store.listOpenAutomatic(), log, async (order) => {
      const settings = await all.find(order.accountId);
      if (settings) await this.#drive(order, settings.customer, "again");
    });
    const due = await all.listDue(clock(), CARD_REST_MS);
    const named = due.map(({ accountId }) => ({ id: accountId }));
    await eachOnItsOwn(named, log, ({ id }) => this.#topUp(id));
  }

  /** One that is suspended can use nothing, so it needs nothing. */
  async #needsMoney({ accountId, threshold }: AutoTopUp): Promise<boolean> {
    if (!(await this.#parts.isEnabled(accountId))) return false;
    const balance = await this.#parts.ledger.balance(accountId);
    return balance !== undefined && balance.credited - balance.charged < threshold;
  }

  /** Goes by what holds now: the list may have been read minutes ago. */
  async #topUp(accountId: string): Promise<void> {
    const { settings: all, store, stripe, clock } = this.#parts;
    const settings = await all.find(accountId);
    const now = clock();
    if (!stripe || !settings || !isDue(settings, now)) return;
    if (!(await this.#needsMoney(settings))) return this.#endRest(settings);
    const { amount, dailyMax, customer } = settings;
    const asked = { accountId, provider: "stripe", amount, automatic: true } as const;
    const order = newOrder(asked, await stripe.quote(amount), now);
    if (!(await store.addAutomatic(order, dailyMax, now - DAY_MS))) {
      return this.#waitForRoom(settings, now);
    }
    await this.#endRest(settings);
    await this.#drive(order, customer, "first");
  }

  /** A rest that is over is what an office is started for, so it is not left standing. */
  async #endRest(settings: AutoTopUp): Promise<void> {
    if (settings.restsUntilMs > 0) await this.#parts.settings.restUntil(settings, 0);
  }

  /** Rests until what was paid in the last day may be less, so that somebody looks then, whether or not it is used. */
  async #waitForRoom(settings: AutoTopUp, nowMs: number): Promise<void> {
    const { settings: all, store } = this.#parts;
    const { accountId, amount, dailyMax } = settings;
    const { spent, oldestMs } = await store.paidAutomatically(accountId, nowMs - DAY_MS);
    if (oldestMs === null || spent + amount <= dailyMax) return;
    await all.restUntil(settings, Math.min(oldestMs + DAY_MS, nowMs + CARD_REST_MS));
  }

  /** Charges the card and acts on what Stripe says. Without a clear answer the order stays open. */
  async #drive(order: Order, customer: string | null, attempt: "first" | "again"): Promise<void> {
    try {
      const intent = await this.#intentOf(order, customer, attempt);
      if (intent === undefined) {
        await this.#parts.store.close(order.id, "expired", "The card was not charged.");
        return;
      }
      await this.charged(order, intent, null);
      if (isOver(intent)) await this.#refused(order, intent.status);
    } catch (thrown) {
      if (isDefiniteRefusal(thrown)) {
        if (isAboutUs(thrown)) await this.#barred(order, thrown);
        else await this.#refused(order, thrown.message);
      } else this.#parts.log.warn("auto_topup_unknown", { order: order.id, thrown });
    }
  }

  /** Undefined when there is none, and none should be begun any more. */
  async #intentOf(
    order: Order,
    customer: string | null,
    attempt: "first" | "again",
  ): Promise<Stripe.PaymentIntent | undefined> {
    const { stripe } = this.#parts;
    if (!stripe || customer === null) return undefined;
    const found = attempt === "again" ? await stripe.findCharge(order, customer) : undefined;
    if (found) return found;
    // What is not wanted any more charges nothing; what had reached Stripe before is found, now or by its notice.
    const card = await this.#cardFor(order);
    return card && stripe.charge(order, card.customer, card.method);
  }

  /**
   * The card that an order may be charged to. Undefined where it is not open any more, or would not be made like this
   * by what its owner has chosen and the account has now.
   */
  async #cardFor(order: Order): Promise<Chargeable | undefined> {
    const { settings: all, store, clock } = this.#parts;
    const { accountId, amount, createdAtMs } = order;
    const now = clock();
    if (!(await this.#isOpen(order)) || now - createdAtMs > CHARGE_MS_MAX) return undefined;
    const settings = await all.find(accountId);
    if (!settings || !isDue(settings, now) || settings.amount !== amount) return undefined;
    const spent = await store.spentAutomatically(accountId, now - DAY_MS);
    return spent <= settings.dailyMax && (await this.#needsMoney(settings)) ? settings : undefined;
  }

  async #isOpen({ id }: Order): Promise<boolean> {
    const order = await this.#parts.store.find(id);
    return order?.status === "created" && order.confirmedAtMs === null;
  }

  /** What an intent says of its order. False when they do not belong together. */
  async charged(
    order: Order,
    intent: Stripe.PaymentIntent,
    notice: string | null,
  ): Promise<"credited" | "already" | "open" | undefined> {
    const bound =
      order.automatic &&
      intent.metadata.order === order.id &&
      intent.metadata.account === order.accountId &&
      intent.currency === order.currency &&
      intent.amount === Number(order.minor);
    if (!bound) return undefined;
    if (intent.status !== "succeeded") return "open";
    if (intent.amount_received !== Number(order.minor)) return undefined;
    return this.#parts.orders.settle(order, { payment: intent.id, notice });
  }

  /**
   * A refund is about to go back to a card. Where that leaves less than the threshold it is switched off: whoever wants
   * money back is not charged for its lack.
   */
  async giveWay(refund: Refund): Promise<void> {
    const { settings: all, ledger } = this.#parts;
    const { id, accountId, amount } = refund;
    const settings = await all.find(accountId);
    const balance = await ledger.balance(accountId);
    if (!settings || !balance) return;
    // The balance may be without its amount already. Asked behind it: what is not taken now was not taken then.
    if ((await ledger.accountOfEntry(id)) !== undefined) return;
    const left = balance.credited - balance.charged - amount;
    if (left < settings.threshold) await all.giveWay(refund);
  }

  /** A refund does not happen, and its amount is in the balance. What was switched off for it is on again. */
  takeBack(refund: Refund): Promise<void> {
    return this.#parts.settings.takeBack(refund);
  }

  /** Switched off by what happened, until somebody switches it on again. */
  suspend(accountId: string, reason: string): Promise<void> {
    return this.#parts.settings.suspend(accountId, reason);
  }

  async #refused(order: Order, reason: string): Promise<void> {
    const { settings: all, clock, log } = this.#parts;
    const { accountId } = order;
    if (!(await this.#isOpen(order))) return;
    await this.#tellRefused(order, reason);
    // The last: an order that is open is asked after again, and all of this done once more.
    const refusal = { reason, restsUntilMs: clock() + CARD_REST_MS, max: REFUSALS_MAX };
    if (!(await all.refuse(order, refusal))) return;
    log.warn("auto_topup_refused", { order: order.id, account: accountId, reason });
  }

  async #tellRefused({ accountId, amount }: Order, reason: string): Promise<void> {
    const settings = await this.#parts.settings.find(accountId);
    if (!settings) return;
    const off = !settings.enabled || settings.refusals + 1 >= REFUSALS_MAX;
    await this.#parts.tell(accountId, { kind: "auto_topup_failed", amount, reason, off });
  }

  /** Stripe does not know us. That is not the card's fault, nor anything that its owner can mend. */
  async #barred(order: Order, thrown: Error): Promise<void> {
    this.#parts.log.error("auto_topup_barred", { order: order.id, thrown });
    const { settings, clock } = this.#parts;
    await settings.bar(order, refusalWords(thrown), clock() + CARD_REST_MS);
  }
}

/** A page for the customer that is known; for a new one where Stripe has none, or not any more. */
async function setupFor(stripe: StripeGate, accountId: string, known: string | null) {
  if (known !== null) {
    try {
      return { customer: known, ...(await stripe.beginSetup(accountId, known)) };
    } catch (thrown) {
      if (!isMissingCustomer(thrown)) throw thrown;
    }
  }
  const customer = await stripe.createCustomer(accountId, known);
  return { customer, ...(await stripe.beginSetup(accountId, customer)) };
}

function isAsked(settings: AutoTopUp): settings is Asked {
  return settings.customer !== null && settings.setup !== null;
}

/** Switched on, with a card that does not rest after a refusal. */
function isDue(settings: AutoTopUp, nowMs: number): settings is Chargeable {
  const { enabled, customer, method, restsUntilMs } = settings;
  const isRested = hasCome(restsUntilMs, nowMs, CARD_REST_MS);
  return enabled && customer !== null && method !== null && isRested;
}

/** An intent that nobody will pay any more without its owner. */
function isOver({ status }: Stripe.PaymentIntent): boolean {
  return ["requires_payment_method", "requires_action", "canceled"].includes(status);
}
