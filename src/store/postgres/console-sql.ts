import { StorageError } from "../../lib/faults.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { Mutex } from "../../lib/threads/mutex.ts";
import { type Connections, NOW_MS_SQL, type Run } from "./connections.ts";
import { Listener, type ReplyTimeout } from "./pooling/reply-timeout.ts";

/** Any number, as long as no other program locks the same one in this database. */
const TRANSACTION_LOCK = 7_340_266_012;

const READ = /^\s*select\b/i;

type Row = Record<string, unknown>;

/** Values in the form in which the other engine gives them. */
function plain(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "boolean") row[name] = Number(value);
    else if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) {
      row[name] = Number(value);
    }
  }
  return row;
}

function querying(run: Run): Sql["query"] {
  return async <T>(text: string, params: readonly SqlValue[] = []) => {
    try {
      return (await run<Row>(text, params)).map(plain) as T[];
    } catch (thrown) {
      throw StorageError.from(thrown);
    }
  };
}

async function askTime(query: Sql["query"]): Promise<number> {
  const [row] = await query<{ now_ms: number }>(`select ${NOW_MS_SQL} as now_ms`);
  if (!row) throw new StorageError("the database does not say what time it is");
  return row.now_ms;
}

/**
 * The tables of the console in PostgreSQL. Transactions run one at a time over all processes, as on
 * a file, so that what one has read is still so when it writes; they are rare and short. Within a
 * process they queue before they take a connection, or those that wait could keep the one that runs
 * from the connections it needs. So one that is sent into silence holds up all others: `replyTimeout` says what to do about
 * that. Only what nobody's lock keeps waiting is listened for, which is how a transaction begins and what only reads.
 */
export class ConsoleSql implements Sql {
  readonly #connections: Connections;
  readonly #mutex = new Mutex();
  readonly #listener: Listener | undefined;
  readonly query: Sql["query"];

  constructor(connections: Connections, replyTimeout?: ReplyTimeout) {
    this.#connections = connections;
    this.#listener = replyTimeout && new Listener(replyTimeout);
    const { read, run } = connections;
    // A read that finds its connection dead is asked again; a write may have happened.
    this.query = querying((text, params) =>
      READ.test(text) ? this.#hear(read(text, params)) : run(text, params),
    );
  }

  #hear<T>(answer: Promise<T>): Promise<T> {
    return this.#listener?.hear(answer) ?? answer;
  }

  nowMs(): Promise<number> {
    return askTime(this.query);
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#mutex.run(() => this.#atomically(work));
  }

  async #atomically<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    let broke: { readonly thrown: unknown } | undefined;
    const begun = Promise.withResolvers<void>();
    try {
      const ended = this.#connections.transaction(async (run) => {
        begun.resolve();
        await run(`select pg_advisory_xact_lock(${TRANSACTION_LOCK})`, []);
        const query = querying(run);
        const inside: Sql = {
          query,
          nowMs: () => askTime(query),
          transaction: (nested) => nested(inside),
        };
        return work(inside).catch((thrown: unknown) => {
          broke = { thrown };
          throw thrown;
        });
      });
      ended.catch(begun.reject);
      await this.#hear(begun.promise);
      return await ended;
    } catch (thrown) {
      // What the work threw is the caller's own; the rest is the database.
      throw broke ? broke.thrown : thrown;
    }
  }
}
