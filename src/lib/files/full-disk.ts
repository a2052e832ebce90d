import { statfsSync } from "node:fs";

/** What the system and SQLite say where nothing more fits. */
const FULL = /SQLITE_FULL|database or disk is full|ENOSPC|EDQUOT/;
/** What SQLite says of the files beside a database in that case, and in others. */
const TROUBLE = /SQLITE_IOERR|disk I\/O error/;
/** A database that is opened makes files of some hundred KB, and what it had begun is gone again when that has failed. */
const ROOM_BYTES = 1024 * 1024;

/** Nothing is wrong with what is there: nothing more fits beside it. */
export class FullDiskError extends Error {
  override readonly name = "FullDiskError";
  readonly folder: string;

  constructor(folder: string, cause: unknown) {
    super(`the disk of ${folder} is full`, { cause });
    this.folder = folder;
  }
}

function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}

/** Whether something failed because the disk of a folder is full. */
export function isFullDisk(folder: string, thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  // From a thread it comes without its code.
  const said = `${(thrown as { code?: unknown }).code} ${thrown.message}`;
  return FULL.test(said) || (TROUBLE.test(said) && !hasRoom(folder));
}

/** What went wrong in a folder; where it was for want of room, that is said. */
export function asFullDisk(folder: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof FullDiskError) return thrown;
  return isFullDisk(folder, thrown) ? new FullDiskError(folder, thrown) : thrown;
}
