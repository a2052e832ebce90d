// Folders that an earlier program has left, and that no server of this one has opened yet.
import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { leaveEarlierBooks, versionsOn } from "../../../../test/store/earlier-books.ts";
import { SQLITE } from "../../../../test/store/engines.ts";
import { failureOf } from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { ROOMS } from "../../migrations/rooms.ts";
import { backUp } from "../backup/backup.ts";
import { restore } from "../backup/restore.ts";
import { migrate, openFile } from "../database.ts";
import { openSqlite } from "../open.ts";
import { RESPONSE_TABLES } from "../responses/responses-schema.ts";
import { verifyFolder } from "./verify-folder.ts";

const parts = partsOfTest();
const progress = async () => {};

async function earlierFolder(version = versionsOn(SQLITE) - 1): Promise<string> {
  const site = await SQLITE.emptySite(parts);
  await leaveEarlierBooks(site, version);
  const folder = site.settings.FAREGATE_DATA;
  const responses = openFile(join(folder, "responses.sqlite"), {
    create: true,
    synchronous: "NORMAL",
  });
  migrate(responses, RESPONSE_TABLES);
  responses.close();
  return folder;
}

/** As the first version has left it, which had no console yet. */
async function firstFolder(): Promise<string> {
  const folder = await earlierFolder(1);
  for (const end of ["", "-wal", "-shm"])
    rmSync(join(folder, `console.sqlite${end}`), { force: true });
  return folder;
}

/** As a server of today does. */
async function receiptsIn(folder: string): Promise<number> {
  const store = await openSqlite(folder, { create: true, serve: true, rooms: ROOMS });
  try {
    await store.ledger.recover();
    return (await store.ledger.verify()).receipts;
  } finally {
    await store.close();
  }
}

test("their books are added up", async () => {
  const { books } = await verifyFolder(await earlierFolder());
  expect(books).toMatchObject({ receipts: 3, openHolds: 0, problems: [] });
});

test("an empty file of money is not backed up as if it were one", async () => {
  const dataDir = await earlierFolder();
  truncateSync(join(dataDir, "faregate.sqlite"), 0);
  const target = join(parts.folder(), "backup.tar");
  const asked = { dataDir, target, force: false, withSecret: false, program: "any" };
  expect(await failureOf(backUp(asked, progress))).toMatchObject({ name: "MissingDatabaseError" });
  expect(existsSync(target)).toBe(false);
});

describe("one that had no console yet", () => {
  test("is backed up with what it has, and put back whole", async () => {
    const [dataDir, place] = [await firstFolder(), join(parts.folder(), "data")];
    const target = join(parts.folder(), "backup.tar");
    const asked = { dataDir, target, force: false, withSecret: false, program: "any" };
    const manifest = await backUp(asked, progress);
    expect(manifest).toMatchObject({ receipts: 1, versions: { money: 1, rooms: {} } });
    expect(existsSync(join(dataDir, "console.sqlite"))).toBe(false);
    const { books } = await restore(
      { source: target, dataDir: place, force: false, acceptProblems: false },
      progress,
    );
    expect(books).toMatchObject({ receipts: 3, problems: [] });
    expect([await receiptsIn(place), await receiptsIn(dataDir)]).toEqual([3, 3]);
  });

  test("is sound as it is, and still an installation when it has been looked at", async () => {
    const folder = await firstFolder();
    for (const _ of ["as it was", "as it was left"]) {
      const { files, books } = await verifyFolder(folder);
      expect({ files, books }).toMatchObject({ files: [], books: { problems: [] } });
    }
    expect(await receiptsIn(folder)).toBe(3);
  });
});
