// A disk that can be filled: a file system in memory.
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Parts } from "../support/houses/house.ts";
import { needTool } from "./needed-tool.ts";

/** A folder that is a file system of its own; it takes the right to mount one. */
export function smallDisk(parts: Parts, kilobytes: number, ...more: string[]): string {
  const path = mkdtempSync(join(tmpdir(), "faregate-disk-"));
  const options = ["-t", "tmpfs", "-o", [`size=${kilobytes}k`, ...more].join(","), "tmpfs", path];
  const mounted = Bun.spawnSync([needTool("mount"), ...options]);
  if (mounted.exitCode !== 0) {
    rmdirSync(path);
    throw new Error(`this test mounts a tmpfs, which is refused here: ${mounted.stderr}`);
  }
  parts.defer(() => {
    Bun.spawnSync(["umount", "-l", path]);
    rmdirSync(path);
  });
  return path;
}

/** The same where this machine lets us mount one; says so where it does not. */
export function smallDiskIfAllowed(parts: Parts, kilobytes: number): string | undefined {
  try {
    return smallDisk(parts, kilobytes);
  } catch (thrown) {
    console.error(`a full disk is left out: ${(thrown as Error).message}`);
    return undefined;
  }
}

/** Leaves not a byte, until the file is removed whose path it gives. */
export function fillDisk(disk: string): string {
  const path = join(disk, "filler");
  const fd = openSync(path, "w");
  try {
    for (let bytes = 1 << 20; bytes > 0; ) {
      try {
        if (writeSync(fd, Buffer.alloc(bytes)) < bytes) bytes >>= 1;
      } catch {
        bytes >>= 1;
      }
    }
  } finally {
    closeSync(fd);
  }
  return path;
}
