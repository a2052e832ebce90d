import { resolve } from "node:path";
import type { Verification } from "../../ledger/books.ts";
import { FIND_UNTOLD_SQL } from "../migrations/hard-balances.ts";
import { ROOMS } from "../migrations/rooms.ts";
import type { Progress } from "../progress.ts";
import { openSqlite } from "../sqlite/open.ts";
import { ACCOUNT_SUMS, accountLine, differences } from "./account-sums.ts";
import { ColumnSums } from "./column-sums.ts";
import { MoveFault } from "./move-fault.ts";
import { MoveSource, type Row, type SourceTable } from "./source.ts";
import { asKept, MoveTarget } from "./target.ts";

/** What goes over in one statement. */
const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 4_194_304;

interface MoveOptions {
  readonly dataDir: string;
  /** Of a PostgreSQL in which there is no installation. */
  readonly url: string;
  /** Also where the books of the source are not right: what is lost there is lost here. */
  readonly acceptProblems: boolean;
}

interface Moved {
  readonly tables: number;
  readonly rows: number;
  readonly books: Verification;
}

/** About so much of a statement. */
function bytesOf(row: Row): number {
  let bytes = 0;
  for (const value of Object.values(row)) {
    bytes +=
      typeof value === "string" ? value.length : value instanceof Uint8Array ? value.length * 2 : 8;
  }
  return bytes;
}

/** Rows in portions that a statement can have, as the other database keeps them. */
function* portions(table: string, rows: Iterable<Row>): Generator<Row[]> {
  let portion: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const kept = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, asKept(table, name, value)]),
    );
    portion.push(kept);
    bytes += bytesOf(kept);
    if (portion.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

/** Brings all rows of a source over, and what they come to on both sides. */
class Move {
  readonly #source: MoveSource;
  readonly #target: MoveTarget;
  readonly #progress: Progress;
  readonly #total: number;
  #done = 0;

  constructor(source: MoveSource, target: MoveTarget, progress: Progress) {
    this.#source = source;
    this.#target = target;
    this.#progress = progress;
    this.#total = source.tables.reduce((sum, { rows }) => sum + rows, 0);
  }

  async run(): Promise<Moved> {
    const { tables } = this.#source;
    const sums: string[] = [];
    for (const table of tables) {
      await this.#target.prepare(table.name, this.#source.columns(table));
    }
    for (const table of tables) sums.push(...(await this.#copy(table)));
    for (const { name } of tables) await this.#target.finish(name);
    // The first server on PostgreSQL says it, where no server of the files has.
    if (this.#source.money(FIND_UNTOLD_SQL).length > 0) await this.#target.markHardBalances();
    await this.#compare(sums);
    await this.#progress("proving", 0, 1);
    const books = await this.#target.verify();
    // The last moment to give it up.
    await this.#progress("proving", 1, 1);
    return { tables: tables.length, rows: this.#done, books };
  }

  async #copy(table: SourceTable): Promise<string[]> {
    const sums = new ColumnSums(this.#source.columns(table));
    for (const rows of portions(table.name, this.#source.rows(table))) {
      await this.#target.insert(table.name, sums.columns, rows);
      for (const row of rows) sums.add(row);
      this.#done += rows.length;
      await this.#progress("moving", this.#done, this.#total);
    }
    return sums.lines(table.name);
  }

  async #compare(sums: readonly string[]): Promise<void> {
    const { tables } = this.#source;
    const accounts = ACCOUNT_SUMS.flatMap(({ of, sql }) =>
      this.#source.money(sql).map((row) => accountLine(of, row)),
    );
    const arrived: string[] = [];
    for (const [at, table] of tables.entries()) {
      arrived.push(...(await this.#target.columnLines(table.name, this.#source.columns(table))));
      await this.#progress("comparing", at + 1, tables.length);
    }
    arrived.push(...(await this.#target.accountLines()));
    const differing = differences([...sums, ...accounts], arrived);
    if (differing.length > 0) throw new MoveFault("differs", differing.join("\n"));
  }
}

/** What the database says, without its address, in which there is a password. */
function refused(thrown: unknown, url: string): MoveFault {
  if (thrown instanceof MoveFault) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const password = URL.canParse(url) ? decodeURIComponent(new URL(url).password) : "";
  const told = password === "" ? text : text.replaceAll(password, "…");
  return new MoveFault("refused", told.replaceAll(url, "…"), { cause: thrown });
}

/**
 * Moves an installation from its files into an empty PostgreSQL. No server runs meanwhile: this has its place. What a
 * killed one left is entered and ended first, and after that the files are only read. The target gets all rows or none.
 */
export async function moveToPostgres(options: MoveOptions, progress: Progress): Promise<Moved> {
  const { url, acceptProblems } = options;
  const folder = resolve(options.dataDir);
  await using undo = new AsyncDisposableStack();
  const store = await openSqlite(folder, { create: false, serve: true, rooms: ROOMS });
  undo.defer(() => store.close());
  await store.ledger.recover();
  const before = await store.ledger.verify();
  const isRight = before.problems.length === 0;
  if (!isRight && !acceptProblems) throw new MoveFault("wrong_books", before.problems.join("\n"));
  const source = undo.adopt(new MoveSource(folder), (opened) => opened.close());
  let given: { readonly thrown: unknown } | undefined;
  const told: Progress = async (...step) => {
    try {
      await progress(...step);
    } catch (thrown) {
      given = { thrown };
      throw thrown;
    }
  };
  try {
    return await MoveTarget.fill(url, async (target) => {
      const moved = await new Move(source, target, told).run();
      const { problems } = moved.books;
      if (isRight && problems.length > 0) throw new MoveFault("differs", problems.join("\n"));
      return moved;
    });
  } catch (thrown) {
    // Whoever gave up knows why.
    throw given ? given.thrown : refused(thrown, url);
  }
}
