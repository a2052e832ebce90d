import { Database } from "bun:sqlite";
import { createPrivateFile } from "../../lib/secrets/private-files.ts";
import { DatabaseInUseError } from "../store.ts";

/**
 * One serving process per folder. The lock is an open transaction on a file of its own, so the
 * system frees it however the process ends, kill -9 included.
 */
export function takeServeLock(path: string): () => void {
  createPrivateFile(path);
  const db = new Database(path, { create: true });
  try {
    db.run("pragma busy_timeout = 0");
    db.run("begin exclusive");
  } catch (thrown) {
    db.close();
    if ((thrown as { code?: unknown }).code !== "SQLITE_BUSY") throw thrown;
    throw new DatabaseInUseError(
      `Another "faregate serve" is running on ${path}. Stop it, or set FAREGATE_DATA to another folder.`,
      { cause: thrown },
    );
  }
  return () => db.close();
}
