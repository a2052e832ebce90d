// Loaded into a server before its program, and by it into each of its threads: counts what the runtime is asked to
// do, whoever asks. It knows nothing of the store, so that no way past it goes uncounted.
import { Database, type Statement } from "bun:sqlite";
import { closeSync, ftruncateSync, openSync } from "node:fs";
import { join } from "node:path";
import { COUNTED, COUNTS_FOLDER, type Counted } from "./counted.ts";

/** As SQLite numbers them: from here on a commit waits for the disk. */
const SYNCHRONOUS_FULL = 2;

const folder = process.env[COUNTS_FOLDER] ?? "";
const counts = openCounts(join(folder, crypto.randomUUID()));

/** A file of this thread alone, shared with whoever reads it: what was counted survives any death. */
function openCounts(path: string): Float64Array {
  const file = openSync(path, "w");
  ftruncateSync(file, COUNTED.length * Float64Array.BYTES_PER_ELEMENT);
  closeSync(file);
  return new Float64Array(Bun.mmap(path, { shared: true }).buffer);
}

function add(what: Counted, more = 1): void {
  const at = COUNTED.indexOf(what);
  counts[at] = (counts[at] ?? 0) + more;
}

const { query, run, prepare, transaction } = Database.prototype;
/** By texts of its own: one that a server asks for too would be its statement, and counted. */
const numberOf = (db: Database, text: string): number =>
  Number(Object.values(query.call(db, text).get() as object)[0]);

/** Rows that a connection had changed when it was last looked at. */
const changed = new WeakMap<Database, number>();

/** After whatever may have ended a transaction: its rows, and the flush that its commit has waited for. */
function lookAt(db: Database): void {
  if (db.inTransaction) return;
  const before = changed.get(db) ?? 0;
  const now = numberOf(db, "select total_changes() as counted");
  if (now === before) return;
  changed.set(db, now);
  add("rows", now - before);
  if (numberOf(db, "select synchronous as counted from pragma_synchronous") >= SYNCHRONOUS_FULL)
    add("flushes");
}

type Executing = (...args: never[]) => unknown;
const EXECUTING = ["get", "all", "values", "raw", "run", "iterate"] as const;
const wrapped = new WeakSet<Statement>();

function counted<Of extends Statement>(db: Database, statement: Of): Of {
  // A query is kept by its text, and comes back as the same object.
  if (wrapped.has(statement)) return statement;
  wrapped.add(statement);
  for (const name of EXECUTING) {
    const execute = Reflect.get(statement, name) as Executing;
    Reflect.set(statement, name, (...args: never[]) => {
      add("statements");
      try {
        return execute.apply(statement, args);
      } finally {
        lookAt(db);
      }
    });
  }
  return statement;
}

Database.prototype.query = function (this: Database, ...args: [string]) {
  return counted(this, query.apply(this, args) as Statement) as never;
};
Database.prototype.prepare = function (this: Database, ...args: [string]) {
  return counted(this, prepare.apply(this, args) as Statement) as never;
};
Database.prototype.run = function (this: Database, ...args: [string]) {
  add("statements");
  try {
    return run.apply(this, args);
  } finally {
    lookAt(this);
  }
};
Database.prototype.exec = Database.prototype.run;

/** Its beginning and its commit are the runtime's own, which asks nobody for a statement. */
Database.prototype.transaction = function (this: Database, work: Executing) {
  const plain = transaction.call(this, work as never);
  const around =
    (execute: Executing) =>
    (...args: never[]) => {
      add("statements", 2);
      try {
        return execute(...args);
      } finally {
        lookAt(this);
      }
    };
  const { deferred, immediate, exclusive } = plain;
  const modes = { deferred, immediate, exclusive };
  const each = Object.entries(modes).map(([name, execute]) => [name, around(execute as Executing)]);
  return Object.assign(around(plain as Executing), Object.fromEntries(each)) as never;
};

/** A message that another thread wakes up for. */
function countCrossings(target: object, name: string): void {
  const send = Reflect.get(target, name) as Executing;
  Reflect.set(target, name, function (this: unknown, ...args: never[]) {
    add("crossings");
    return send.apply(this, args);
  });
}
countCrossings(Worker.prototype, "postMessage");
countCrossings(MessagePort.prototype, "postMessage");
countCrossings(Atomics, "notify");
if (!Bun.isMainThread) countCrossings(globalThis, "postMessage");

const PlainWorker = Worker;
globalThis.Worker = class extends PlainWorker {
  constructor(url: string | URL, options: WorkerOptions = {}) {
    super(url, { ...options, preload: [import.meta.path] });
  }
} as typeof Worker;
