// Databases with all tables in them, made once for a run and copied from then on: to make the tables costs
// far more than what most tests do with them. A suite that stands alone begins with empty ones.
import { cpSync } from "node:fs";
import { readConfig } from "../../src/config/config.ts";
import { openStore } from "../../src/store/open.ts";
import type { Postgres } from "../engines/postgres.ts";
import { borrowed } from "../runner/lent.ts";

export async function makeTables(settings: Record<string, string>): Promise<void> {
  const store = await openStore(readConfig(settings), { create: true, serve: false });
  await store.close();
}

let files: Promise<string | undefined> | undefined;
let template: Promise<string | undefined> | undefined;

/** Files with all tables for an empty folder. */
export async function copyFiles(folder: string): Promise<void> {
  files ??= borrowed("files");
  const from = await files;
  if (from !== undefined) cpSync(from, folder, { recursive: true });
}

/** A database with all tables, by its address. */
export async function copyDatabase(postgres: Pick<Postgres, "createDatabase">): Promise<string> {
  template ??= borrowed("template");
  return postgres.createDatabase(await template);
}
