import { systemClock } from "../../lib/clock.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { Mutex } from "../../lib/threads/mutex.ts";
import { startWriter, type WriterThread } from "./writer-thread.ts";

/**
 * The file of the console. It has one connection, in a thread of its own; what is asked while a
 * transaction runs waits for its end, or it would become a part of it.
 */
export class ConsoleSql implements Sql {
  readonly #thread: WriterThread<"console">;
  readonly #check: () => void;
  readonly #mutex = new Mutex();
  /** Statements inside a transaction go straight to the thread. */
  readonly #inside: Sql = {
    query: async <Row>(text: string, params: readonly SqlValue[] = []) => {
      this.#check();
      return (await this.#thread.call("query", text, params)) as readonly Row[];
    },
    nowMs: () => this.nowMs(),
    transaction: (work) => work(this.#inside),
  };
  /** The transactions that run or wait; zero is the common case. */
  #transactions = 0;

  private constructor(thread: WriterThread<"console">, check: () => void) {
    this.#thread = thread;
    this.#check = check;
  }

  /** `check` throws while nothing may be asked. */
  static async open(path: string, check = () => {}): Promise<ConsoleSql> {
    const thread = await startWriter("console", { path, create: true, owner: "" });
    return new ConsoleSql(thread, check);
  }

  get failed(): Promise<Error> {
    return this.#thread.failed;
  }

  query<Row>(text: string, params: readonly SqlValue[] = []): Promise<readonly Row[]> {
    const ask = () => this.#inside.query<Row>(text, params);
    return this.#transactions === 0 ? ask() : this.#mutex.run(ask);
  }

  /** Whoever has the file open is on one machine. */
  async nowMs(): Promise<number> {
    return systemClock();
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#transactions += 1;
    return this.#mutex
      .run(() => this.#atomically(work))
      .finally(() => {
        this.#transactions -= 1;
      });
  }

  async #atomically<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#check();
    await this.#thread.call("begin");
    try {
      const result = await work(this.#inside);
      this.#check();
      await this.#thread.call("commit");
      return result;
    } catch (thrown) {
      // Also where nothing may be asked: all that came later would be a part of what was never ended.
      await this.#thread.call("rollback");
      throw thrown;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
