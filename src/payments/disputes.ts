import type { Stripe } from "stripe";
import type { AuditEntry, AuditLog } from "../accounts/audit.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import type { Clock } from "../lib/clock.ts";
import { Mutex } from "../lib/threads/mutex.ts";
import type { Log } from "../telemetry/log.ts";
import { nanoOfCents } from "./amounts.ts";
import type { AutoTopUps } from "./auto-topup.ts";
import type { Dispute } from "./dispute.ts";
import { eachOnItsOwn } from "./each.ts";
import type { Order } from "./order.ts";
import { restoreId } from "./restore-id.ts";
import type { PaymentLedger } from "./store.ts";
import type { DisputeRows } from "./tables/disputes.ts";
import type { OrderRows } from "./tables/orders.ts";
import type { RefundRows } from "./tables/refunds.ts";
import type { Tell } from "./tell.ts";

/** A balance that is used while it is looked at is looked at again, so often at once. */
const TRIES_MAX = 4;

/** Who the audit log names for what no person did. */
const STRIPE_PRINCIPAL = { userId: undefined, name: "Stripe", operator: false };

/** Questions of a bank and disputes that were headed off take no money. */
function takesMoney({ status }: Stripe.Dispute): boolean {
  return !status.startsWith("warning_") && status !== "prevented";
}

interface DisputesParts {
  readonly store: DisputeRows;
  readonly orders: OrderRows;
  readonly refunds: RefundRows;
  readonly ledger: PaymentLedger;
  readonly autoTopUps: AutoTopUps;
  readonly audit: AuditLog;
  readonly tell: Tell;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Payments that a payer's bank takes back. What is left of the balance is taken, up to the amount, by
 * an entry under the dispute's id; a dispute that is won gives the same back. Notices come in any
 * order and more than once: each step counts once, by the state of its row and the id of its entry.
 */
export class Disputes {
  readonly #parts: DisputesParts;
  readonly #taking = new Mutex();

  constructor(parts: DisputesParts) {
    this.#parts = parts;
  }

  /** What a notice says. "refused" when it does not fit the payment it names. */
  async notice(
    dispute: Stripe.Dispute,
    reinstated: boolean,
  ): Promise<"noted" | "ignored" | "refused"> {
    const { payment_intent: payment } = dispute;
    const order =
      typeof payment === "string"
        ? await this.#parts.orders.findByPayment("stripe", payment)
        : undefined;
    if (!order) {
      // Perhaps of another use of the Stripe account, perhaps of a payment we have not heard of.
      this.#parts.log.warn("dispute_not_ours", { dispute: dispute.id, payment });
      return "ignored";
    }
    if (dispute.currency !== order.currency || dispute.amount <= 0) return "refused";
    const won = reinstated || dispute.status === "won";
    if (!won && !takesMoney(dispute)) return "noted";
    const row = await this.#row(dispute, order, won);
    if (won) await this.#giveBack(row);
    else if (row.status === "taking") await this.#take(row);
    return "noted";
  }

