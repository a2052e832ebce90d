import { accessSync, constants, statSync } from "node:fs";

/**
 * What the system says where something is somebody else's, only for reading, of another kind, below a file, or where none
 * can be made.
 */
const REFUSALS = ["EACCES", "EPERM", "EROFS", "ENOENT", "EISDIR", "ENOTDIR"];

type FileAccess = "read" | "written to";

/** The system does not let us read or write at a place that somebody has chosen for that. */
export class RefusedPathError extends Error {
  override readonly name = "RefusedPathError";
  readonly path: string;
  readonly access: FileAccess;
  readonly reason: string;

  constructor(path: string, access: FileAccess, cause: Error) {
    super(`${path} cannot be ${access}: ${cause.message}`, { cause });
    this.path = path;
    this.access = access;
    this.reason = cause.message;
  }
}

function trying<T>(path: string, access: FileAccess, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const { code = "" } = thrown as { code?: string };
    if (thrown instanceof Error && REFUSALS.includes(code)) {
      throw new RefusedPathError(path, access, thrown);
    }
    throw thrown;
  }
}

/** Makes something in a folder, or the folder itself; what the system refuses there is told as that. */
export function writingTo<T>(folder: string, write: () => T): T {
  return trying(folder, "written to", write);
}

/** Reads a file that is there; what the system refuses is told as that. */
export function readingFrom<T>(path: string, read: () => T): T {
  return trying(path, "read", read);
}

const { R_OK, W_OK, X_OK } = constants;

/** What is not there needs no rights; SQLite takes files of its away with the last that is open, at any moment. */
function requireRights(path: string, rights: number): void {
  writingTo(path, () => {
    try {
      accessSync(path, rights);
    } catch (thrown) {
      if ((thrown as { code?: string }).code !== "ENOENT") throw thrown;
    }
  });
}

/**
 * Throws for a folder, or for files of ours in it, that are there and that we may not write to. Nothing is opened for
 * it: to close a file frees the locks that this process has on it.
 */
export function requireWritable(folder: string, files: readonly string[]): void {
  // First: of a folder that may not be searched nobody can say what is in it.
  requireRights(folder, R_OK | W_OK | X_OK);
  for (const path of files) requireRights(path, R_OK | W_OK);
}

/** Throws for a folder in the place of a file of ours. */
export function requireFiles(files: readonly string[]): void {
  for (const path of files) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    throw new RefusedPathError(path, "written to", new Error("it is a folder and not a file"));
  }
}
