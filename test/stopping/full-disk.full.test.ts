// A disk that is really full: a file system in memory that has no page left.
import { expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestServer } from "../server.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { answer, MockVendor } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";
import { expectLeft, SHORT_STOP } from "./stops.ts";

const parts = partsOfTest();
const REQUESTS = 24;

/** A folder that is a file system of its own; it takes the right to mount one. */
function smallDisk(): string {
  const path = mkdtempSync(join(tmpdir(), "faregate-disk-"));
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", path]);
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

/** Leaves not a byte. */
function fill(disk: string): string {
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

test("a server on a full disk ends, says what it could not settle, and frees its lock", async () => {
  const disk = smallDisk();
  const vendor = parts.keep(new MockVendor());
  const settings = { FAREGATE_DATA: disk, ...vendor.settings, ...SHORT_STOP };
  const server = parts.adopt(await TestServer.start(settings), (running) => running.kill());
  const { key } = await server.account("100", "--rpm", "0");
  const gate = Promise.withResolvers<void>();
  vendor.play(async (call) => {
    await gate.promise;
    return answer(call);
  });
  const body = { model: "gpt-6-luna", input: "Say hello." };
  const asked = Array.from({ length: REQUESTS }, () =>
    server.post("/responses", key, body).then(
      (response) => response.status,
      () => 0,
    ),
  );
  await eventually("the vendor has all of them", () => vendor.calls.length === REQUESTS);
  const filler = fill(disk);
  gate.resolve();
  const code = await server.stop();
  const statuses = await Promise.all(asked);
  const answered = statuses.filter((status) => status === 200).length;
  expect(answered).toBeLessThan(REQUESTS);
  expect(code).toBe(1);
  rmSync(filler);
  await expectLeft(server, settings, REQUESTS - answered);
});