  /**
   * The row of the dispute, made where there is none. One that begins as won takes nothing; of others it is not told yet
   * whether there is less than the amount.
   */
  async #row(dispute: Stripe.Dispute, order: Order, won: boolean): Promise<Dispute> {
    const asked = nanoOfCents(BigInt(dispute.amount));
    const amount = asked < order.amount ? asked : order.amount;
    const known = await this.#parts.store.find(dispute.id);
    if (known) return known;
    const row: Dispute = {
      id: dispute.id,
      accountId: order.accountId,
      orderId: order.id,
      amount,
      taken: won ? 0n : amount,
      status: won ? "returned" : "taking",
      createdAtMs: this.#parts.clock(),
    };
    return (await this.#parts.store.add(row))
      ? row
      : ((await this.#parts.store.find(dispute.id)) ?? row);
  }

  /** What of an amount is free in the balance now. */
  async #most(accountId: string, amount: NanoUsd): Promise<NanoUsd> {
    const balance = await this.#parts.ledger.balance(accountId);
    const free = balance ? balance.credited - balance.charged - balance.held : 0n;
    return free < amount ? (free > 0n ? free : 0n) : amount;
  }

  /** One after the other: notices come in pairs, what is planned is nobody else's, and owners are told once. */
  #take({ id }: Dispute): Promise<void> {
    return this.#taking.run(async () => {
      const row = await this.#parts.store.find(id);
      if (row?.status === "taking") await this.#takeNow(row);
    });
  }

  async #takeNow(row: Dispute): Promise<void> {
    const { store, autoTopUps } = this.#parts;
    // The first: of a balance that is low by this no card is charged, whoever looks at it before all is done.
    await autoTopUps.suspend(row.accountId, "A payment was disputed.");
    // Its amount is about to be in the balance. None begins to return while the dispute is there to take.
    if (await this.#parts.refunds.isReturning(row.orderId)) return this.#wait(row);
    let { taken: planned } = row;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const taken = await this.#debit(row, planned);
      if (taken !== "short") return this.#taken(row.id, taken);
      // Nothing has happened under this id, so another amount may be set for it.
      const less = await this.#most(row.accountId, row.amount);
      if (await store.plan(row.id, planned, less)) planned = less;
      else planned = (await store.find(row.id))?.taken ?? less;
    }
    this.#wait(row);
  }

  /** It is taken up again, after the refunds. */
  #wait({ id, accountId }: Dispute): void {
    this.#parts.log.warn("dispute_waits", { dispute: id, account: accountId });
  }

  /** What was taken. Another may have planned something else, and have taken that: what counts is what the ledger has. */
  async #debit({ id, accountId }: Dispute, planned: NanoUsd): Promise<NanoUsd | "short"> {
    const { ledger } = this.#parts;
    const note = "Payment disputed by the payer's bank";
    if (planned > 0n) {
      const moved = await ledger.debit(id, accountId, planned, "refund", note);
      if (moved === "short") return moved;
    }
    return ledger.closeDebit(id, accountId, "refund", note);
  }

  async #taken(disputeId: string, taken: NanoUsd): Promise<void> {
    const row = await this.#parts.store.find(disputeId);
    if (row?.status !== "taking") return;
    const { id, accountId, orderId, amount } = row;
    const detail = { order: orderId, amount: formatUsd(amount), taken: formatUsd(taken) };
    await this.#note("dispute.open", row, detail);
    await this.#parts.tell(accountId, { kind: "payment_disputed", amount, taken });
    // The last: what is not done by then is taken up again.
    await this.#parts.store.take(id, taken);
    this.#parts.log.warn("disputed", { dispute: id, account: accountId, order: orderId });
  }

  async #note(action: string, { id, accountId }: Dispute, detail: AuditEntry["detail"]) {
    const entry = { principal: STRIPE_PRINCIPAL, accountId, target: id, detail };
    await this.#parts.audit.write({ ...entry, action, once: true });
  }

  async #giveBack(row: Dispute): Promise<void> {
    if (row.status === "taking") await this.#take(row);
    await this.#parts.store.move(row.id, "taken", "returning");
    const now = await this.#parts.store.find(row.id);
    if (now?.status === "taking") throw new Error("the dispute has not been taken yet");
    if (now?.status === "returning") await this.#return(now);
  }

  async #return(row: Dispute): Promise<void> {
    const { id, accountId, orderId, taken } = row;
    if (taken > 0n) {
      await this.#parts.ledger.credit({
        id: restoreId(id, "won"),
        accountId,
        amount: taken,
        kind: "restore",
        note: "Dispute won",
        createdAtMs: this.#parts.clock(),
      });
    }
    await this.#note("dispute.won", row, { order: orderId, returned: formatUsd(taken) });
    if (!(await this.#parts.store.move(id, "returning", "returned"))) return;
    this.#parts.log.info("dispute_won", { dispute: id, account: accountId });
  }

  /** Takes up disputes that a process has left on their way. */
  async reconcile(): Promise<number> {
    const open = await this.#parts.store.listOpen();
    await eachOnItsOwn(open, this.#parts.log, (row) =>
      row.status === "returning" ? this.#return(row) : this.#take(row),
    );
    return open.length;
  }
}
