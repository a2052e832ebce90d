import { StorageError } from "../../lib/faults.ts";
import { type MethodsOf, WorkerPort } from "../../lib/threads/worker-port.ts";
import type { MoneyReader } from "../money-reads/reader.ts";
import { NOW_MS_SQL } from "./database.ts";
import type { ReadSettings, ReadTargets } from "./read-worker.ts";

const ENDED = "the reading thread has ended";

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
  return {
    nowMsSql: NOW_MS_SQL,
    read: (statements) => port.call("read", statements),
    // At once: nobody waits for what a page has asked.
    close: () => port.end(),
  };
}
