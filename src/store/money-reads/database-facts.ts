import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { DatabaseFacts } from "../../console/operator/store.ts";
import { type MoneyReader, readRows, statement } from "./reader.ts";

const FILES = ["faregate.sqlite", "responses.sqlite", "console.sqlite"];
const TABLES_SHOWN = 12;

const TABLES_SQL = `select c.relname as name, cast(pg_total_relation_size(c.oid) as text) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname = current_schema()
  order by pg_total_relation_size(c.oid) desc, c.relname limit $1`;
const TOTAL_SQL = "select cast(pg_database_size(current_database()) as text) as bytes";

async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

async function filesOf(folder: string): Promise<DatabaseFacts> {
  const parts = await Promise.all(
    FILES.map(async (name) => {
      const path = join(folder, name);
      return { name, bytes: (await bytesOf(path)) + (await bytesOf(`${path}-wal`)) };
    }),
  );
  return { engine: "sqlite", bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), parts };
}

type Sized = { readonly name: string; readonly bytes: string };

async function tablesOf(reader: MoneyReader): Promise<DatabaseFacts> {
  const [total] = await readRows<Sized>(reader, statement(TOTAL_SQL));
  const tables = await readRows<Sized>(reader, statement(TABLES_SQL, TABLES_SHOWN));
  const parts = tables.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
  return { engine: "postgres", bytes: Number(total?.bytes ?? 0), parts };
}

/** How much room the data takes, and what takes most of it. */
export function databaseFacts(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  reader: MoneyReader,
): () => Promise<DatabaseFacts> {
  return config.databaseUrl === undefined ? () => filesOf(config.dataDir) : () => tablesOf(reader);
}
