import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { newId } from "../../../lib/ids.ts";
import { takeLock } from "../files/serve-lock.ts";

const FOLDER_MODE = 0o700;
const LOCK_FILE = "lock";

/** With an id of ours at its end, and of whatever file: tomorrow's backup has another name. */
const WORKING = /^\..+\.bak_[0-9a-hjkmnp-tv-z]{26}$/;

/** The lock of a backup that runs is taken, and that of a dead one is free, however it died. */
function clearDead(place: string): void {
  for (const name of readdirSync(place).filter((each) => WORKING.test(each))) {
    const path = join(place, name);
    try {
      const unlock = takeLock(join(path, LOCK_FILE));
      if (!unlock) continue;
      rmSync(path, { recursive: true, force: true });
      unlock();
    } catch {
      // It is somebody else's, or gone by now: no reason to make no backup.
    }
  }
}

/**
 * A folder beside the target in which a backup is made. What backups that were killed have left there is cleared
 * away first. It gets its name when its lock is taken, so that nobody takes it for one of those.
 */
export function openWorkingFolder(target: string): Disposable & { readonly path: string } {
  const place = dirname(target);
  clearDead(place);
  const path = join(place, `.${basename(target)}.${newId("bak_")}`);
  const begun = `${path}.begun`;
  const undo = new DisposableStack();
  try {
    mkdirSync(begun, { mode: FOLDER_MODE });
    undo.defer(() => rmSync(begun, { recursive: true, force: true }));
    undo.defer(takeLock(join(begun, LOCK_FILE)) ?? (() => {}));
    renameSync(begun, path);
    undo.defer(() => rmSync(path, { recursive: true, force: true }));
  } catch (thrown) {
    undo.dispose();
    throw thrown;
  }
  return { path, [Symbol.dispose]: () => undo.dispose() };
}
