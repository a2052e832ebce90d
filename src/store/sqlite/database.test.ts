import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { closeFile, migrate, openFile } from "./database.ts";

const parts = partsOfTest();

test("what has failed is told also where SQLite has taken it back by itself, as on a full disk", () => {
  const path = join(parts.folder(), "any.sqlite");
  const db = openFile(path, { create: true, synchronous: "FULL" });
  parts.defer(() => closeFile(db));
  const versions = ["rollback; insert into nowhere values (1)"];
  expect(() => migrate(db, { room: "any", versions, least: 1 })).toThrow("no such table: nowhere");
});
