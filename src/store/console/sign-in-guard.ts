import type { AttemptTerms, SignInGuardStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

/** Beyond so many doublings every wait is the longest. */
const DOUBLINGS_MAX = 20;

/** How many there are with this one. */
const COUNT = "(case when a.last_at < $3 then 1 else a.failures + 1 end)";
/** Doubled with each one beyond those that are free. */
const WAIT = `case
    when ${COUNT} <= $4 then 0
    when ${COUNT} - $4 > ${DOUBLINGS_MAX} then $5
    when $6 * (cast(1 as bigint) << cast(${COUNT} - $4 - 1 as integer)) > $5 then $5
    else $6 * (cast(1 as bigint) << cast(${COUNT} - $4 - 1 as integer)) end`;

export class SignInGuardTable implements SignInGuardStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** One statement, so that tries at the same instant are counted one after the other. */
  async begin(name: string, terms: AttemptTerms): Promise<number> {
    const { nowMs, forgetBeforeMs, free, mostMs, firstMs } = terms;
    const begun = await this.#sql.query(
      `insert into sign_in_attempts as a (name, failures, last_at, free_at)
       values ($1, 1, $2, 0)
       on conflict (name) do update set failures = ${COUNT}, last_at = excluded.last_at,
         free_at = excluded.last_at + ${WAIT}
       where a.free_at <= excluded.last_at returning name`,
      [name, nowMs, forgetBeforeMs, free, mostMs, firstMs],
    );
    if (begun.length > 0) return 0;
    const [row] = await this.#sql.query<{ free_at: number }>(
      "select free_at from sign_in_attempts where name = $1",
      [name],
    );
    return Math.max(1, Number(row?.free_at ?? 0) - nowMs);
  }

  async forget(name: string): Promise<void> {
    await this.#sql.query("delete from sign_in_attempts where name = $1", [name]);
  }

  async takeStep(userId: string, factor: string, step: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into totp_steps as t (user_id, factor, step) values ($1, $2, $3)
       on conflict (user_id) do update set factor = excluded.factor, step = excluded.step
       where t.factor <> excluded.factor or t.step < excluded.step returning user_id`,
      [userId, factor, step],
    );
    return rows.length > 0;
  }

  async endChallenges(userId: string): Promise<void> {
    await this.#sql.query("delete from auth_verification where value = $1", [userId]);
  }

  async putOut(userId: string): Promise<void> {
    for (const text of [
      'delete from auth_passkey where "userId" = $1',
      'update auth_user set "twoFactorEnabled" = 0 where id = $1',
      'delete from auth_two_factor where "userId" = $1',
      `delete from auth_account where "userId" = $1 and "providerId" <> 'credential'`,
      "delete from auth_verification where value = $1",
      // The last, for whoever comes in by one of these a moment before it is gone.
      'delete from auth_session where "userId" = $1',
    ]) {
      await this.#sql.query(text, [userId]);
    }
  }
}
