import type { Kysely } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { AutoTopUp } from "../auto-topup.ts";
import type { Order, Refund } from "../order.ts";
import { closeOrder } from "./orders.ts";
import { AUTO_TOPUP, type PaymentsTables } from "./schema.ts";

/** Why it is off for a refund, which is named: that one alone switches it on again. */
const REFUND_ASKED = "A refund was asked for: ";
/** Off for more than one, of which none switches it on again. */
const REFUNDS_ASKED = "Refunds were asked for.";

function reasonOf({ id }: Pick<Refund, "id">): string {
  return `${REFUND_ASKED}${id}.`;
}

async function write(tables: Kysely<PaymentsTables>, settings: AutoTopUp): Promise<void> {
  const cells = AUTO_TOPUP.cells(settings);
  await tables
    .insertInto("auto_topups")
    .values(cells)
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(cells))
    .execute();
}

function update(tables: Kysely<PaymentsTables>, accountId: string) {
  return tables.updateTable("auto_topups").where("account_id", "=", accountId);
}

/** A card, whose it is at Stripe, and the session in which it was saved. */
interface SavedCard {
  readonly setup: string;
  readonly customer: string;
  readonly method: string;
}

/**
 * What happens by itself changes only what it is about: whoever switches automatic top-up off at the
 * same moment finds it off.
 */
export class AutoTopUpRows extends Rows<PaymentsTables> {
  #select() {
    return this.tables.selectFrom("auto_topups").select(AUTO_TOPUP.columns);
  }

  #update(accountId: string) {
    return update(this.tables, accountId);
  }

  async find(accountId: string): Promise<AutoTopUp | undefined> {
    const row = await this.#select().where("account_id", "=", accountId).executeTakeFirst();
    return row && AUTO_TOPUP.read(row);
  }

  /** What somebody chooses by what is there; where that is undefined, it is left as it is. */
  change<Chosen extends AutoTopUp | undefined>(
    accountId: string,
    choose: (before: AutoTopUp | undefined) => Chosen,
  ): Promise<{ readonly before: AutoTopUp | undefined; readonly settings: Chosen }> {
    return this.tables.atomically(async (tables) => {
      // Written to before it is read: what happens by itself waits for the end of this, on PostgreSQL too.
      const row = await tables
        .updateTable("auto_topups")
        .set((eb) => ({ account_id: eb.ref("account_id") }))
        .where("account_id", "=", accountId)
        .returning(AUTO_TOPUP.columns)
        .executeTakeFirst();
      const before = row && AUTO_TOPUP.read(row);
      const settings = choose(before);
      if (settings) await write(tables, settings);
      return { before, settings };
    });
  }

  /** Those that are switched on, have a card, and do not rest after a refusal. */
  async listDue(nowMs: number, restMs: number): Promise<readonly AutoTopUp[]> {
    const rows = await this.#select()
      .where("enabled", "=", 1)
      .where("method", "is not", null)
      .where(cameBy("rests_until", nowMs, restMs))
      .orderBy("account_id")
      .execute();
    return rows.map(AUTO_TOPUP.read);
  }

  /**
   * Where there never was one, a card of any session; else only one of the session that was begun last, so that no older
   * card takes the place of a newer one, nor one that was refused its own. False when it is not kept.
   */
  async keepCard(accountId: string, { setup, customer, method }: SavedCard): Promise<boolean> {
    const kept = this.#update(accountId)
      .where("customer", "=", customer)
      .where((eb) =>
        eb.or([
          eb("setup", "=", setup),
          eb("method", "=", method),
          eb.and([eb("method", "is", null), eb("refusals", "=", 0)]),
        ]),
      )
      // Those of another card count no more; told once more, a card keeps its own.
      .set((eb) => ({
        method,
        refusals: eb.case().when("method", "is", null).then(0).else(eb.ref("refusals")).end(),
      }));
    return (await kept.executeTakeFirst()).numUpdatedRows === 1n;
  }

  /** Nobody saves a card in this session any more. */
  async endSetup(accountId: string, setup: string): Promise<void> {
    await this.#update(accountId).where("setup", "=", setup).set({ setup: null }).execute();
  }

  /** Switched off by what happened. Where it is off for a refund, that does not switch it on again any more. */
  async suspend(accountId: string, reason: string): Promise<void> {
    await this.#update(accountId)
      .where((eb) => eb.or([eb("enabled", "=", 1), eb("failure", "like", `${REFUND_ASKED}%`)]))
      .set({ enabled: false, failure: reason })
      .execute();
  }

  /** Switched off for a refund; where it is off for another one, for both. */
  async giveWay(refund: Pick<Refund, "id" | "accountId">): Promise<void> {
    const reason = reasonOf(refund);
    await this.#update(refund.accountId)
      .where((eb) =>
        eb.or([
          eb("enabled", "=", 1),
          eb.and([eb("failure", "like", `${REFUND_ASKED}%`), eb("failure", "<>", reason)]),
        ]),
      )
      .set((eb) => ({
        enabled: false,
        failure: eb.case().when("enabled", "=", 1).then(reason).else(REFUNDS_ASKED).end(),
      }))
      .execute();
  }

  /** Switched on again where it is off for this refund and nothing else. */
  async takeBack(refund: Pick<Refund, "id" | "accountId">): Promise<void> {
    await this.#update(refund.accountId)
      .where((eb) => eb.and([eb("enabled", "=", 0), eb("failure", "=", reasonOf(refund))]))
      .set({ enabled: true, failure: null })
      .execute();
  }

  /** Ends an order and counts it as a refusal, the last of so many of which switches off. False where it had ended. */
  refuse(
    { id, accountId }: Pick<Order, "id" | "accountId">,
    refusal: { readonly reason: string; readonly restsUntilMs: number; readonly max: number },
  ): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      if (!(await closeOrder(tables, id, "failed", refusal.reason))) return false;
      await update(tables, accountId)
        .set((eb) => ({
          failure: refusal.reason,
          rests_until: refusal.restsUntilMs,
          refusals: eb("refusals", "+", 1),
          enabled: eb
            .case()
            .when(eb("refusals", ">=", refusal.max - 1))
            .then(eb.lit(0))
            .else(eb.ref("enabled"))
            .end(),
        }))
        .execute();
      return true;
    });
  }

  /** Ends an order that failed through no fault of the card, which is not charged before then. */
  bar(
    { id, accountId }: Pick<Order, "id" | "accountId">,
    reason: string,
    untilMs: number,
  ): Promise<void> {
    return this.tables.atomically(async (tables) => {
      await closeOrder(tables, id, "failed", reason);
      await update(tables, accountId).set({ rests_until: untilMs }).execute();
    });
  }

  /** By what was found then, unless something else was chosen or has happened since. At zero there is no rest. */
  async restUntil(
    {
      accountId,
      dailyMax,
      restsUntilMs,
    }: Pick<AutoTopUp, "accountId" | "dailyMax" | "restsUntilMs">,
    untilMs: number,
  ): Promise<void> {
    await this.#update(accountId)
      .set({ rests_until: untilMs })
      .where("daily_max_nano", "=", dailyMax)
      .where("rests_until", "=", restsUntilMs)
      .execute();
  }

  /** Of rests that are over: nobody will come of them. */
  async forgetRests(nowMs: number, restMs: number): Promise<void> {
    await this.tables
      .updateTable("auto_topups")
      .set({ rests_until: 0 })
      .where("rests_until", ">", 0)
      .where(cameBy("rests_until", nowMs, restMs))
      .execute();
  }
}
