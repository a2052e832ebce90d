import { Database } from "bun:sqlite";
import { inThread } from "../../lib/thread.ts";
import type { ReadStatement } from "../money-reads/reader.ts";
import { BUSY_TIMEOUT_MS } from "./database.ts";

export interface ReadSettings {
  readonly path: string;
}

export interface ReadRequest {
  readonly id: number;
  readonly statements: readonly ReadStatement[];
}

export interface ReadReply {
  readonly id: number;
  readonly rows?: readonly (readonly unknown[])[];
  readonly failure?: string;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** One moment for all: a settlement between two of them would make their sums disagree. */
function readAll(db: Database, statements: readonly ReadStatement[]): unknown[][] {
  db.run("begin");
  try {
    return statements.map(({ text, params }) => db.query(text).all(...params));
  } finally {
    db.run("rollback");
  }
}

function answer(db: Database, { id, statements }: ReadRequest): ReadReply {
  // Whatever is thrown becomes an answer: a thread that dies would leave every page hanging.
  try {
    return { id, rows: readAll(db, statements) };
  } catch (thrown) {
    return { id, failure: messageOf(thrown) };
  }
}

inThread<ReadSettings, ReadReply>(({ path }, port) => {
  try {
    const db = new Database(path, { readonly: true, strict: true });
    db.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    port.answer((request: ReadRequest) => answer(db, request));
    port.post({ id: 0 });
  } catch (thrown) {
    port.post({ id: 0, failure: messageOf(thrown) });
  }
});
