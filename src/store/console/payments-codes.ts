import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { Batch, Code, CodeState, CodeStateName, NewCode } from "../../payments/code.ts";
import type { CodesPage, CodesStore } from "../../payments/store.ts";

/** Rows of one insert: an engine takes only so many values in a statement. */
const ROWS_PER_INSERT = 500;

interface BatchRow {
  readonly id: string;
  readonly amount: string;
  readonly note: string;
  readonly expires_at: number | null;
  readonly created_at: number;
  readonly codes: number;
  readonly redeemed: number;
  readonly revoked: number;
}

interface CodeRow {
  readonly id: string;
  readonly batch_id: string;
  readonly amount: string;
  readonly expires_at: number | null;
  readonly redeemed_by: string | null;
  readonly credited: number;
  readonly revoked_at: number | null;
}

interface StateRow {
  readonly id: string;
  readonly last_four: string;
  readonly redeemed_by: string | null;
  readonly redeemed_person: string | null;
  readonly redeemed_at: number | null;
  readonly revoked_at: number | null;
}

const BATCH_COLUMNS = `id, cast(amount_nano as text) as amount, note, expires_at, created_at, codes,
  (select count(*) from codes where batch_id = code_batches.id and redeemed_at is not null)
    as redeemed,
  (select count(*) from codes where batch_id = code_batches.id and revoked_at is not null)
    as revoked`;
const CODE_COLUMNS = `id, batch_id, cast(amount_nano as text) as amount, expires_at, redeemed_by,
  credited, revoked_at`;
const STATE_COLUMNS = "id, last_four, redeemed_by, redeemed_person, redeemed_at, revoked_at";

const UNUSED = "redeemed_at is null and revoked_at is null";
const WHERE: Readonly<Record<CodeStateName, string>> = {
  unused: UNUSED,
  redeemed: "redeemed_at is not null",
  revoked: "revoked_at is not null",
};

function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    amount: BigInt(row.amount),
    note: row.note,
    expiresAtMs: row.expires_at,
    createdAtMs: row.created_at,
    codes: row.codes,
    redeemed: row.redeemed,
    revoked: row.revoked,
  };
}

function toCode(row: CodeRow): Code {
  return {
    id: row.id,
    batchId: row.batch_id,
    amount: BigInt(row.amount),
    expiresAtMs: row.expires_at,
    redeemedBy: row.redeemed_by,
    credited: row.credited === 1,
    revoked: row.revoked_at !== null,
  };
}

function toState(row: StateRow): CodeState {
  return {
    id: row.id,
    lastFour: row.last_four,
    redeemedBy: row.redeemed_by,
    redeemedPerson: row.redeemed_person,
    redeemedAtMs: row.redeemed_at,
    revokedAtMs: row.revoked_at,
  };
}

async function insertCodes(sql: Sql, batch: Batch, codes: readonly NewCode[]): Promise<void> {
  const params: SqlValue[] = [];
  const rows = codes.map(({ id, hash, lastFour }) => {
    const at = params.length;
    params.push(id, batch.id, hash, lastFour, batch.amount, batch.expiresAtMs);
    return `($${at + 1}, $${at + 2}, $${at + 3}, $${at + 4}, $${at + 5}, $${at + 6}, 0)`;
  });
  await sql.query(
    `insert into codes (id, batch_id, hash, last_four, amount_nano, expires_at, credited)
     values ${rows.join(", ")}`,
    params,
  );
}

export class CodeRows implements CodesStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  addBatch(batch: Batch, codes: readonly NewCode[]): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      await sql.query(
        `insert into code_batches (id, amount_nano, note, expires_at, created_at, codes)
         values ($1, $2, $3, $4, $5, $6)`,
        [batch.id, batch.amount, batch.note, batch.expiresAtMs, batch.createdAtMs, batch.codes],
      );
      for (let at = 0; at < codes.length; at += ROWS_PER_INSERT) {
        await insertCodes(sql, batch, codes.slice(at, at + ROWS_PER_INSERT));
      }
    });
  }

  async findBatch(id: string): Promise<Batch | undefined> {
    const [row] = await this.#sql.query<BatchRow>(
      `select ${BATCH_COLUMNS} from code_batches where id = $1`,
      [id],
    );
    return row && toBatch(row);
  }

  async listBatches(after: string | undefined, limit: number): Promise<readonly Batch[]> {
    const select = `select ${BATCH_COLUMNS} from code_batches`;
    const rows =
      after === undefined
        ? await this.#sql.query<BatchRow>(`${select} order by id desc limit $1`, [limit])
        : await this.#sql.query<BatchRow>(`${select} where id < $1 order by id desc limit $2`, [
            after,
            limit,
          ]);
    return rows.map(toBatch);
  }

  async listCodes(batchId: string, onlyUnused: boolean): Promise<readonly CodeState[]> {
    const rows = await this.#sql.query<StateRow>(
      `select ${STATE_COLUMNS} from codes
       where batch_id = $1 ${onlyUnused ? `and ${UNUSED}` : ""} order by id`,
      [batchId],
    );
    return rows.map(toState);
  }

  async pageOfCodes(batchId: string, page: CodesPage): Promise<readonly CodeState[]> {
    const { state, after = "", limit } = page;
    const rows = await this.#sql.query<StateRow>(
      `select ${STATE_COLUMNS} from codes
       where batch_id = $1 and id > $2 ${state ? `and ${WHERE[state]}` : ""} order by id limit $3`,
      [batchId, after, limit],
    );
    return rows.map(toState);
  }

  async find(hash: string): Promise<Code | undefined> {
    const [row] = await this.#sql.query<CodeRow>(
      `select ${CODE_COLUMNS} from codes where hash = $1`,
      [hash],
    );
    return row && toCode(row);
  }

  async take(
    hash: string,
    accountId: string,
    atMs: number,
    person?: string | undefined,
  ): Promise<Code | undefined> {
    const [row] = await this.#sql.query<CodeRow>(
      `update codes set redeemed_by = $1, redeemed_at = $2, redeemed_person = $3
       where hash = $4 and ${UNUSED} and (expires_at is null or expires_at > $5)
       returning ${CODE_COLUMNS}`,
      [accountId, atMs, person ?? null, hash, atMs],
    );
    return row && toCode(row);
  }

  async revoke(batchId: string, codeId: string | undefined, atMs: number): Promise<number> {
    const one = codeId === undefined ? [] : [codeId];
    const rows = await this.#sql.query(
      `update codes set revoked_at = $1 where batch_id = $2 and ${UNUSED}
       ${codeId === undefined ? "" : "and id = $3"} returning id`,
      [atMs, batchId, ...one],
    );
    return rows.length;
  }

  async markCredited(id: string): Promise<void> {
    await this.#sql.query("update codes set credited = 1 where id = $1", [id]);
  }

  async listOwed(takenUntilMs: number): Promise<readonly Code[]> {
    // Said as the index has it: what is not taken is not in there.
    const rows = await this.#sql.query<CodeRow>(
      `select ${CODE_COLUMNS} from codes
       where redeemed_at is not null and credited = 0 and redeemed_at <= $1 order by id`,
      [takenUntilMs],
    );
    return rows.map(toCode);
  }
}
