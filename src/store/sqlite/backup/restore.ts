import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Verification } from "../../../ledger/books.ts";
import { systemClock } from "../../../lib/clock.ts";
import { flushFolder } from "../../../lib/files/flush-folder.ts";
import { newId } from "../../../lib/ids.ts";
import { retryFor } from "../../../lib/retry-for.ts";
import { createPrivateFolder } from "../../../lib/secrets/private-files.ts";
import { ROOMS } from "../../migrations/rooms.ts";
import type { Progress } from "../../progress.ts";
import type { SecretState } from "../../secret/secret-row.ts";
import { closeFile, openFile } from "../database.ts";
import { checkFiles } from "../files/check-files.ts";
import { DATABASE_FILES } from "../files/database-files.ts";
import { takeLock } from "../files/serve-lock.ts";
import { booksLockIn, serveLockIn } from "../files.ts";
import { openSqlite } from "../open.ts";
import { ArchiveReader } from "./archive.ts";
import { BackupFault } from "./backup-fault.ts";
import { type Manifest, requireKnown, SECRET_FILE } from "./manifest.ts";
import { readSecretState } from "./secret-state.ts";

const FOLDER_MODE = 0o700;
/** A command that only looks has the locks for a moment. */
const LOCK_WAIT_MS = 1_000;

/** Begins the names of folders in which a backup is unpacked. */
const BESIDE = "restore_";
/** With an id of ours at its end: what somebody else calls by such a name is not ours to clear away. */
const OWN_BESIDE = /^restore_[0-9a-hjkmnp-tv-z]{26}$/;

/** What belongs to the databases that are replaced; locks, sockets and the secret belong to the folder. */
const OF_THE_DATABASES =
  /^(?:faregate|responses|console)\.sqlite(?:-(?:wal|shm|journal))?$|^holds\.map$|^journal\.mark$/;

interface RestoreOptions {
  readonly source: string;
  readonly dataDir: string;
  /** What is there goes into a folder beside. */
  readonly force: boolean;
  /** Also where `verify` has something to say of the books: what was lost before the backup is lost in it. */
  readonly acceptProblems: boolean;
}

interface Restored {
  readonly manifest: Manifest;
  readonly books: Verification;
  /** Where that went which was there before; undefined where nothing was. */
  readonly aside: string | undefined;
  /** Of the secret that the rows were sealed with; undefined where nothing was sealed. */
  readonly secretState: SecretState | undefined;
}

/** Nobody serves from the folder, or keeps its books, until the result is called. */
async function lockFolder(folder: string): Promise<() => void> {
  const taken: (() => void)[] = [];
  const free = () => {
    for (const unlock of taken) unlock();
  };
  for (const path of [serveLockIn(folder), booksLockIn(folder)]) {
    const unlock = await retryFor(() => takeLock(path), LOCK_WAIT_MS);
    if (!unlock) {
      free();
      throw new BackupFault("in_use", folder);
    }
    taken.push(unlock);
  }
  return free;
}

/**
 * Opened as a server would: what was settled is entered, what ran is over, and every sum is computed again. Files that an
 * earlier version did not have are made.
 */
async function prove(folder: string): Promise<Verification> {
  const [problem] = checkFiles(folder);
  if (problem) {
    throw new BackupFault("damaged", `${problem.file}: ${problem.detail || problem.kind}`);
  }
  const store = await openSqlite(folder, { create: false, serve: true, rooms: ROOMS });
  try {
    await store.ledger.recover();
    return await store.ledger.verify();
  } finally {
    await store.close();
  }
}

/** What was written while it was proved goes from the log into the file, which then stands alone. */
function bringIn(path: string): void {
  const db = openFile(path, { create: false, synchronous: "FULL" });
  try {
    db.run("pragma wal_checkpoint(truncate)");
  } finally {
    closeFile(db);
  }
}

/** Where what was there before goes; made when there is something. */
class Aside {
  readonly #folder: string;
  #path: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get path(): string | undefined {
    return this.#path;
  }

  take(name: string): void {
    if (this.#path === undefined) {
      const time = new Date(systemClock()).toISOString().replaceAll(/[:.]/g, "-");
      this.#path = join(this.#folder, `before-restore-${time}`);
      mkdirSync(this.#path, { mode: FOLDER_MODE });
    }
    renameSync(join(this.#folder, name), join(this.#path, name));
  }
}

/** The secret of the backup, unless the folder has that very one. */
function putSecret(from: string, folder: string, aside: Aside): void {
  const [mine, there] = [join(from, SECRET_FILE), join(folder, SECRET_FILE)];
  if (!existsSync(mine)) return;
  if (existsSync(there)) {
    if (readFileSync(mine, "utf8") === readFileSync(there, "utf8")) return;
    aside.take(SECRET_FILE);
  }
  renameSync(mine, there);
}

/**
 * Whoever is killed in here leaves a folder that no server takes for an installation, nor for an empty one: money goes
 * first and comes last, and of the others there is always one beside it.
 */
function putInPlace(from: string, folder: string, there: readonly string[], aside: Aside): void {
  const [money, ...others] = DATABASE_FILES;
  const isOf = (file: string) => (name: string) => name.startsWith(file);
  const leave = (isLeaving: (name: string) => boolean) => {
    // A file before its log, without which it would be taken for whole.
    for (const name of there.filter(isLeaving).toSorted()) aside.take(name);
  };
  const put = (name: string) => renameSync(join(from, name), join(folder, name));
  leave((name) => !others.some((other) => isOf(other)(name)));
  putSecret(from, folder, aside);
  for (const other of others) {
    leave(isOf(other));
    put(other);
  }
  put(money);
}

/**
 * Puts a backup into a data folder in which nobody works. It is unpacked beside its place, proved there, and only
 * then moved: whatever fails before leaves the folder as it was.
 */
export async function restore(options: RestoreOptions, progress: Progress): Promise<Restored> {
  const folder = resolve(options.dataDir);
  const archive = new ArchiveReader(options.source);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => archive.close());
  const { manifest } = archive;
  requireKnown(manifest);
  createPrivateFolder(folder);
  undo.defer(await lockFolder(folder));
  const there = readdirSync(folder).filter((name) => OF_THE_DATABASES.test(name));
  if (there.length > 0 && !options.force) throw new BackupFault("not_empty", folder);
  // Of one that was killed, too: nobody else is in here.
  const clear = () => {
    for (const name of readdirSync(folder).filter((each) => OWN_BESIDE.test(each))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  };
  clear();
  undo.defer(clear);
  const beside = join(folder, newId(BESIDE));
  mkdirSync(beside, { mode: FOLDER_MODE });
  await archive.unpack(beside, progress);
  await progress("proving", 0, 1);
  const books = await prove(beside);
  if (books.problems.length > 0 && !options.acceptProblems) {
    throw new BackupFault("wrong_books", books.problems.join("\n"));
  }
  for (const name of DATABASE_FILES) bringIn(join(beside, name));
  const secretState = readSecretState(beside);
  // The last moment to give it up.
  await progress("proving", 1, 1);
  const aside = new Aside(folder);
  putInPlace(beside, folder, there, aside);
  flushFolder(folder);
  return { manifest, books, aside: aside.path, secretState };
}
