import type { SQL } from "bun";
import { itemName } from "../../conversations/item-name.ts";
import { MARK_SQL } from "../migrations/hard-balances.ts";
import { ROOMS } from "../migrations/rooms.ts";
import { openPostgres, verifyTables } from "../postgres/open.ts";
import { Pool } from "../postgres/pooling/pool.ts";
import { storable } from "../rows.ts";
import { ACCOUNT_SUMS, accountLine } from "./account-sums.ts";
import { sumLine } from "./column-sums.ts";
import { wasMoved } from "./lost-commit.ts";
import { MoveFault } from "./move-fault.ts";
import type { Row, Value } from "./source.ts";

/** Tables that have a row as soon as they are made, which the source's takes the place of. */
const BORN_WITH_ROWS = ["operator_revision"];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isCounted: boolean;
}

/** A value as the other database keeps it: ids of items may be what no index of its takes. */
export function asKept(table: string, column: string, value: Value): Value {
  if (typeof value !== "string") return value;
  const isItemId = table === "response_items" && column === "item_id";
  return isItemId ? itemName(value) : storable(value);
}

/** A cell as a text that PostgreSQL reads into a column of any type. */
function asText(value: Value): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  return String(value);
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** An empty PostgreSQL on its way to become the installation, within one transaction. */
export class MoveTarget {
  readonly #run: (text: string, params?: readonly string[]) => Promise<Rows>;
  readonly #columns = new Map<string, readonly Column[]>();

  private constructor(run: (text: string, params?: readonly string[]) => Promise<Rows>) {
    this.#run = run;
  }

  /** Makes the tables, and then all that `work` does, or nothing of it. */
  static async fill<T>(url: string, work: (target: MoveTarget) => Promise<T>): Promise<T> {
    const pool = new Pool(url, 1, { application_name: "faregate" });
    try {
      await requireNoInstallation(pool.sql);
      await (await openPostgres(url, { create: true, serve: false, rooms: ROOMS })).close();
      return await MoveTarget.#committed(url, pool, work);
    } finally {
      await pool.sql.close();
    }
  }

  static async #committed<T>(
    url: string,
    pool: Pool,
    work: (target: MoveTarget) => Promise<T>,
  ): Promise<T> {
    let worked: { readonly xid: string; readonly result: T } | undefined;
    try {
      await pool.begin("", async (tx) => {
        const target = new MoveTarget(
          async (text, params = []) => (await tx.unsafe(text, [...params])) as Rows,
        );
        const xid = await target.#take();
        worked = { xid, result: await work(target) };
      });
    } catch (thrown) {
      // With all of it sent, the answer to its end may have been lost.
      const isMoved = worked ? await wasMoved(url, worked.xid) : false;
      if (isMoved === undefined) throw new MoveFault("unknown", "", { cause: thrown });
      if (!isMoved) throw thrown;
    }
    return (worked as NonNullable<typeof worked>).result;
  }

  /** From now on nobody else reads or writes here; a server that starts waits for the end. The number of all this. */
  async #take(): Promise<string> {
    await this.#run("lock table accounts in access exclusive mode");
    const columns = await this.#run(
      `select table_name, column_name, data_type, is_identity from information_schema.columns
       where table_schema = current_schema() order by table_name, ordinal_position`,
    );
    for (const [table, rows] of Map.groupBy(columns, (row) => String(row.table_name))) {
      this.#columns.set(
        table,
        rows.map((row) => ({
          name: String(row.column_name),
          type: String(row.data_type),
          isCounted: row.is_identity === "YES",
        })),
      );
    }
    const [row] = await this.#run("select pg_current_xact_id()::text as xid");
    return String(row?.xid);
  }

  /** Throws where the table has rows, or no place for one of these columns. */
  async prepare(table: string, columns: readonly string[]): Promise<void> {
    const there = this.#columns.get(table)?.map(({ name }) => name) ?? [];
    const missing = columns.filter((name) => !there.includes(name));
    if (missing.length > 0) {
      throw new Error(`PostgreSQL has no place for ${missing.join(", ")} of ${table}`);
    }
    if (BORN_WITH_ROWS.includes(table)) await this.#run(`delete from ${quoted(table)}`);
    const [row] = await this.#run(`select 1 as one from ${quoted(table)} limit 1`);
    if (row) throw new MoveFault("not_empty", table);
    // Sums that the database keeps by itself come with the rows.
    await this.#run(`alter table ${quoted(table)} disable trigger user`);
  }

  async insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    const cells = rows.map((row) =>
      Object.fromEntries(columns.map((name) => [name, asText(row[name] ?? null)])),
    );
    const names = columns.map(quoted).join(", ");
    await this.#run(
      `insert into ${quoted(table)} (${names}) overriding system value
       select ${names} from json_populate_recordset(null::${quoted(table)}, $1::text::json)`,
      [JSON.stringify(cells)],
    );
  }

  /** Goes on counting where the rows end, and keeps sums by itself again. */
  async finish(table: string): Promise<void> {
    await this.#run(`alter table ${quoted(table)} enable trigger user`);
    for (const { name, isCounted } of this.#columns.get(table) ?? []) {
      if (!isCounted) continue;
      await this.#run(
        `select setval(pg_get_serial_sequence('${quoted(table)}', '${name}'),
           coalesce(max(${quoted(name)}), 0) + 1, false) from ${quoted(table)}`,
      );
    }
    await this.#run(`analyze ${quoted(table)}`);
  }

  async columnLines(table: string, columns: readonly string[]): Promise<string[]> {
    const types = new Map(this.#columns.get(table)?.map(({ name, type }) => [name, type]));
    const cells = columns.map((name, at) => {
      const isText = /^(?:text|bytea|character varying)$/.test(types.get(name) ?? "");
      const size = isText ? `octet_length(${quoted(name)})` : `${quoted(name)}::numeric`;
      return `count(${quoted(name)})::text as f${at}, coalesce(sum(${size}), 0)::text as t${at}`;
    });
    const [row] = await this.#run(
      `select count(*)::text as rows, ${cells.join(", ")} from ${quoted(table)}`,
    );
    return [
      `${table}: ${row?.rows} rows`,
      ...columns.map((name, at) =>
        sumLine(table, name, String(row?.[`f${at}`]), String(row?.[`t${at}`])),
      ),
    ];
  }

  async accountLines(): Promise<string[]> {
    const lines: string[] = [];
    for (const { of, sql } of ACCOUNT_SUMS) {
      const rows = await this.#run(sql);
      lines.push(...rows.map((row) => accountLine(of, Object.values(row))));
    }
    return lines;
  }

  /** A server has yet to say that balances are hard. */
  async markHardBalances(): Promise<void> {
    await this.#run(MARK_SQL);
  }

  verify(): ReturnType<typeof verifyTables> {
    return verifyTables((text) => this.#run(text));
  }
}

/** Before a table of an installation is so much as brought up to date. */
async function requireNoInstallation(sql: SQL): Promise<void> {
  const [found] = await sql.unsafe("select to_regclass('accounts') is not null as there");
  if (!found?.there) return;
  const [row] = await sql.unsafe("select 1 as one from accounts limit 1");
  if (row) throw new MoveFault("not_empty", "accounts");
}
