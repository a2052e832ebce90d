import { expect, test } from "bun:test";
import { asFullDisk, FullDiskError } from "./full-disk.ts";

const FOLDER = import.meta.dir;
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ["SQLite says", coded("SQLITE_FULL", "database or disk is full")],
  ["the system says", coded("ENOSPC", "ENOSPC: no space left on device, write")],
  ["comes out of a thread", new Error("database or disk is full")],
])("what %s of a full disk is told as that", (_, thrown) => {
  const told = asFullDisk(FOLDER, thrown);
  expect(told).toBeInstanceOf(FullDiskError);
  expect(told).toMatchObject({ folder: FOLDER, cause: thrown });
});

test("what a disk with room says of itself stays as it is, and so does all else", () => {
  for (const thrown of [
    coded("SQLITE_IOERR_READ", "disk I/O error"),
    coded("SQLITE_CORRUPT", "database disk image is malformed"),
    new FullDiskError("/elsewhere", undefined),
    "a text",
  ]) {
    expect(asFullDisk(FOLDER, thrown)).toBe(thrown);
  }
});
