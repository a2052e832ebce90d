// Loaded into a server before its program, and by it into each of its threads: once the file that FULL_PAGES names
// is there, the database of money takes no page more than it has, and those that were free are filled.
import { Database } from "bun:sqlite";
import { existsSync, writeFileSync } from "node:fs";

const flag = process.env.FULL_PAGES ?? "";
const LOOK_MS = 10;
/** From what takes many pages down to what fits into the rest of one. */
const FILLERS = [1 << 20, 1 << 16, 1 << 12, 1 << 8, 1 << 4];

const { run } = Database.prototype;

function fill(db: Database): void {
  run.call(db, "create table filler (bytes blob)");
  run.call(db, "pragma max_page_count = 1");
  for (const bytes of FILLERS) {
    try {
      for (;;) run.call(db, `insert into filler values (zeroblob(${bytes}))`);
    } catch {
      // Full for this size.
    }
  }
  writeFileSync(`${flag}.done`, "");
}

Database.prototype.run = function (this: Database, ...args: [string]) {
  // The first thing that a connection of money which writes is told.
  const isMoney = this.filename.endsWith("faregate.sqlite") && !Bun.isMainThread;
  if (isMoney && args[0].startsWith("pragma busy_timeout")) {
    const timer = setInterval(() => {
      if (!existsSync(flag) || this.inTransaction) return;
      clearInterval(timer);
      fill(this);
    }, LOOK_MS);
  }
  return run.apply(this, args);
};
Database.prototype.exec = Database.prototype.run;

const PlainWorker = Worker;
globalThis.Worker = class extends PlainWorker {
  constructor(url: string | URL, options: WorkerOptions = {}) {
    super(url, { ...options, preload: [import.meta.path] });
  }
} as typeof Worker;
