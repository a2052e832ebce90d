import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { mapFile } from "./mapped-file.ts";

const parts = partsOfTest();
const newFile = () => join(parts.folder(), "some.map");
const BYTES = 16_384;

describe("a mapped file", () => {
  test("is made of zeros, for its owner alone", () => {
    const path = newFile();
    expect(mapFile(path, BYTES)).toEqual(Buffer.alloc(BYTES));
    const { size, mode } = statSync(path);
    expect(size).toBe(BYTES);
    expect(mode & 0o777).toBe(0o600);
  });

  test("is written and read by whoever maps it", () => {
    const path = newFile();
    const [one, other] = [mapFile(path, BYTES), mapFile(path, BYTES)];
    one?.write("here", 5_000);
    expect(other?.toString("utf8", 5_000, 5_004)).toBe("here");
    expect(readFileSync(path).toString("utf8", 5_000, 5_004)).toBe("here");
  });

  test("that is there keeps what it has, and gets the length that is asked for", () => {
    for (const length of [3, BYTES + 3]) {
      const path = newFile();
      writeFileSync(path, "x".repeat(length));
      const map = mapFile(path, BYTES);
      expect(map?.length).toBe(BYTES);
      expect(map?.toString("utf8", 0, 3)).toBe("xxx");
      expect(statSync(path).size).toBe(BYTES);
    }
  });

  test("is none where it cannot be written or mapped", () => {
    const path = newFile();
    mkdirSync(path);
    expect(mapFile(path, BYTES)).toBeUndefined();
    expect(mapFile(join(path, "no", "such"), BYTES)).toBeUndefined();
    // A disk without room, where the system has one to try it on.
    if (existsSync("/dev/full")) expect(mapFile("/dev/full", BYTES)).toBeUndefined();
  });
});
