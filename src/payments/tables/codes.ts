import type { ExpressionBuilder } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { Batch, Code, CodeState, CodeStateName, NewCode } from "../code.ts";
import { BATCH, CODE, type PaymentsTables } from "./schema.ts";

export interface CodesPage {
  readonly state?: CodeStateName | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Rows of one insert: an engine takes only so many values in a statement. */
const ROWS_PER_INSERT = 500;

type CodeBuilder = ExpressionBuilder<PaymentsTables, "codes">;

const CONDITIONS = {
  unused: (eb: CodeBuilder) => eb.and({ redeemed_at: null, revoked_at: null }),
  redeemed: (eb: CodeBuilder) => eb("redeemed_at", "is not", null),
  revoked: (eb: CodeBuilder) => eb("revoked_at", "is not", null),
} satisfies Record<CodeStateName, unknown>;

/** How many codes of a batch are in a state. */
function counted(eb: ExpressionBuilder<PaymentsTables, "code_batches">, state: CodeStateName) {
  return eb
    .selectFrom("codes")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .whereRef("codes.batch_id", "=", "code_batches.id")
    .where(CONDITIONS[state])
    .$asScalar();
}

type BatchRow = Parameters<typeof BATCH.read>[0] & Pick<Batch, "redeemed" | "revoked">;

function toBatch(row: BatchRow): Batch {
  return { ...BATCH.read(row), redeemed: row.redeemed, revoked: row.revoked };
}

const NEW = {
  redeemedBy: null,
  redeemedPerson: null,
  redeemedAtMs: null,
  revokedAtMs: null,
  credited: false,
};

export class CodeRows extends Rows<PaymentsTables> {
  addBatch(batch: Batch, codes: readonly NewCode[]): Promise<void> {
    const { id: batchId, amount, expiresAtMs } = batch;
    const fresh = { batchId, amount, expiresAtMs, ...NEW };
    const rows = codes.map((code) => ({ ...CODE.cells({ ...code, ...fresh }), hash: code.hash }));
    return this.tables.atomically(async (tables) => {
      await tables.insertInto("code_batches").values(BATCH.cells(batch)).execute();
      for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
        const some = rows.slice(at, at + ROWS_PER_INSERT);
        await tables.insertInto("codes").values(some).execute();
      }
    });
  }

  #batches() {
    return this.tables
      .selectFrom("code_batches")
      .select(BATCH.columns)
      .select((eb) => [
        counted(eb, "redeemed").as("redeemed"),
        counted(eb, "revoked").as("revoked"),
      ]);
  }

  async findBatch(id: string): Promise<Batch | undefined> {
    const row = await this.#batches().where("id", "=", id).executeTakeFirst();
    return row && toBatch(row);
  }

  /** Newest first. */
  async listBatches(after: string | undefined, limit: number): Promise<readonly Batch[]> {
    const all = this.#batches().orderBy("id", "desc").limit(limit);
    const rest = after === undefined ? all : all.where("id", "<", after);
    return (await rest.execute()).map(toBatch);
  }

  #states(batchId: string, state: CodeStateName | undefined) {
    const all = this.tables
      .selectFrom("codes")
      .select(["id", "last_four as lastFour", "redeemed_by as redeemedBy"])
      .select(["redeemed_person as redeemedPerson", "redeemed_at as redeemedAtMs"])
      .select("revoked_at as revokedAtMs")
      .where("batch_id", "=", batchId)
      .orderBy("id");
    return state ? all.where(CONDITIONS[state]) : all;
  }

  listCodes(batchId: string, onlyUnused: boolean): Promise<readonly CodeState[]> {
    return this.#states(batchId, onlyUnused ? "unused" : undefined).execute();
  }

  /** Some of them, in the order of their ids. */
  pageOfCodes(batchId: string, page: CodesPage): Promise<readonly CodeState[]> {
    const { state, after = "", limit } = page;
    return this.#states(batchId, state).where("id", ">", after).limit(limit).execute();
  }

  #select() {
    return this.tables.selectFrom("codes").select(CODE.columns);
  }

  async find(hash: string): Promise<Code | undefined> {
    const row = await this.#select().where("hash", "=", hash).executeTakeFirst();
    return row && CODE.read(row);
  }

  /** Takes the code for the account, in one statement. Undefined when it cannot be taken. */
  async take(
    hash: string,
    accountId: string,
    atMs: number,
    person?: string,
  ): Promise<Code | undefined> {
    const row = await this.tables
      .updateTable("codes")
      .set({ redeemed_by: accountId, redeemed_at: atMs, redeemed_person: person ?? null })
      .where("hash", "=", hash)
      .where(CONDITIONS.unused)
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", atMs)]))
      .returning(CODE.columns)
      .executeTakeFirst();
    return row && CODE.read(row);
  }

  /** Ends codes of a batch that nobody has taken: one of them, or all. How many there were. */
  async revoke(batchId: string, codeId: string | undefined, atMs: number): Promise<number> {
    const all = this.tables
      .updateTable("codes")
      .set({ revoked_at: atMs })
      .where("batch_id", "=", batchId)
      .where(CONDITIONS.unused);
    const some = codeId === undefined ? all : all.where("id", "=", codeId);
    return Number((await some.executeTakeFirst()).numUpdatedRows);
  }

  async markCredited(id: string): Promise<void> {
    await this.tables.updateTable("codes").set({ credited: true }).where("id", "=", id).execute();
  }

  /**
   * Codes whose credit is owed, and that were taken as long ago as whoever took them has for it. What lies ahead by as much
   * is of before a clock was set back.
   */
  async listOwed(nowMs: number, creditingMs: number): Promise<readonly Code[]> {
    // Said as the index has it: what is not taken is not in there.
    const rows = await this.#select()
      .where("redeemed_at", "is not", null)
      .where("credited", "=", literal(0))
      .where(cameBy("redeemed_at", nowMs - creditingMs, creditingMs))
      .orderBy("id")
      .execute();
    return rows.map(CODE.read);
  }
}
