// A disk that is really full: a file system in memory that has no page left.
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { fillDisk, smallDisk } from "../outages/small-disk.ts";
import { TestServer } from "../server.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { answer, MockVendor } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";
import { expectLeft, SHORT_STOP } from "./stops.ts";

const parts = partsOfTest();
const REQUESTS = 24;
const DISK_KILOBYTES = 32 * 1024;

test("a server on a full disk ends, says what it could not settle, and frees its lock", async () => {
  const disk = smallDisk(parts, DISK_KILOBYTES);
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
  const filler = fillDisk(disk);
  gate.resolve();
  const code = await server.stop();
  const statuses = await Promise.all(asked);
  const answered = statuses.filter((status) => status === 200).length;
  expect(answered).toBeLessThan(REQUESTS);
  expect(code).toBe(1);
  rmSync(filler);
  await expectLeft(server, settings, REQUESTS - answered);
});
