import { SQL } from "bun";
import { StorageError } from "../../lib/faults.ts";
import { storable } from "../rows.ts";
import { Pool, READ_COMMITTED, WHERE_BEGUN } from "./pooling/pool.ts";
import { mustKeepSessions } from "./pooling/sessions.ts";

type Param = string | number | bigint | Uint8Array | null;

/** Rows of a statement; `count` of those it touched. */
type Rows<T = unknown> = readonly T[] & { readonly count: number };

/** Runs one statement, on any connection or inside a transaction. */
export type Run = <T = unknown>(text: string, params: readonly Param[]) => Promise<Rows<T>>;

const SETTINGS = {
  application_name: "faregate",
  /** A process that stops in the middle of a transaction must not keep others from its scopes. */
  idle_in_transaction_session_timeout: "10s",
};

/**
 * Money finds every row by its key, a few hundred at most. A plan made while a table was small and
 * kept when it has grown would read all of it, so only the plans that go by index are allowed.
 */
const MONEY_SETTINGS = {
  ...SETTINGS,
  /** Also of a statement by itself: behind its locks it must see what others have written while it waited. */
  default_transaction_isolation: "read committed",
  /** Of the rows of a batch: shorter than others wait for an account that is locked. */
  idle_in_transaction_session_timeout: "3s",
  statement_timeout: "30s",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  // What is switched off above seems costly to PostgreSQL, and to compile a plan would cost far more than to run it.
  jit: "off",
};

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
export const NOW_MS_SQL = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** SQLSTATE classes in which the server, not the statement, is at fault. */
const OUTAGE_CLASSES = ["08", "53", "57", "58"];

const READ_ONLY_TRANSACTION = "25006";

/** A database that takes no writes is left for new connections at most so often. */
const LEAVE_MS = 1_000;
/** What is under way on those that are left has so long to end. */
const LEFT_SECONDS = 30;

/** Whether the database is away, as opposed to having refused this statement. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof SQL.PostgresError)) return false;
  if (thrown.code === "ERR_POSTGRES_COMMIT_ROLLED_BACK") return false;
  if (thrown.code !== "ERR_POSTGRES_SERVER_ERROR") return true;
  return OUTAGE_CLASSES.includes(String(thrown.errno).slice(0, 2)) || isReadOnly(thrown);
}

/** Whether the connection was lost, perhaps long ago: a new one may do. */
export function isDisconnection(thrown: unknown): boolean {
  return thrown instanceof SQL.PostgresError && thrown.code.startsWith("ERR_POSTGRES_CONNECTION_");
}

/** The five characters by which PostgreSQL names an error. */
export function sqlState(thrown: unknown): string | undefined {
  return thrown instanceof SQL.PostgresError ? thrown.errno : undefined;
}

