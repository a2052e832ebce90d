import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile } from "../../lib/secrets/private-files.ts";
import { requireFiles, requireWritable } from "../../lib/secrets/refused-paths.ts";
import { MissingDatabaseError } from "../store.ts";
import { expectedFiles } from "./files/database-files.ts";

/** The databases of a data folder. Money is made first, so that the others are never there without it. */
interface DataFiles {
  readonly money: string;
  readonly responses: string;
  readonly console: string;
}

export function filesIn(folder: string): DataFiles {
  return {
    money: join(folder, "faregate.sqlite"),
    responses: join(folder, "responses.sqlite"),
    console: join(folder, "console.sqlite"),
  };
}

/** Mapped holds of a process that may be gone. A new one is made wherever it is missing. */
export function holdsFileIn(folder: string): string {
  return join(folder, "holds.map");
}

/** The number of the last line of the journal that somebody was told of. */
export const markFileIn = (folder: string) => join(folder, "journal.mark");

/** Whoever serves from a folder has the one, whoever keeps its books the other. */
export const serveLockIn = (folder: string) => join(folder, "serve.lock");
export const booksLockIn = (folder: string) => join(folder, "books.lock");

/** What SQLite puts beside a database that is in use. */
const BESIDE = ["", "-wal", "-shm"];

function writtenFiles(folder: string): readonly string[] {
  const { money, responses, console } = filesIn(folder);
  const files = [money, responses, console].flatMap((path) => BESIDE.map((end) => path + end));
  return [...files, serveLockIn(folder), booksLockIn(folder)];
}

/** Throws where the system does not let us write, which SQLite says without a word of what or where. */
export function requirePermitted(folder: string): void {
  requireWritable(folder, writtenFiles(folder));
}

/** The same, and where what should be a file is none. */
export function requireUsable(folder: string): void {
  requirePermitted(folder);
  requireFiles(writtenFiles(folder));
}

/** A start that was killed may leave empty files, in which nothing is missing. */
export function hasSomething(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0;
}

const BEGIN_ANEW =
  'or start "faregate serve --new", which makes a new one and leaves the others as they are';

/**
 * Throws where a file is gone beside others of the same installation: whoever made a new one in its place
 * would serve with an empty half, and nobody would be told.
 */
export function requireWhole(folder: string): void {
  const { money, responses, console } = filesIn(folder);
  const beside = [responses, console, `${money}-wal`, holdsFileIn(folder)].filter(hasSomething);
  if (!hasSomething(money)) {
    if (beside.length === 0) return;
    throw new MissingDatabaseError(
      `${money}, which has the money, is missing or empty, and beside it there is ${beside.join(", ")}. ` +
        `Put it back, with its -wal file where there is one, ${BEGIN_ANEW}.`,
    );
  }
  const expected = expectedFiles(folder).map((name) => join(folder, name));
  const missing = expected.filter((path) => !existsSync(path));
  if (missing.length === 0) return;
  throw new MissingDatabaseError(
    `This installation has ${money}, but not ${missing.join(" and ")}. Put it back, ${BEGIN_ANEW}.`,
  );
}

/** Before books are made where there are none: how far others had come says nothing of these. */
export function forgetFormerBooks(folder: string): void {
  if (!hasSomething(filesIn(folder).money)) rmSync(markFileIn(folder), { force: true });
}

/** Before SQLite makes them as anybody may read them: what was asked of models is in there. */
export function createFiles({ money, responses, console }: DataFiles): void {
  for (const path of [money, responses, console]) {
    if (!existsSync(path)) createPrivateFile(path);
  }
}
