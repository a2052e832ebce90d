import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** Somebody who signs up and has not shown yet that the address is theirs. */
export interface PendingSignUp {
  /** What is stored of the token in the link. */
  readonly hash: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly expiresAtMs: number;
}

export class PendingSignUpsTable extends Rows<AccountsTables> {
  #delete() {
    return this.tables.deleteFrom("pending_sign_ups");
  }

  async add(pending: PendingSignUp, nowMs: number): Promise<void> {
    await this.#delete().where("expires_at", "<=", nowMs).execute();
    await this.putBack(pending);
  }

  /** One that was taken for nothing. */
  async putBack(pending: PendingSignUp): Promise<void> {
    const { hash, email, name, passwordHash: password, expiresAtMs: expires_at } = pending;
    await this.tables
      .insertInto("pending_sign_ups")
      .values({ hash, email, name, password, expires_at })
      .execute();
  }

  find(hash: string, nowMs: number): Promise<PendingSignUp | undefined> {
    return this.tables
      .selectFrom("pending_sign_ups")
      .select(["hash", "email", "name", "password as passwordHash", "expires_at as expiresAtMs"])
      .where("hash", "=", hash)
      .where("expires_at", ">", nowMs)
      .executeTakeFirst();
  }

  /** False when it was taken already. Others of the same address go with it. */
  async take({ hash, email }: PendingSignUp): Promise<boolean> {
    const { numDeletedRows } = await this.#delete().where("hash", "=", hash).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await this.#delete().where("email", "=", email).execute();
    return true;
  }
}
