import { FullDiskError } from "../../lib/files/full-disk.ts";
import { BackupFault } from "../../store/sqlite/backup/backup-fault.ts";
import { mistake, mistakeOf, type UsageError } from "../terminal/arguments.ts";

function faultMistake({ trouble, detail }: BackupFault, file: string): UsageError {
  switch (trouble) {
    case "exists":
      return mistake("backupExists", { file: detail });
    case "not_a_backup":
      return mistakeOf("invalid_file", "notABackup", { file });
    case "cut":
      return mistakeOf("invalid_file", "backupCut", { file });
    case "damaged":
      return mistakeOf("invalid_file", "backupDamaged", { file, detail });
    case "newer":
      return mistakeOf("database_unfit", "backupNewer", { version: detail });
    case "in_use":
      return mistakeOf("database_in_use", "folderInUse", { folder: detail });
    case "not_empty":
      return mistake("folderNotEmpty", { folder: detail });
    case "wrong_books":
      return mistakeOf("invalid_file", "backupBooksWrong", { file, problems: detail });
    case "secret_other":
      return mistakeOf("secret_refused", "secretNotOfThis");
    case "secret_changing":
      return mistakeOf("secret_refused", "secretChangingNow");
  }
}

const NO_ROOM = ["ENOSPC", "EDQUOT", "SQLITE_FULL"];
const NO_ACCESS = ["EACCES", "EPERM", "EROFS"];
/** Below a file there is none either. */
const NO_FILE = ["ENOENT", "ENOTDIR"];

interface BackupPaths {
  /** The backup. */
  readonly file: string;
  /** Where something is written. */
  readonly folder: string;
}

/**
 * What a disk says, and a backup that cannot be, in our words; anything else is thrown as it is. What fails while it is
 * written names no file, and those that are made on the way nobody knows.
 */
export function inWords(thrown: unknown, { file, folder }: BackupPaths): unknown {
  if (thrown instanceof BackupFault) return faultMistake(thrown, file);
  const { code, path } = (thrown ?? {}) as { code?: unknown; path?: unknown };
  const named = typeof path === "string" ? path : undefined;
  const isFull = thrown instanceof FullDiskError || NO_ROOM.includes(String(code));
  if (isFull) return mistakeOf("storage_unavailable", "diskFull", { folder });
  if (NO_ACCESS.includes(String(code)))
    return mistakeOf("storage_unavailable", "noAccess", { path: named ?? folder });
  if (NO_FILE.includes(String(code)))
    return mistakeOf("file_not_found", "noFile", { path: named ?? file });
  if (code === "EISDIR") return mistakeOf("invalid_file", "notAFile", { path: named ?? file });
  return thrown;
}
