import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { retryFor } from "../../../lib/retry-for.ts";
import { createPrivateFile } from "../../../lib/secrets/private-files.ts";
import { DatabaseInUseError } from "../../store.ts";

/** Those that this process has. A connection that nobody remembers is closed, and the lock would go with it. */
const held = new Set<Database>();

/**
 * A lock is an open transaction on a file of its own, so the system frees it however the process ends,
 * kill -9 included. Returns how to free it; undefined where another has it.
 */
export function takeLock(path: string): (() => void) | undefined {
  // Not where it is there: to close a file frees the locks that this process has on it.
  if (!existsSync(path)) createPrivateFile(path);
  const db = new Database(path, { create: true });
  try {
    db.run("pragma busy_timeout = 0");
    db.run("begin exclusive");
  } catch (thrown) {
    db.close();
    if ((thrown as { code?: unknown }).code !== "SQLITE_BUSY") throw thrown;
    return undefined;
  }
  held.add(db);
  return () => {
    held.delete(db);
    db.close();
  };
}

/** Whether another process has the lock, or this one already. */
export function isTaken(path: string): boolean {
  const unlock = takeLock(path);
  unlock?.();
  return unlock === undefined;
}

/** A command that wants to know whether anybody serves has the lock for a moment. */
const LOCK_WAIT_MS = 500;

/** One serving process per folder. */
export async function takeServeLock(path: string): Promise<() => void> {
  const unlock = await retryFor(() => takeLock(path), LOCK_WAIT_MS);
  if (unlock) return unlock;
  throw new DatabaseInUseError(
    `Another "faregate serve" is running on ${path}. Stop it, or set FAREGATE_DATA to another folder.`,
  );
}
