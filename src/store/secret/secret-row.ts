import type { Sql } from "../../lib/sql/sql.ts";

/** What the database knows of the secret, and how far a change of it has come. */
export interface SecretState {
  /** Of the secret that rows are sealed with, or were when a change began. */
  readonly sum: string;
  /** Of the one that takes its place; null while none does. */
  readonly nextSum: string | null;
  /** Every row is sealed with the next one: nothing needs the other any more. */
  readonly resealed: boolean;
}

/** Names the columns as the state does; both databases and a copy of one understand it. */
export const SECRET_STATE =
  'select secret_sum as sum, next_sum as "nextSum", resealed from installation_secret';

export type SecretColumns = Omit<SecretState, "resealed"> & { readonly resealed: number };

export function stateOf(row: SecretColumns): SecretState {
  return { ...row, resealed: row.resealed === 1 };
}

export class SecretRow {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(): Promise<SecretState | undefined> {
    const [row] = await this.#sql.query<SecretColumns>(SECRET_STATE);
    return row && stateOf(row);
  }

  /** Of the first secret that an installation is used with: whoever comes first says which it is. */
  async begin(sum: string): Promise<SecretState | undefined> {
    await this.#sql.query(
      `insert into installation_secret (place, secret_sum, next_sum, resealed)
       values (1, $1, null, 0) on conflict (place) do nothing`,
      [sum],
    );
    return this.find();
  }

  async save({ sum, nextSum, resealed }: SecretState): Promise<void> {
    await this.#sql.query(
      `insert into installation_secret (place, secret_sum, next_sum, resealed)
       values (1, $1, $2, $3)
       on conflict (place) do update set secret_sum = excluded.secret_sum,
         next_sum = excluded.next_sum, resealed = excluded.resealed`,
      [sum, nextSum, Number(resealed)],
    );
  }
}
