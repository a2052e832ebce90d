import type { Database } from "bun:sqlite";
import { systemClock } from "../../lib/clock.ts";
import { serveMethods } from "../../lib/threads/worker-port.ts";
import type { ReadStatement } from "../money-reads/reader.ts";
import { closeFile, openFile, openReader } from "./database.ts";
import { applyJournal } from "./journal/apply-journal.ts";

export interface ReadSettings {
  readonly path: string;
}

/** What the main thread may call. */
export type ReadTargets = readonly [
  {
    read(statements: readonly ReadStatement[]): unknown[][];
    /** For when nobody keeps the books: brings what was settled into the rows. */
    settleUp(): void;
  },
];

/** One moment for all: a settlement between two of them would make their sums disagree. */
function readAll(db: Database, statements: readonly ReadStatement[]): unknown[][] {
  db.run("begin");
  try {
    return statements.map(({ text, params }) => db.query(text).all(...params));
  } finally {
    db.run("rollback");
  }
}

function settleUp(path: string): void {
  const db = openFile(path, { create: false, synchronous: "FULL" });
  try {
    applyJournal(db, systemClock());
  } finally {
    closeFile(db);
  }
}

serveMethods<ReadSettings, ReadTargets>(({ path }) => {
  const db = openReader(path);
  const read = (statements: readonly ReadStatement[]) => readAll(db, statements);
  return { targets: [{ read, settleUp: () => settleUp(path) }], close: () => closeFile(db) };
});
