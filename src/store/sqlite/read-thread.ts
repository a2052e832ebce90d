import { StorageError } from "../../lib/faults.ts";
import { type MethodsOf, WorkerPort } from "../../lib/threads/worker-port.ts";
import type { MoneyReader, ReadStatement } from "../money-reads/reader.ts";
import type { ReadSettings, ReadTargets } from "./read-worker.ts";

type ReadPort = WorkerPort<MethodsOf<ReadTargets>>;
type Rows = readonly (readonly unknown[])[];

/** SQLite's clock, in milliseconds since 1970. */
const NOW_MS_SQL = "cast(round(unixepoch('subsec') * 1000) as integer)";
const ENDED = "the reading thread has ended";

/** A thread that only reads the file of money, so that no page of the console holds up a stream. */
export class ReadThread implements MoneyReader {
  readonly nowMsSql = NOW_MS_SQL;
  readonly #port: ReadPort;

  private constructor(port: ReadPort) {
    this.#port = port;
  }

  static async start(path: string): Promise<ReadThread> {
    const settings: ReadSettings = { path };
    const port: ReadPort = await WorkerPort.open({
      worker: new Worker(new URL("./read-worker.ts", import.meta.url)),
      settings,
      closed: ENDED,
      ended: ENDED,
      error: (message, options) => new StorageError(message, options),
    });
    return new ReadThread(port);
  }

  read(statements: readonly ReadStatement[]): Promise<Rows> {
    return this.#port.call("read", statements);
  }

  /** At once: nobody waits for what a page has asked. */
  close(): Promise<void> {
    return this.#port.end();
  }
}
