import type { Stripe } from "stripe";
import { type AuditLog, newAuditId } from "../accounts/audit.ts";
import type { Principal } from "../accounts/guards.ts";
import { StoredThrottle, type TryWindows } from "../accounts/stored-throttle.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { Log } from "../telemetry/log.ts";
import { centsOf, readCents } from "./amounts.ts";
import type { AutoTopUps } from "./auto-topup.ts";
import type { CardCredit, CardMoney } from "./balance/card-money.ts";
import { eachOnItsOwn } from "./each.ts";
import type { Asker, Order, Refund, RefundStatus } from "./order.ts";
import { isAboutUs, isDefiniteRefusal, refusalWords, type StripeGate } from "./providers/stripe.ts";
import { restoreId } from "./restore-id.ts";
import type { PaymentLedger } from "./store.ts";
import type { RefundRows } from "./tables/refunds.ts";

/** Smaller sums are not worth a refund's fee. */
const REFUND_MIN: NanoUsd = 10_000_000n;
const LIST_MAX = 200;
/** Refunds that an account may ask for in an hour; each is a call to Stripe for every order. */
const REFUNDS_PER_HOUR_MAX = 20;
const HOUR_MS = 3_600_000;
/** Why one ends whose amount did not stay until it was taken. */
const USED = "The balance was used.";
const ENDED: readonly RefundStatus[] = ["done", "failed"];

interface RefundsParts {
  readonly store: RefundRows;
  readonly ledger: PaymentLedger;
  readonly cardMoney: CardMoney;
  readonly autoTopUps: Pick<AutoTopUps, "giveWay" | "takeBack">;
  readonly audit: AuditLog;
  readonly stripe: StripeGate | undefined;
  readonly tries: TryWindows;
  readonly clock: Clock;
  readonly log: Log;
}

interface Requested {
  readonly refunds: readonly Refund[];
  /** They were asked for before: nothing has happened now. */
  readonly replayed: boolean;
}

function sumOf(credits: readonly CardCredit[]): NanoUsd {
  return credits.reduce((sum, { left }) => sum + left, 0n);
}

/** Those of one request count on from its id, so that they are found by it. */
function refundId(request: string, place: number): string {
  return place === 0 ? request : `${request}_${place}`;
}

function askerOf({ userId, name }: Principal): Asker {
  return { line: newAuditId(), userId, name };
}

/**
 * Unused balance back to the card it came from. The balance is reduced before Stripe is asked, so that
 * the money cannot be spent meanwhile, and only what came by card is sent there; a refusal gives it back,
 * and an outcome nobody knows stays as it is until Stripe says which.
 */
export class Refunds {
  readonly #parts: RefundsParts;
  readonly #throttle: StoredThrottle;

  constructor(parts: RefundsParts) {
    this.#parts = parts;
    this.#throttle = new StoredThrottle(parts.tries, HOUR_MS, parts.clock);
  }

  list(accountId: string): Promise<readonly Refund[]> {
    return this.#parts.store.list(accountId, LIST_MAX);
  }

