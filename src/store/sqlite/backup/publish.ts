import { linkSync, lstatSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { flushFolder } from "../../../lib/files/flush-folder.ts";
import { hasNoLinks, type Link } from "../../../lib/files/hard-links.ts";
import { BackupFault } from "./backup-fault.ts";

/**
 * A move replaces what is there, so it is looked for once more. What comes between the look and the move is lost:
 * that is somebody who writes to this very name in this very moment, and the file is a whole backup all the same.
 */
function moveUnlessThere(path: string, target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) throw new BackupFault("exists", target);
  renameSync(path, target);
}

function linkUnlessThere(path: string, target: string, link: Link): void {
  try {
    link(path, target);
  } catch (thrown) {
    if ((thrown as { code?: string }).code === "EEXIST") throw new BackupFault("exists", target);
    if (!hasNoLinks(thrown)) throw thrown;
    moveUnlessThere(path, target);
  }
}

/** Under its name at once and whole, or not at all. */
export function publish(path: string, target: string, force: boolean, link: Link = linkSync): void {
  if (force) renameSync(path, target);
  else linkUnlessThere(path, target, link);
  flushFolder(dirname(target));
}
