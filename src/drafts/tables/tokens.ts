import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { DraftsTables } from "./schema.ts";

/** Whose token: the platform's address, the public account, and a sum of the secret it came by. */
export interface TokenKey {
  readonly box: string;
  readonly appid: string;
  /** Part of the key, so that who does not know the secret does not meet the token. */
  readonly secretSum: string;
}

export interface StoredToken {
  readonly sealed: string;
  /** Tells tokens apart without opening them. */
  readonly sum: string;
  readonly refreshAtMs: number;
}

export class TokenRows extends Rows<DraftsTables> {
  async find({ box, appid, secretSum }: TokenKey): Promise<StoredToken | undefined> {
    const row = await this.tables
      .selectFrom("draft_tokens")
      .select(["sealed", "sum", "refresh_at"])
      .where(({ and }) => and({ box, appid, secret_sum: secretSum }))
      .executeTakeFirst();
    if (!row || row.sealed === null || row.sum === null) return undefined;
    return { sealed: row.sealed, sum: row.sum, refreshAtMs: row.refresh_at };
  }

  /** True for the one caller, of all processes, that shall fetch a token now. */
  async takeLease(
    { box, appid, secretSum }: TokenKey,
    owner: string,
    nowMs: number,
    untilMs: number,
  ): Promise<boolean> {
    const turn = { turn_owner: owner, turn_until: untilMs };
    const rows = await this.tables
      .insertInto("draft_tokens")
      .values({ box, appid, secret_sum: secretSum, refresh_at: 0, ...turn })
      .onConflict((conflict) =>
        conflict
          .columns(["box", "appid", "secret_sum"])
          .doUpdateSet(turn)
          .where(cameBy("draft_tokens.turn_until", nowMs, untilMs - nowMs))
          .where("draft_tokens.refresh_at", "<=", nowMs),
      )
      .returning("box")
      .execute();
    return rows.length === 1;
  }

  /** False when the turn is somebody else's by now. */
  async renewLease(key: TokenKey, owner: string, untilMs: number): Promise<boolean> {
    const rows = await this.#leaseOf(key, owner)
      .set({ turn_until: untilMs })
      .returning("box")
      .execute();
    return rows.length === 1;
  }

  /** Keeps the token and ends the turn. */
  async save(
    key: TokenKey,
    owner: string,
    { sealed, sum, refreshAtMs }: StoredToken,
  ): Promise<void> {
    const token = { sealed, sum, refresh_at: Math.floor(refreshAtMs) };
    await this.#leaseOf(key, owner)
      .set({ ...token, turn_owner: null, turn_until: 0 })
      .execute();
  }

  async endLease(key: TokenKey, owner: string): Promise<void> {
    await this.#leaseOf(key, owner).set({ turn_owner: null, turn_until: 0 }).execute();
  }

  /** Only where the stored token is still the one with this sum. */
  async drop({ box, appid, secretSum }: TokenKey, sum: string): Promise<void> {
    await this.tables
      .updateTable("draft_tokens")
      .set({ sealed: null, sum: null, refresh_at: 0 })
      .where(({ and }) => and({ box, appid, secret_sum: secretSum, sum }))
      .execute();
  }

  #leaseOf({ box, appid, secretSum }: TokenKey, owner: string) {
    return this.tables
      .updateTable("draft_tokens")
      .where(({ and }) => and({ box, appid, secret_sum: secretSum, turn_owner: owner }));
  }
}