  /** What can go back now: paid by Stripe, not refunded, and not used. */
  async refundable(accountId: string): Promise<NanoUsd> {
    if (!this.#parts.stripe) return 0n;
    return sumOf(await this.#parts.cardMoney.refundable(accountId));
  }

  /**
   * All that can be refunded, or `amount` of it. One refund for each order that it came from. The same id again gives
   * the refunds of before, whatever the amount: whoever made the first of them has the others made, or nobody. The
   * principal is who asks.
   */
  async request(
    accountId: string,
    amount: string | undefined,
    id = newId("ref_"),
    principal?: Principal,
  ): Promise<Requested> {
    if (!this.#parts.stripe) throw new Fault("invalid_value", "Refunds are not available here.");
    const before = await this.#madeBy(id);
    if (before.length > 0) return { refunds: before, replayed: true };
    const credits = await this.#parts.cardMoney.refundable(accountId);
    const most = sumOf(credits);
    if (most < REFUND_MIN) {
      const message = "Nothing that was paid by card is left in the balance to refund.";
      throw new Fault("invalid_value", message, { param: "amount" });
    }
    const range = { min: REFUND_MIN, max: most };
    let left = amount === undefined ? most : readCents(amount, "amount", range);
    await this.#throttle.spend(`refunds of ${accountId}`, REFUNDS_PER_HOUR_MAX);
    const refunds: Refund[] = [];
    for (const { order, left: rest } of credits) {
      const part = rest < left ? rest : left;
      if (part <= 0n) continue;
      const refund = await this.#refund(refundId(id, refunds.length), order, part, principal);
      if (refund) refunds.push(refund);
      // The same request was faster, and goes on with what is left of it.
      else if (refunds.length === 0 && (await this.#parts.store.find(id))) break;
      left -= part;
    }
    if (refunds.length > 0) return { refunds, replayed: false };
    const others = await this.#madeBy(id);
    if (others.length > 0) return { refunds: others, replayed: true };
    throw new Fault("invalid_value", "Another refund is in progress. Try again shortly.", {
      param: "amount",
    });
  }

  async #madeBy(request: string): Promise<readonly Refund[]> {
    const made: Refund[] = [];
    for (;;) {
      const refund = await this.#parts.store.find(refundId(request, made.length));
      if (!refund) return made;
      made.push(refund);
    }
  }

  /** Undefined when another refund was faster. */
  async #refund(
    id: string,
    order: Order,
    amount: NanoUsd,
    principal: Principal | undefined,
  ): Promise<Refund | undefined> {
    const refund: Refund = {
      id,
      accountId: order.accountId,
      orderId: order.id,
      payment: order.payment ?? "",
      amount,
      minor: centsOf(amount),
      kept: 0n,
      status: "reserved",
      reference: null,
      failure: null,
      askedBy: principal ? askerOf(principal) : null,
      createdAtMs: this.#parts.clock(),
    };
    if (!(await this.#parts.store.reserve(refund, order.refunded))) return undefined;
    await this.#drive(refund, "first");
    return (await this.#parts.store.find(refund.id)) ?? refund;
  }

  /** Takes a refund as far as it can go; every step may be done again. */
  async #drive(refund: Refund, attempt: "first" | "again"): Promise<void> {
    if (refund.status === "returning") {
      await this.#return(refund, [], refund.failure ?? "");
      return;
    }
    if (refund.status === "reserved") {
      await this.#name(refund);
      if (!(await this.#take(refund))) return;
    }
    await this.#ask(refund, attempt);
  }

  /** Tells the audit log who asked for it, before any money moves, whoever goes on with it. */
  async #name({ id, accountId, amount, askedBy, createdAtMs }: Refund): Promise<void> {
    if (!askedBy) return;
    const { line, userId, name } = askedBy;
    await this.#parts.audit.write({
      principal: { userId, name, operator: false },
      ...{ accountId, action: "refund.create", target: id, detail: { amount: formatUsd(amount) } },
      kept: { id: line, atMs: createdAtMs },
    });
  }

  /** Takes what was set aside out of the balance. False where that is not, or not all, what was paid by card any more. */
  async #take(refund: Refund): Promise<boolean> {
    const { store, cardMoney, autoTopUps } = this.#parts;
    if (!(await this.#debit(refund))) {
      // Before it has ended: whoever takes up one that has not does this once more.
      await autoTopUps.takeBack(refund);
      await store.move(refund.id, "reserved", "failed", { failure: USED });
      return false;
    }
    // Looked at again now that nobody can use it: until the debit others could, and a code may have come in its place.
    if (!(await cardMoney.covers(refund, refund.amount))) {
      await this.#return(refund, ["reserved"], USED);
      return false;
    }
    await store.move(refund.id, "reserved", "debited");
    return true;
  }

  /** False where too little is left: then nobody has debited it, and nobody will. */
  async #debit(refund: Refund): Promise<boolean> {
    const { ledger, cardMoney, autoTopUps } = this.#parts;
    const { id, accountId, amount } = refund;
    const note = "Refund by Stripe";
    // What came otherwise is not even taken for a moment, in which requests would be refused.
    const isThere = await cardMoney.covers(refund, 0n);
    if (isThere) await autoTopUps.giveWay(refund);
    if (isThere && (await ledger.debit(id, accountId, amount, "refund", note)) !== "short")
      return true;
    return (await ledger.closeDebit(id, accountId, "refund", note)) > 0n;
  }

  async #ask(refund: Refund, attempt: "first" | "again"): Promise<void> {
    try {
      // The first time nothing can be there yet; later the answer may only have been lost.
      const found = attempt === "again" ? await this.#parts.stripe?.findRefund(refund) : undefined;
      // While Stripe took its time another process may have been refused, and have put the amount back.
      if (!found && !(await this.#isDebited(refund))) return;
      const answer = found ?? (await this.#parts.stripe?.refund(refund));
      if (answer) await this.#learn(refund, answer);
    } catch (thrown) {
      const facts = { refund: refund.id, thrown };
      if (!isDefiniteRefusal(thrown)) return this.#parts.log.warn("refund_unknown", facts);
      if (isAboutUs(thrown)) this.#parts.log.error("refund_barred", facts);
      await this.#return(refund, ["debited"], refusalWords(thrown));
    }
  }

  async #isDebited({ id }: Refund): Promise<boolean> {
    return (await this.#parts.store.find(id))?.status === "debited";
  }

  /** Acts on what Stripe says of a refund. False where that cannot be done yet. */
  async #learn(refund: Refund, answer: Stripe.Refund): Promise<boolean> {
    if (answer.status === "succeeded") {
      const facts = { reference: answer.id };
      if (await this.#parts.store.move(refund.id, "debited", "done", facts)) {
        this.#parts.log.info("refunded", { refund: refund.id, amount: formatUsd(refund.amount) });
      }
    } else if (answer.status === "failed" || answer.status === "canceled") {
      const reason = answer.failure_reason ?? answer.status;
      // A refund that had succeeded can still come back from the bank.
      return this.#return(refund, ["debited", "done"], reason, answer.id);
    }
    return true;
  }

  /**
   * Puts the amount back. That it will be is written first: otherwise a crash after the entry would
   * leave a refund that is asked for again although the balance has its money. False while a dispute of
   * its order is about to take: how much of it returns is not known before.
   */
  async #return(
    refund: Refund,
    from: readonly RefundStatus[],
    failure: string,
    reference?: string,
  ): Promise<boolean> {
    const facts = reference === undefined ? { failure } : { failure, reference };
    for (const status of from) await this.#parts.store.move(refund.id, status, "returning", facts);
    const now = await this.#parts.store.find(refund.id);
    if (now?.status !== "returning") return !(now && from.includes(now.status));
    await this.#putBack(now);
    await this.#parts.autoTopUps.takeBack(now);
    await this.#parts.store.move(refund.id, "returning", "failed");
    this.#parts.log.warn("refund_failed", { refund: refund.id, failure });
    return true;
  }

  async #putBack({ id, accountId, amount: debited, kept }: Refund): Promise<void> {
    const amount = debited - kept;
    if (amount <= 0n) return;
    await this.#parts.ledger.credit({
      id: restoreId(id, "back"),
      accountId,
      amount,
      kind: "restore",
      note: "Refund that did not happen",
      createdAtMs: this.#parts.clock(),
    });
  }

