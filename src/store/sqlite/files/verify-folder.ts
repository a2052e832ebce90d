import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Verification } from "../../../ledger/books.ts";
import { asFullDisk, FullDiskError } from "../../../lib/files/full-disk.ts";
import { ROOMS } from "../../migrations/rooms.ts";
import { EditedTablesError, MissingDatabaseError, UnfitDatabaseError } from "../../store.ts";
import { closeFile, openReader, upgradeOf } from "../database.ts";
import { requirePermitted } from "../files.ts";
import { MONEY_TABLES } from "../money-schema.ts";
import { openBooks, openSqlite } from "../open.ts";
import { remoteMoney } from "../owner/client.ts";
import { UnansweredError } from "../owner/connection.ts";
import { checkFiles, type FileProblem } from "./check-files.ts";
import { DATABASE_FILES, expectedFiles, MONEY_FILE } from "./database-files.ts";

export interface VerifiedFolder {
  readonly files: readonly FileProblem[];
  /** Undefined where the file of money is such that nothing can be added up. */
  readonly books: Verification | undefined;
}

/**
 * Throws where they are a newer program's: that is not wrong, and nothing for this one to judge. Returns what is
 * wrong with what they say of themselves.
 */
function requireFitMoney(folder: string): unknown {
  const db = openReader(join(folder, MONEY_FILE));
  try {
    upgradeOf(db, MONEY_TABLES);
    return undefined;
  } catch (thrown) {
    const isNewer = thrown instanceof UnfitDatabaseError && !(thrown instanceof EditedTablesError);
    if (isNewer) throw thrown;
    return thrown;
  } finally {
    closeFile(db);
  }
}

/** With the files that an earlier version did not have: its books, brought up to date, are no installation without. */
async function verifyCompleted(folder: string): Promise<Verification> {
  const store = await openSqlite(folder, { create: false, serve: false, rooms: ROOMS });
  try {
    return await store.ledger.verify();
  } finally {
    await store.close();
  }
}

async function verifyMoney(folder: string): Promise<Verification> {
  if (expectedFiles(folder).length < DATABASE_FILES.length) return verifyCompleted(folder);
  const client = openBooks(folder);
  try {
    return await remoteMoney(client).ledger.verify();
  } finally {
    await client.close();
  }
}

/** Whoever reads a database makes files beside it: where there is no room for them, nothing is known to be wrong. */
function refuseFullDisk(folder: string, files: readonly FileProblem[]): void {
  for (const { cause } of files) {
    const told = asFullDisk(folder, cause);
    if (told instanceof FullDiskError) throw told;
  }
}

function unread(folder: string, files: readonly FileProblem[], thrown: unknown): VerifiedFolder {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  const money: FileProblem = { file: MONEY_FILE, kind: "unreadable", detail, cause: thrown };
  refuseFullDisk(folder, [money]);
  return { files: [...files, money], books: undefined };
}

/** The files of a data folder, and then the books in them, by whoever keeps them at the moment. */
export async function verifyFolder(dataDir: string): Promise<VerifiedFolder> {
  const folder = resolve(dataDir);
  // What cannot be opened for that reason is not wrong, nor missing.
  requirePermitted(folder);
  if (!DATABASE_FILES.some((name) => existsSync(join(folder, name)))) {
    throw new MissingDatabaseError(
      `There is no database in ${folder}. Point FAREGATE_DATA at the folder that has it.`,
    );
  }
  const files = checkFiles(folder);
  refuseFullDisk(folder, files);
  if (files.some(({ file }) => file === MONEY_FILE)) return { files, books: undefined };
  const wrong = requireFitMoney(folder);
  if (wrong) return unread(folder, files, wrong);
  try {
    return { files, books: await verifyMoney(folder) };
  } catch (thrown) {
    // Who was to add them up is gone, or hangs: that says nothing of the file.
    if (thrown instanceof UnansweredError) throw thrown;
    return unread(folder, files, thrown);
  }
}
