// A disk that is really full: a file system in memory without a page left.
import { test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partsOfTest } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";
import { needTool } from "./needed-tool.ts";
import { watchedServer } from "./watched-server.ts";

const parts = partsOfTest();

/** A folder that is a file system of its own; it takes the right to mount one. */
function smallDisk(): string {
  const path = mkdtempSync(join(tmpdir(), "faregate-disk-"));
  const mount = [needTool("mount"), "-t", "tmpfs", "-o", "size=32m", "tmpfs", path];
  const mounted = Bun.spawnSync(mount);
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

/** Leaves not a byte, until the file is removed whose path it gives. */
function fill(disk: string): string {
  const path = join(disk, "filler");
  const fd = openSync(path, "w");
  for (let bytes = 1 << 20; bytes > 0; ) {
    try {
      if (writeSync(fd, Buffer.alloc(bytes)) < bytes) bytes >>= 1;
    } catch {
      bytes >>= 1;
    }
  }
  closeSync(fd);
  return path;
}

test("a full disk refuses requests and is told of, and room on it is enough to go on", async () => {
  const disk = smallDisk();
  const watched = await watchedServer(parts, { FAREGATE_DATA: disk });
  await watched.expectWell();
  const filler = fill(disk);
  // What the log of the file has room for is still written.
  await eventually("a request is refused", async () => (await watched.ask()).status === 503);
  await watched.expectOut();
  rmSync(filler);
  await watched.expectWell();
  await watched.expectTold();
});
