import { dirname } from "node:path";
import { StorageError } from "../../lib/faults.ts";
import { isFullDisk } from "../../lib/files/full-disk.ts";
import { type MethodsOf, WorkerPort } from "../../lib/threads/worker-port.ts";
import type { MoneyReader } from "../money-reads/reader.ts";
import { NOW_MS_SQL } from "./database.ts";
import { LedgerReleasedError, OwnerConnection } from "./owner/connection.ts";
import type { ReadSettings, ReadTargets } from "./read-worker.ts";

const ENDED = "the reading thread has ended";

/** Has whoever keeps the books write down all that has been settled and held; false where nobody does. */
class Bookkeeping {
  readonly #folder: string;
  #connection: OwnerConnection | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async settleUp(): Promise<boolean> {
    if (!this.#connection || this.#connection.isGone)
      this.#connection = await OwnerConnection.open(this.#folder);
    if (!this.#connection) return false;
    try {
      await this.#connection.ask({ port: "books", name: "settleUp", args: [] });
      return true;
    } catch (thrown) {
      if (thrown instanceof LedgerReleasedError) return this.settleUp();
      throw thrown;
    }
  }

  close(): void {
    this.#connection?.close();
  }
}

/** A thread that only reads the file of money, so that no page of the console holds up a stream. */
export async function startReadThread(path: string): Promise<MoneyReader> {
  const settings: ReadSettings = { path };
  const port = await WorkerPort.open<MethodsOf<ReadTargets>>({
    worker: new Worker(new URL("./read-worker.ts", import.meta.url)),
    settings,
    closed: ENDED,
    ended: ENDED,
    error: (message, options) => new StorageError(message, options),
  });
  const books = new Bookkeeping(dirname(path));
  return {
    nowMsSql: NOW_MS_SQL,
    async read(statements) {
      try {
        if (!(await books.settleUp())) await port.call("settleUp");
      } catch (thrown) {
        // Nothing can be written then. Pages show what was written before, or operators could not see what is wrong.
        if (!isFullDisk(dirname(path), thrown)) throw thrown;
      }
      return port.call("read", statements);
    },
    // At once: nobody waits for what a page has asked.
    async close() {
      books.close();
      await port.end();
    },
  };
}
