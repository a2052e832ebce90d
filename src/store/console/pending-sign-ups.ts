import type { PendingSignUp, PendingSignUpsStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

interface Row {
  readonly hash: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly expires_at: number;
}

export class PendingSignUpsTable implements PendingSignUpsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(pending: PendingSignUp, nowMs: number): Promise<void> {
    const { hash, email, name, passwordHash, expiresAtMs } = pending;
    await this.#sql.query("delete from pending_sign_ups where expires_at <= $1", [nowMs]);
    await this.#sql.query(
      `insert into pending_sign_ups (hash, email, name, password, expires_at)
       values ($1, $2, $3, $4, $5)`,
      [hash, email, name, passwordHash, expiresAtMs],
    );
  }

  async find(hash: string, nowMs: number): Promise<PendingSignUp | undefined> {
    const [row] = await this.#sql.query<Row>(
      "select * from pending_sign_ups where hash = $1 and expires_at > $2",
      [hash, nowMs],
    );
    if (!row) return undefined;
    const { email, name, password: passwordHash, expires_at: expiresAtMs } = row;
    return { hash, email, name, passwordHash, expiresAtMs };
  }

  async take({ hash, email }: PendingSignUp): Promise<boolean> {
    const rows = await this.#sql.query(
      "delete from pending_sign_ups where hash = $1 returning hash",
      [hash],
    );
    if (rows.length > 0) {
      await this.#sql.query("delete from pending_sign_ups where email = $1", [email]);
    }
    return rows.length > 0;
  }
}
