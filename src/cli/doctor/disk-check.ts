import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { asFullDisk, FullDiskError } from "../../lib/files/full-disk.ts";
import { newId } from "../../lib/ids.ts";
import { openToOthers } from "../../lib/secrets/private-files.ts";
import { type Finding, found, type State } from "./finding.ts";

const CHECK = "disk";
const MB = 1024 ** 2;
const GB = 1024 ** 3;
/** Below it something has to be done soon, and at once. */
const ROOM_WARNING = GB;
const ROOM_PROBLEM = 100 * MB;
const FLUSH_WARNING_MS = 20;
const FLUSH_PROBLEM_MS = 1_000;
const FLUSHES = 5;
/** What SQLite writes at once. */
const PAGE_BYTES = 4_096;

export function bytes(count: number): string {
  return count >= GB ? `${(count / GB).toFixed(1)} GB` : `${Math.floor(count / MB)} MB`;
}

export function roomFinding(folder: string, freeBytes: number): Finding {
  const values = { folder, free: bytes(freeBytes) };
  if (freeBytes >= ROOM_WARNING) return found(CHECK, "ok", "diskRoom", values);
  return found(CHECK, freeBytes < ROOM_PROBLEM ? "problem" : "warning", "diskShort", values);
}

export function flushFinding(tookMs: number): Finding {
  const ms = tookMs < 10 ? tookMs.toFixed(1) : Math.round(tookMs);
  if (tookMs < FLUSH_WARNING_MS) return found(CHECK, "ok", "diskFlush", { ms });
  const state: State = tookMs < FLUSH_PROBLEM_MS ? "warning" : "problem";
  return found(CHECK, state, "diskSlow", { ms });
}

/** The middle of a few, each as the money's file is flushed. */
function flushMs(folder: string): number {
  const path = join(folder, `${newId("doctor_")}.tmp`);
  const file = openSync(path, "wx", 0o600);
  try {
    const times = Array.from({ length: FLUSHES }, () => {
      writeSync(file, Buffer.alloc(PAGE_BYTES, 1));
      const startedMs = performance.now();
      fsyncSync(file);
      return performance.now() - startedMs;
    });
    return times.toSorted((a, b) => a - b)[Math.floor(FLUSHES / 2)] ?? 0;
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function written(folder: string, room: Finding): Finding[] {
  try {
    return [flushFinding(flushMs(folder))];
  } catch (thrown) {
    const { message: reason } = thrown as Error;
    if (!(asFullDisk(folder, thrown) instanceof FullDiskError))
      return [found(CHECK, "problem", "diskUnwritable", { folder, reason })];
    // Where there is too little room, that was said before; else a quota is used up, or the disk has files enough.
    return room.state === "problem"
      ? []
      : [found(CHECK, "problem", "diskNoFile", { folder, reason })];
  }
}

function closed(folder: string): Finding[] {
  let open: readonly string[];
  try {
    open = openToOthers(folder);
  } catch {
    // Who may not look into it cannot write to it either, and is told that.
    return [];
  }
  if (open.length === 0) return [found(CHECK, "ok", "diskPrivate", { folder })];
  return [found(CHECK, "warning", "diskOpen", { files: open.join(" ") })];
}

/** The data folder, where there is one: on PostgreSQL it holds no more than a secret and sockets. */
export function diskCheck(dataDir: string): Finding[] {
  const folder = resolve(dataDir);
  if (!existsSync(folder)) return [];
  const { bavail, bsize } = statfsSync(folder);
  const room = roomFinding(folder, bavail * bsize);
  return [room, ...written(folder, room), ...closed(folder)];
}
