// Folders that an earlier program has left, and that no server of this one has opened yet.
import { expect, test } from "bun:test";
import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { leaveEarlierBooks, versionsOn } from "../../../../test/store/earlier-books.ts";
import { SQLITE } from "../../../../test/store/engines.ts";
import { failureOf } from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { backUp } from "../backup/backup.ts";
import { migrate, openFile } from "../database.ts";
import { RESPONSE_TABLES } from "../responses/responses-schema.ts";
import { verifyFolder } from "./verify-folder.ts";

const parts = partsOfTest();
const progress = async () => {};

async function earlierFolder(): Promise<string> {
  const site = await SQLITE.emptySite(parts);
  await leaveEarlierBooks(site, versionsOn(SQLITE) - 1);
  const folder = site.settings.FAREGATE_DATA;
  const responses = openFile(join(folder, "responses.sqlite"), {
    create: true,
    synchronous: "NORMAL",
  });
  migrate(responses, RESPONSE_TABLES);
  responses.close();
  return folder;
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