/** Whether the database takes no writes, as a standby does, or one that its service has shut since its disk is nearly full. */
function isReadOnly(thrown: unknown): boolean {
  return sqlState(thrown) === READ_ONLY_TRANSACTION;
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Whether somebody else has had a row for longer than it is waited for. */
export function isLockTimeout(thrown: unknown): boolean {
  return sqlState(thrown) === LOCK_NOT_AVAILABLE;
}

/** A statement that waits to be sent with others. */
export interface Statement {
  readonly text: string;
  readonly params: readonly (string | null)[];
}

function oneRow<Row>([row]: readonly unknown[]): Row {
  if (row === undefined) throw new Error("the database returned no row");
  return row as Row;
}

/** Asks one more statement within the same transaction. */
export type Ask = <T>(statement: Statement) => Promise<readonly T[]>;

/** The connections of one process: one for money, a few for everything else. */
export class Connections {
  readonly #newMoney: () => Pool;
  readonly #newOthers: () => Pool;
  #money: Pool;
  #others: Pool;
  #leftAtMs = Number.NEGATIVE_INFINITY;

  constructor(url: string, max: number, lockWaitMs: number) {
    const settings = { ...MONEY_SETTINGS, lock_timeout: `${lockWaitMs}ms` };
    this.#newMoney = () => new Pool(url, 1, settings);
    this.#newOthers = () => new Pool(url, max, SETTINGS);
    this.#money = this.#newMoney();
    this.#others = this.#newOthers();
  }

  /**
   * Gives up all connections for new ones: a network may swallow what is sent on them without a word, for a
   * quarter of an hour. What was asked there fails as by a connection that was lost.
   */
  async renew(): Promise<void> {
    const left = this.#money;
    this.#money = this.#newMoney();
    await Promise.all([left.sql.close({ timeout: 0 }), this.renewOthers()]);
  }

  /** The same, but for the one that money goes by. */
  async renewOthers(): Promise<void> {
    const left = this.#others;
    this.#others = this.#newOthers();
    await left.sql.close({ timeout: 0 });
  }

  /**
   * Where what failed says that this database takes no writes: its address may lead to another by now, or to the same one
   * with other settings, while a session stays with what it began with. So new ones are made, and nothing is cut off.
   */
  #heed(thrown: unknown): void {
    const nowMs = performance.now();
    if (!isReadOnly(thrown) || nowMs - this.#leftAtMs < LEAVE_MS) return;
    this.#leftAtMs = nowMs;
    for (const { sql } of [this.#money, this.#others]) {
      void sql.close({ timeout: LEFT_SECONDS }).catch(() => {});
    }
    this.#money = this.#newMoney();
    this.#others = this.#newOthers();
  }

  #runOn(sql: SQL): Run {
    return async <T>(text: string, params: readonly Param[]) => {
      const values = params.map((param) => (typeof param === "string" ? storable(param) : param));
      try {
        return (await sql.unsafe(text, values)) as unknown as Rows<T>;
      } catch (thrown) {
        this.#heed(thrown);
        throw thrown;
      }
    };
  }

  /** Throws where something in between does not keep connections as they were made, and nobody said so. */
  async mustKeepSessions(): Promise<void> {
    if (this.#money.isPooled) return;
    const { plan_cache_mode, default_transaction_isolation } = MONEY_SETTINGS;
    const set = { plan_cache_mode, default_transaction_isolation };
    await mustKeepSessions(this.#money.sql, this.#others.sql, set);
  }

  /** Before others take the last one that the server has. */
  async openMoney(): Promise<void> {
    (await this.#money.sql.reserve()).release();
  }

  /** One statement by itself. */
  readonly run: Run = async (text, params) => {
    try {
      return await this.#runOn(this.#others.sql)(text, params);
    } catch (thrown) {
      throw StorageError.from(thrown);
    }
  };

  /** One statement that changes nothing, and can be asked again where a connection had died. */
  readonly read: Run = async (text, params) => {
    try {
      return await this.#runOn(this.#others.sql)(text, params);
    } catch (thrown) {
      if (isDisconnection(thrown)) return this.run(text, params);
      throw StorageError.from(thrown);
    }
  };

  /** `mode` goes behind BEGIN. */
  async transaction<T>(work: (run: Run) => Promise<T>, mode = READ_COMMITTED): Promise<T> {
    try {
      return await this.#others.begin(mode, (tx) => work(this.#runOn(tx)));
    } catch (thrown) {
      throw StorageError.from(thrown);
    }
  }

  /**
   * A transaction on the connection of money, which nothing else keeps busy; throws as it is. It takes
   * two journeys to the database: one for what it reads, with its beginning, and one for what it writes,
   * with its end; and one more where `write` asks. A statement that fails undoes all, since a commit behind it only rolls back.
   * The parameters must be storable already. `lockMs`: for how long rows are waited for, where that is not
   * as long as usual.
   */
  async moneyTransaction<Found extends readonly unknown[]>(
    reads: readonly Statement[],
    write: (found: Found, ask: Ask) => Statement | undefined | Promise<Statement | undefined>,
    lockMs?: number,
  ): Promise<void> {
    await this.#inMoney(async (connection) => {
      const send = ({ text, params }: Statement) => connection.unsafe(text, [...params]);
      const begun = this.#beginning(connection, lockMs);
      const [, ...found] = await Promise.all([begun, ...reads.map(send)]);
      const ask: Ask = (statement) => send(statement);
      const writing = write(found as unknown as Found, ask);
      const written = writing instanceof Promise ? await writing : writing;
      await Promise.all([written && send(written), connection`commit`]);
    });
  }

  /**
   * A transaction of one statement that gives one row, in one journey. It has no condition of its own, and its parameters
   * must be storable already. `onSent` is called when there is a connection to send it by.
   */
  async moneyJourney<Row>({ text, params }: Statement, onSent: () => void): Promise<Row> {
    // By itself it is a transaction with the settings of its connection, which a pooler does not keep.
    if (!this.#money.isPooled) {
      return this.#onMoney(async (connection) => {
        onSent();
        return oneRow<Row>(await connection.unsafe(text, [...params]));
      });
    }
    return this.#inMoney(async (connection) => {
      onSent();
      const begun = this.#beginning(connection);
      const sent = connection.unsafe(text + WHERE_BEGUN, [...params]);
      const [, rows] = await Promise.all([begun, sent, connection`commit`]);
      return oneRow<Row>(rows);
    });
  }

  /** A transaction on the connection of money, which is undone where it fails. */
  #inMoney<T>(transaction: (connection: SQL) => Promise<T>): Promise<T> {
    return this.#onMoney(async (connection) => {
      try {
        return await transaction(connection);
      } catch (thrown) {
        // Behind all that is still on its way. Where the transaction is over already, it changes nothing.
        await connection`rollback`.catch(() => {});
        throw thrown;
      }
    });
  }

  async #onMoney<T>(work: (connection: SQL) => Promise<T>): Promise<T> {
    const connection = await this.#money.sql.reserve();
    try {
      return await work(connection);
    } catch (thrown) {
      this.#heed(thrown);
      throw thrown;
    } finally {
      connection.release();
    }
  }

  #beginning(connection: SQL, lockMs?: number) {
    const isPlain = lockMs === undefined && !this.#money.isPooled;
    // As a template, since only statements that are prepared travel together.
    if (isPlain) return connection`begin isolation level read committed`;
    const settings = lockMs === undefined ? {} : { lock_timeout: `${lockMs}ms` };
    return connection.unsafe(this.#money.beginning(settings));
  }

  /** Texts of several statements, which take no parameters. */
  script<T>(work: (run: (text: string) => Promise<Rows>) => Promise<T>): Promise<T> {
    return this.#others.begin(READ_COMMITTED, (tx) =>
      work(async (text) => (await tx.unsafe(text)) as unknown as Rows),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#money.sql.close(), this.#others.sql.close()]);
  }
}
