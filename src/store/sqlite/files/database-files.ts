import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openReader } from "../database.ts";
import { MONEY_TABLES } from "../money-schema.ts";

/** The databases of a data folder. Money comes first. */
export const DATABASE_FILES = ["faregate.sqlite", "responses.sqlite", "console.sqlite"] as const;
export type DatabaseFile = (typeof DATABASE_FILES)[number];
export const [MONEY_FILE] = DATABASE_FILES;

function isCurrent(money: string): boolean {
  const db = openReader(money);
  try {
    const row = db.query("pragma user_version").get() as { user_version: number };
    return row.user_version >= MONEY_TABLES.least;
  } finally {
    closeFile(db);
  }
}

/** What must be in a folder beside its money: where that is of an earlier version, there may be no other file yet. */
export function expectedFiles(folder: string): readonly DatabaseFile[] {
  const isThere = (name: DatabaseFile) => existsSync(join(folder, name));
  if (DATABASE_FILES.every(isThere) || isCurrent(join(folder, MONEY_FILE))) return DATABASE_FILES;
  return DATABASE_FILES.filter(isThere);
}
