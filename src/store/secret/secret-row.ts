import type { Kysely } from "kysely";
import type { Flag } from "../../lib/sql/flag.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { tablesOf } from "../../lib/sql/tables.ts";

/** What the database knows of the secret, and how far a change of it has come. */
interface SecretState {
  /** Of the secret that rows are sealed with, or were when a change began. */
  readonly sum: string;
  /** Of the one that takes its place; null while none does. */
  readonly nextSum: string | null;
  /** Every row is sealed with the next one: nothing needs the other any more. */
  readonly resealed: boolean;
}

interface SecretTables {
  readonly installation_secret: {
    readonly place: number;
    readonly secret_sum: string;
    readonly next_sum: string | null;
    readonly resealed: Flag;
  };
}

export class SecretRow {
  readonly #tables: Kysely<SecretTables>;

  constructor(sql: Sql) {
    this.#tables = tablesOf(sql);
  }

  async find(): Promise<SecretState | undefined> {
    const row = await this.#tables
      .selectFrom("installation_secret")
      .select(["secret_sum as sum", "next_sum as nextSum", "resealed"])
      .executeTakeFirst();
    return row && { ...row, resealed: row.resealed === 1 };
  }

  async save({ sum, nextSum, resealed }: SecretState): Promise<void> {
    const state = { secret_sum: sum, next_sum: nextSum, resealed };
    await this.#tables
      .insertInto("installation_secret")
      .values({ place: 1, ...state })
      .onConflict((conflict) => conflict.column("place").doUpdateSet(state))
      .execute();
  }
}
