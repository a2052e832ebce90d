// Where a run writes: one folder for its databases, the data of its servers and what its suites print. It is
// in memory where there is room, since a disk's flushes are most of what the suites would wait for; what dies
// in a test is a process, never the machine.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, sweepLeftovers } from "../engines/postgres.ts";

/** Names the temporary folder on the disk, for what is kept from one run to the next. */
export const DISK_VARIABLE = "FAREGATE_TEST_DISK";

const MEMORY_DIR = "/dev/shm";
/** `src/store`, which makes the most databases, and four suites beside it had 0.7 GB there at once. */
const ROOM_BYTES_MIN = 6 * 1024 ** 3;
const PREFIX = "faregate-run-";

interface RunFolder {
  readonly path: string;
  remove(): void;
}

/** A folder of this process alone, from now on its temporary folder and that of what it starts. */
export function openRunFolder(): RunFolder {
  const disk = tmpdir();
  const parents = new Set([MEMORY_DIR, disk]);
  for (const parent of parents) sweep(parent);
  // Whoever names a temporary folder means it.
  const home = process.env.TMPDIR === undefined && hasRoom(MEMORY_DIR) ? MEMORY_DIR : disk;
  const path = mkdtempSync(join(home, `${PREFIX}${process.pid}-`));
  // As any temporary folder: PostgreSQL may run as another user, who makes and removes its own there.
  chmodSync(path, 0o1777);
  process.env[DISK_VARIABLE] ??= disk;
  process.env.TMPDIR = path;
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** In the folder and, since the folder is made of it, in the memory of the machine. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES_MIN;
  } catch {
    return false;
  }
}

/** Removes what runs that were killed have left. */
function sweep(parent: string): void {
  for (const name of namesIn(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    if (isAlive(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    const folder = join(parent, name);
    try {
      sweepLeftovers(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
