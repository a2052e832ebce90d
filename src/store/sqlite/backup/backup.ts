import { Database } from "bun:sqlite";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../../lib/clock.ts";
import type { Progress } from "../../progress.ts";
import { fitOf } from "../../secret/secret-fit.ts";
import { MissingDatabaseError } from "../../store.ts";
import { closeFile, openReader, upgradeOf } from "../database.ts";
import { checkFile } from "../files/check-files.ts";
import { type DatabaseFile, expectedFiles, MONEY_FILE } from "../files/database-files.ts";
import { hasSomething, requireUsable, requireWhole } from "../files.ts";
import { MONEY_TABLES } from "../money-schema.ts";
import { openBooks } from "../open.ts";
import { remoteMoney } from "../owner/client.ts";
import { ArchiveWriter } from "./archive.ts";
import { BackupFault } from "./backup-fault.ts";
import { describeBackup, type Manifest, SECRET_FILE, type TableVersions } from "./manifest.ts";
import { publish } from "./publish.ts";
import { readSecretState } from "./secret-state.ts";
import { Snapshot } from "./snapshot.ts";
import { openWorkingFolder } from "./working-folder.ts";

/**
 * In the order in which their moments follow each other, a few milliseconds apart. What the console says was paid
 * has its credit in a later look at money, and what money has charged has its answer in a later look at the
 * responses. The other way round there would be orders that are paid and credited to nobody.
 */
const MOMENTS = ["console.sqlite", "faregate.sqlite", "responses.sqlite"] as const;

const FILE_MODE = 0o600;

interface BackupOptions {
  readonly dataDir: string;
  readonly target: string;
  /** In the place of a file that is there. */
  readonly force: boolean;
  readonly withSecret: boolean;
  readonly program: string;
}

function hasEarlierTables(folder: string): boolean {
  const db = openReader(join(folder, MONEY_FILE));
  try {
    return upgradeOf(db, MONEY_TABLES).texts.length > 0;
  } finally {
    closeFile(db);
  }
}

/**
 * Whoever keeps the books writes into the file what only it knows: what is settled, and the holds that are open.
 * Tables of an earlier version are copied as they are, so that the program of then can go back to them: all that
 * was told is in the file, be it as lines, and whoever restores it enters them.
 */
async function settleUp(folder: string): Promise<void> {
  if (hasEarlierTables(folder)) return;
  const client = openBooks(folder);
  try {
    await remoteMoney(client).settleUp();
  } finally {
    await client.close();
  }
}

function readingCopy<T>(path: string, read: (db: Database) => T): T {
  const db = new Database(path, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const versionOf = (db: Database) =>
  (db.query("pragma user_version").get() as { user_version: number }).user_version;

const roomsOf = (db: Database) =>
  Object.fromEntries(db.query("select room, version from room_versions").values());

/** Of files that an earlier version did not have, nothing must be known. */
function versionsOf(folder: string): TableVersions {
  const read = <T>(name: DatabaseFile, ask: (db: Database) => T, missing: T) =>
    existsSync(join(folder, name)) ? readingCopy(join(folder, name), ask) : missing;
  return {
    money: read("faregate.sqlite", versionOf, 0),
    responses: read("responses.sqlite", versionOf, 0),
    rooms: read("console.sqlite", roomsOf, {}),
  };
}

function factsOf(folder: string): Pick<Manifest, "versions" | "receipts" | "entries"> {
  const counts = readingCopy(join(folder, MONEY_FILE), (db) =>
    db
      .query(
        "select (select count(*) from receipts) as receipts, (select count(*) from entries) as entries",
      )
      .get(),
  ) as { receipts: number; entries: number };
  return { versions: versionsOf(folder), ...counts };
}

/** Copies of these databases of one moment, sound ones. */
async function copyAll(
  names: readonly DatabaseFile[],
  folder: string,
  copies: string,
  progress: Progress,
): Promise<void> {
  const snapshots: Snapshot[] = [];
  try {
    for (const name of MOMENTS.filter((each) => names.includes(each))) {
      snapshots.push(new Snapshot(join(folder, name), join(copies, name)));
    }
    for (const snapshot of snapshots) await snapshot.copy(progress);
  } finally {
    for (const snapshot of snapshots) snapshot.close();
  }
  for (const name of names) {
    const [problem] = checkFile(join(copies, name));
    if (problem) throw new BackupFault("damaged", `${name}: ${problem.detail || problem.kind}`);
  }
}

/**
 * The secret beside the copies, as it is after their moment. It opens what is sealed in them, or else whoever has to
 * restore them would only hear then that it does not.
 */
function copySecret(folder: string, copies: string): void {
  const text = readFileSync(join(folder, SECRET_FILE), "utf8");
  const state = readSecretState(copies);
  if (fitOf(state, text.trim()) !== "fits") {
    throw new BackupFault(state?.nextSum == null ? "secret_other" : "secret_changing");
  }
  writeFileSync(join(copies, SECRET_FILE), text, { mode: FILE_MODE, flag: "wx" });
}

/**
 * All files of an installation as they were at one moment, in one file, while a server may run. What is made
 * on the way lies in a folder beside the target, which is gone afterwards.
 */
export async function backUp(options: BackupOptions, progress: Progress): Promise<Manifest> {
  const [folder, target] = [resolve(options.dataDir), resolve(options.target)];
  requireUsable(folder);
  requireWhole(folder);
  if (!hasSomething(join(folder, MONEY_FILE))) {
    throw new MissingDatabaseError(
      `There is no ${MONEY_FILE} in ${folder}. Point FAREGATE_DATA at the folder that has it.`,
    );
  }
  const names = expectedFiles(folder);
  if (!options.force && existsSync(target)) throw new BackupFault("exists", target);
  using working = openWorkingFolder(target);
  const aside = working.path;
  await settleUp(folder);
  const created_at = new Date(systemClock()).toISOString();
  await copyAll(names, folder, aside, progress);
  if (options.withSecret) copySecret(folder, aside);
  const facts = factsOf(aside);
  const archive = new ArchiveWriter(join(aside, "archive"), Date.parse(created_at));
  try {
    const secret = options.withSecret ? ([SECRET_FILE] as const) : [];
    for (const name of [...names, ...secret]) {
      await archive.add(name, join(aside, name), progress);
      rmSync(join(aside, name));
    }
    const manifest = archive.finish(
      describeBackup({ faregate: options.program, created_at, ...facts }),
    );
    publish(join(aside, "archive"), target, options.force);
    return manifest;
  } finally {
    archive.close();
  }
}
