import { sql } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** Beyond so many doublings every wait is the longest. */
const DOUBLINGS_MAX = 20;

/** When wrong passwords make somebody wait, and how long. */
interface AttemptTerms {
  readonly nowMs: number;
  /** What was before this does not count any more. */
  readonly forgetBeforeMs: number;
  /** So many make nobody wait. */
  readonly free: number;
  /** The first wait, doubled with each further one up to the most. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/** How many there are with this one, and its wait: doubled with each one beyond those that are free. */
function countAndWait({ forgetBeforeMs, free, firstMs, mostMs }: AttemptTerms) {
  const [lastAt, failures] = [
    sql.ref("sign_in_attempts.last_at"),
    sql.ref("sign_in_attempts.failures"),
  ];
  const count = sql<number>`case when ${lastAt} < ${forgetBeforeMs} then 1 else ${failures} + 1 end`;
  const beyond = sql`((${count}) - ${free})`;
  const doubled = sql`${firstMs} * (cast(1 as bigint) << cast(${beyond} - 1 as integer))`;
  const wait = sql`case when ${beyond} <= 0 then 0
    when ${beyond} > ${sql.lit(DOUBLINGS_MAX)} then ${mostMs}
    when ${doubled} > ${mostMs} then ${mostMs}
    else ${doubled} end`;
  return { count, wait };
}

/** Tries to sign in, which all instances share. */
export class SignInTriesTable extends Rows<AccountsTables> {
  /**
   * Counts a try, unless it is too early: then how long it is to wait. One statement, so that tries at
   * the same instant are counted one after the other.
   */
  async begin(name: string, terms: AttemptTerms): Promise<number> {
    const { nowMs, mostMs } = terms;
    const { count, wait } = countAndWait(terms);
    const begun = await this.tables
      .insertInto("sign_in_attempts")
      .values({ name, failures: 1, last_at: nowMs, free_at: 0 })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({
            failures: count,
            last_at: nowMs,
            free_at: sql<number>`${sql.ref("excluded.last_at")} + ${wait}`,
          })
          .where(cameBy("sign_in_attempts.free_at", nowMs, mostMs)),
      )
      .returning("name")
      .execute();
    if (begun.length > 0) {
      await this.#forgetOld(terms);
      return 0;
    }
    const attempts = this.tables.selectFrom("sign_in_attempts").select("free_at");
    const row = await attempts.where("name", "=", name).executeTakeFirst();
    return Math.max(1, (row?.free_at ?? 0) - nowMs);
  }

  /** Those that count no more; most are of addresses that nobody has. */
  async #forgetOld({ forgetBeforeMs, nowMs }: AttemptTerms): Promise<void> {
    await this.tables
      .deleteFrom("sign_in_attempts")
      .where("last_at", "<", forgetBeforeMs)
      .where("free_at", "<=", nowMs)
      .execute();
  }

  async forget(name: string): Promise<void> {
    await this.tables.deleteFrom("sign_in_attempts").where("name", "=", name).execute();
  }

  /**
   * False when this step of the person's factor was used, or a later one. One beyond the latest was used before a clock
   * was set back, and whoever waited for it could not come in until then.
   */
  async takeStep(
    userId: string,
    factor: string,
    { step, latest }: { readonly step: number; readonly latest: number },
  ): Promise<boolean> {
    const rows = await this.tables
      .insertInto("totp_steps")
      .values({ user_id: userId, factor, step })
      .onConflict((conflict) =>
        conflict
          .column("user_id")
          .doUpdateSet({ factor, step })
          .where(({ eb, or }) =>
            or([
              eb("totp_steps.factor", "<>", factor),
              eb("totp_steps.step", "<", step),
              eb("totp_steps.step", ">", latest),
            ]),
          ),
      )
      .returning("user_id")
      .execute();
    return rows.length > 0;
  }

  /**
   * Finishes what the library had begun with somebody's second factor when its process ended: it writes first of the
   * identity whether it has one. One that was switched on had shown a code by then; of one that was switched off nothing
   * is left.
   */
  async finishFactor(userId: string): Promise<void> {
    const isOn = this.tables
      .selectFrom("auth_user")
      .select("id")
      .where((eb) => eb.and({ id: userId, twoFactorEnabled: 1 }));
    await this.tables
      .updateTable("auth_two_factor")
      .set({ verified: true })
      .where((eb) => eb.and({ userId, verified: 0 }))
      .where(({ exists }) => exists(isOn))
      .execute();
    await this.tables
      .deleteFrom("auth_two_factor")
      .where((eb) => eb.and({ userId, verified: 1 }))
      .where(({ not, exists }) => not(exists(isOn)))
      .execute();
  }

  /** Opens somebody's second factor where it is locked for longer than until then. */
  async endLockBeyond(userId: string, latest: Date): Promise<void> {
    await this.tables
      .updateTable("auth_two_factor")
      .set({ failedVerificationCount: 0, lockedUntil: null })
      .where("userId", "=", userId)
      .where("lockedUntil", ">", latest.toISOString())
      .execute();
  }

  /** Ends what was to be confirmed: links to set a password, second factors, trusted browsers. */
  async endChallenges(userId: string): Promise<void> {
    await this.tables.deleteFrom("auth_verification").where("value", "=", userId).execute();
  }

  /** Takes away all that somebody could come in with but the password. */
  async putOut(userId: string): Promise<void> {
    const tables = this.tables;
    await tables.deleteFrom("auth_passkey").where("userId", "=", userId).execute();
    const user = tables.updateTable("auth_user").where("id", "=", userId);
    await user.set({ twoFactorEnabled: false }).execute();
    await tables.deleteFrom("auth_two_factor").where("userId", "=", userId).execute();
    const accounts = tables.deleteFrom("auth_account").where("userId", "=", userId);
    await accounts.where("providerId", "<>", "credential").execute();
    await this.endChallenges(userId);
    // The last, for whoever comes in by one of these a moment before it is gone.
    await tables.deleteFrom("auth_session").where("userId", "=", userId).execute();
  }
}
