// A disk that is really full: a file system in memory without a page left.
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { newOperator } from "../support/browser.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";
import { fillDisk, smallDisk } from "./small-disk.ts";
import { watchedServer } from "./watched-server.ts";

const parts = partsOfTest();
const PAGES = ["health", "system", "channels", "accounts", "ledger/margin", "audit"].map(
  (page) => `/api/operator/${page}`,
);
const DISK_KILOBYTES = 32 * 1024;

test("a full disk refuses requests and is told of, and room on it is enough to go on", async () => {
  const disk = smallDisk(parts, DISK_KILOBYTES);
  const watched = await watchedServer(parts, { FAREGATE_DATA: disk });
  await watched.expectWell();
  const filler = fillDisk(disk);
  // What the log of the file has room for is still written.
  await eventually("a request is refused", async () => (await watched.ask()).status === 503);
  await watched.expectOut();
  rmSync(filler);
  await watched.expectWell();
  await watched.expectTold();
});

test("operators read the pages of the console while the disk is full", async () => {
  const disk = smallDisk(parts, DISK_KILOBYTES);
  const watched = await watchedServer(parts, { FAREGATE_DATA: disk });
  await watched.expectWell();
  const url = new URL(watched.server.url).origin;
  const token = /welcome#(\S+)/.exec(watched.server.greeting)?.[1] ?? "";
  const operator = await newOperator(url, token, "op@example.com");
  const filler = fillDisk(disk);
  await eventually("a request is refused", async () => (await watched.ask()).status === 503);
  for (const path of ["/api/me", ...PAGES]) {
    expect([path, (await operator.get(path)).status]).toEqual([path, 200]);
  }
  rmSync(filler);
  await watched.expectWell();
});
