import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What a group and all others may do. */
const OTHERS = 0o077;
/** Of folders that belong to everybody, such as /tmp. */
const STICKY = 0o1000;

/** Databases and copies of them, with what SQLite puts beside them; the lock; the secret. */
const OURS = /\.sqlite(?:-(?:wal|shm|journal))?$|^serve\.lock(?:-journal)?$|^secret\.key/;

/** Made for us alone where it is missing; what is there is for `tighten`. */
export function createPrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
}

/** An empty file for us alone, unless there is one. What SQLite puts beside a file has its mode. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, "a", FILE_MODE));
}

/** The folder and the files in it that are ours. */
function placesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => OURS.test(name));
  return [folder, ...names.map((name) => join(folder, name))];
}

function modeOf(path: string): number | undefined {
  // A file that SQLite has just removed is no worry, and a link leads to what is not ours.
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found && !found.isSymbolicLink() ? found.mode : undefined;
}

/** One with folders in it, such as a home, or that everybody writes to, such as /tmp, is not ours to close. */
function isOurs(folder: string): boolean {
  if (((modeOf(folder) ?? 0) & STICKY) !== 0) return false;
  return !readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isDirectory());
}

/** What others than the owner may reach, of a folder and our files in it. */
export function openToOthers(folder: string): string[] {
  // There are no such modes there.
  if (process.platform === "win32") return [];
  return placesIn(folder).filter((path) => ((modeOf(path) ?? 0) & OTHERS) !== 0);
}

/**
 * Takes what others may do from a folder and our files in it, as earlier versions left them. Gives
 * back what is still open: it belongs to somebody else, or holds more than ours, or has no modes.
 */
export function tighten(folder: string): string[] {
  for (const path of openToOthers(folder)) {
    const mode = modeOf(path) ?? 0;
    if (path === folder && !isOurs(folder)) continue;
    try {
      chmodSync(path, mode & 0o7777 & ~OTHERS);
    } catch {
      // Seen below, with what else stays open.
    }
  }
  return openToOthers(folder);
}
