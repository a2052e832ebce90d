import { StorageError } from "../../lib/faults.ts";
import { Thread } from "../../lib/thread.ts";
import type { MoneyReader, ReadStatement } from "../money-reads/reader.ts";
import type { ReadReply, ReadRequest, ReadSettings } from "./read-worker.ts";

type Rows = readonly (readonly unknown[])[];

/** SQLite's clock, in milliseconds since 1970. */
const NOW_MS_SQL = "cast(round(unixepoch('subsec') * 1000) as integer)";

/** A thread that only reads the file of money, so that no page of the console holds up a stream. */
export class ReadThread implements MoneyReader {
  readonly nowMsSql = NOW_MS_SQL;
  readonly #thread: Thread<ReadRequest, ReadReply>;
  readonly #pending = new Map<number, PromiseWithResolvers<Rows>>();
  #nextId = 1;
  #dead: Error | undefined;

  private constructor(path: string) {
    const worker = new Worker(new URL("./read-worker.ts", import.meta.url));
    const settings: ReadSettings = { path };
    this.#thread = new Thread(worker, settings, {
      heard: (reply) => this.#receive(reply),
      ended: (cause) => this.#end(cause),
    });
  }

  static async start(path: string): Promise<ReadThread> {
    const thread = new ReadThread(path);
    const started = Promise.withResolvers<Rows>();
    thread.#pending.set(0, started);
    try {
      await started.promise;
    } catch (thrown) {
      await thread.close();
      throw thrown;
    }
    return thread;
  }

  read(statements: readonly ReadStatement[]): Promise<Rows> {
    // A message to a dead thread raises no error and gets no answer.
    if (this.#dead) return Promise.reject(this.#dead);
    const id = this.#nextId++;
    const asked = Promise.withResolvers<Rows>();
    this.#pending.set(id, asked);
    this.#thread.send({ id, statements });
    return asked.promise;
  }

  async close(): Promise<void> {
    this.#end(undefined);
    await this.#thread.end();
  }

  #receive({ id, rows = [], failure }: ReadReply): void {
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure === undefined) asked?.resolve(rows);
    else asked?.reject(new StorageError(failure));
  }

  #end(cause: unknown): void {
    if (this.#dead) return;
    this.#dead = new StorageError("the reading thread has ended", { cause });
    for (const asked of this.#pending.values()) asked.reject(this.#dead);
    this.#pending.clear();
  }
}
