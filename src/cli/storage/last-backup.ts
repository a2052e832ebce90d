import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface LastBackup {
  readonly file: string;
  readonly atMs: number;
}

const pathIn = (folder: string) => join(folder, "last-backup.json");

/** Notes a backup in its data folder, so that `upgrade --check` can say how old it is. */
export function noteBackup(folder: string, backup: LastBackup): void {
  try {
    writeFileSync(pathIn(folder), `${JSON.stringify(backup)}\n`, { mode: 0o600 });
  } catch {
    // The backup is on disk all the same, and a folder that cannot be written to is told elsewhere.
  }
}

/** Returns the last backup that was noted, if the note can be read. */
export function lastBackup(folder: string): LastBackup | undefined {
  try {
    const { file, atMs } = JSON.parse(readFileSync(pathIn(folder), "utf8"));
    return typeof file === "string" && Number.isFinite(atMs) ? { file, atMs } : undefined;
  } catch {
    return undefined;
  }
}
