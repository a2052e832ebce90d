import type { Database } from "bun:sqlite";
import { serveMethods } from "../../lib/threads/worker-port.ts";
import type { ReadStatement } from "../money-reads/reader.ts";
import { openReader } from "./database.ts";

export interface ReadSettings {
  readonly path: string;
}

/** What the main thread may call. */
export type ReadTargets = readonly [{ read(statements: readonly ReadStatement[]): unknown[][] }];

/** One moment for all: a settlement between two of them would make their sums disagree. */
function readAll(db: Database, statements: readonly ReadStatement[]): unknown[][] {
  db.run("begin");
  try {
    return statements.map(({ text, params }) => db.query(text).all(...params));
  } finally {
    db.run("rollback");
  }
}

serveMethods<ReadSettings, ReadTargets>(({ path }) => {
  const db = openReader(path);
  return { targets: [{ read: (statements) => readAll(db, statements) }], close: () => db.close() };
});
