import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { writingTo } from "./refused-paths.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What a group and all others may do. */
const OTHERS = 0o077;
/** Of folders that belong to everybody, such as /tmp. */
const STICKY = 0o1000;

/** Databases and copies of them, with what SQLite puts beside them; locks; open holds and the socket; the secret. */
const OURS =
  /\.sqlite(?:-(?:wal|shm|journal))?$|^(?:serve|books)\.lock(?:-journal)?$|^holds\.map$|^journal\.mark$|^books\.sock$|^secret\.key/;

/** What SQLite puts beside a database, wherever the file itself is. */
const BESIDE = ["-wal", "-shm", "-journal"];

/** Made for us alone where it is missing; what is there is for `tighten`. */
export function createPrivateFolder(path: string): void {
  writingTo(path, () => mkdirSync(path, { recursive: true, mode: FOLDER_MODE }));
}

/** An empty file for us alone, unless there is one. What SQLite puts beside a file has its mode. */
export function createPrivateFile(path: string): void {
  writingTo(dirname(path), () => closeSync(openSync(path, "a", FILE_MODE)));
}

/** A path that only its owner should reach, and the link that led there, if any. */
interface DiskLocation {
  readonly path: string;
  readonly link?: string;
}

/** Undefined for what is not there or cannot be looked at: SQLite may have just removed it. */
function look(path: string, how: typeof statSync | typeof lstatSync): Stats | undefined {
  try {
    return how(path);
  } catch {
    return undefined;
  }
}

/** What is judged is always what is read in the end, never a link to it. */
const modeOf = (path: string) => look(path, statSync)?.mode ?? 0;
const isLink = (path: string) => look(path, lstatSync)?.isSymbolicLink() === true;

/** A file, and where that is a link, what SQLite puts beside the one it leads to. */
function placesOf(path: string): DiskLocation[] {
  if (!isLink(path)) return [{ path }];
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  const beside = BESIDE.map((end) => ({ path: real + end, link: path }));
  return [{ path, link: path }, ...beside];
}

/** The folder and the files in it that are ours. */
function placesIn(folder: string): DiskLocation[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => OURS.test(name));
  const itself = isLink(folder) ? { path: folder, link: folder } : { path: folder };
  return [itself, ...names.flatMap((name) => placesOf(join(folder, name)))];
}

/** One with folders in it, such as a home, or that everybody writes to, such as /tmp, is not ours to close. */
function isForUsAlone(folder: string): boolean {
  if ((modeOf(folder) & STICKY) !== 0) return false;
  return !readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isDirectory());
}

/** A link may be laid by others, to have us close what is not theirs. So both ends must be our own. */
function isLedToByUs({ path, link }: DiskLocation, userId: number | undefined): boolean {
  if (link === undefined) return true;
  return look(link, lstatSync)?.uid === userId && look(path, statSync)?.uid === userId;
}

function openPlaces(folder: string): DiskLocation[] {
  // There are no such modes there.
  if (process.platform === "win32") return [];
  return placesIn(folder).filter(({ path }) => (modeOf(path) & OTHERS) !== 0);
}

/** What others than the owner may reach, of a folder and our files in it. */
export function openToOthers(folder: string): string[] {
  return openPlaces(folder).map(({ path }) => path);
}

/**
 * Takes what others may do from a folder and our files in it, as earlier versions left them. Gives
 * back what is still open: it belongs to somebody else, or holds more than ours, or has no modes.
 */
export function tighten(folder: string, userId = process.geteuid?.()): string[] {
  for (const location of openPlaces(folder)) {
    const { path } = location;
    if (path === folder && !isForUsAlone(folder)) continue;
    if (!isLedToByUs(location, userId)) continue;
    try {
      chmodSync(path, modeOf(path) & 0o7777 & ~OTHERS);
    } catch {
      // Seen below, with what else stays open.
    }
  }
  return openToOthers(folder);
}