  /** What a notice of Stripe's says. False when it is not about a refund of ours as we know it. */
  async notice(answer: Stripe.Refund): Promise<boolean> {
    const { payment_intent: payment, amount, currency } = answer;
    const id = answer.metadata?.refund;
    if (id === undefined) {
      this.#parts.log.warn("refund_not_ours", { reference: answer.id, payment });
      return true;
    }
    const refund = await this.#parts.store.find(id);
    if (!refund || payment !== refund.payment || amount !== Number(refund.minor)) return false;
    if (currency !== "usd") return false;
    // Stripe sends again what is not answered, and sends nothing else that would bring this up once more.
    if (!(await this.#learn(refund, answer)))
      throw new Error("a dispute of the order is about to take");
    return true;
  }

  /**
   * Takes up refunds that were left on their way, as they are by the time it is their turn. What is to be put back
   * does not need Stripe, and others wait for it.
   */
  async reconcile(): Promise<number> {
    const { store, stripe } = this.#parts;
    const open = (await store.listOpen()).filter(({ status }) => stripe || status === "returning");
    await eachOnItsOwn(open, this.#parts.log, async ({ id }) => {
      const refund = await this.#parts.store.find(id);
      if (refund && !ENDED.includes(refund.status)) await this.#drive(refund, "again");
    });
    return open.length;
  }
}
