import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Sql, SqlValue } from "./sql.ts";

function toValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return value as SqlValue;
}

/** How many rows a change touched is known only from the rows that it gives back. */
function countsRows({ kind, ...node }: CompiledQuery["query"]): boolean {
  return (kind === "UpdateQueryNode" || kind === "DeleteQueryNode") && !("returning" in node);
}

function connectionOver(sql: Sql): DatabaseConnection {
  return {
    async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
      const params = compiled.parameters.map(toValue);
      if (countsRows(compiled.query)) {
        const touched = await sql.query(`${compiled.sql} returning 1 as touched`, params);
        return { rows: [], numAffectedRows: BigInt(touched.length) };
      }
      const rows = await sql.query<R>(compiled.sql, params);
      return { rows: [...rows], numAffectedRows: BigInt(rows.length) };
    },
    // biome-ignore lint/correctness/useYield: nothing asks for it; the interface wants it.
    async *streamQuery() {
      throw new Error("the console's tables are not read as a stream");
    },
  };
}

function noTransactions(): Promise<never> {
  return Promise.reject(
    new Error("transactions are those of Sql, which hands its own to the work"),
  );
}

/** Statements stand by themselves: there is no connection to hold, and so none to wait for. */
function driverOver(sql: Sql): Driver {
  const connection = connectionOver(sql);
  const nothing = async () => {};
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    releaseConnection: nothing,
    destroy: nothing,
  };
}

/** One for all: it keeps nothing from one statement to the next, and to make it takes longer than most statements. */
const COMPILER = new PostgresQueryCompiler();

/** A database as Kysely and the sign-in library want it; one text for both engines. */
export function dialectOver(sql: Sql): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOver(sql),
    createQueryCompiler: () => COMPILER,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}
