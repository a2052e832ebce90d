import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { BLOCK_BYTES, END, filling, readHeader, writeHeader } from "./tar.ts";

const parts = partsOfTest();

test.each([0, 1, 512, 8 ** 11 - 1, 8 ** 11, 2 ** 43 + 5])(
  "%p bytes are read as they were written",
  (bytes) => {
    const entry = { name: "some.sqlite", bytes };
    expect(readHeader(writeHeader(entry, 1_760_000_000_000))).toEqual(entry);
    expect((bytes + filling(bytes)) % BLOCK_BYTES).toBe(0);
  },
);

test("a block that is cut, empty or changed in any byte that counts is none", () => {
  const block = writeHeader({ name: "a", bytes: 700 }, 1_000);
  expect(readHeader(block.subarray(0, 500))).toBeUndefined();
  expect(readHeader(END.subarray(0, BLOCK_BYTES))).toBeUndefined();
  for (const at of [0, 100, 130, 156, 300]) {
    const changed = Buffer.from(block);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect({ at, read: readHeader(changed) }).toEqual({ at, read: undefined });
  }
});

test("a name that does not fit is refused, and none is cut", () => {
  expect(() => writeHeader({ name: "x".repeat(101), bytes: 0 }, 0)).toThrow("too long");
});

test.skipIf(!Bun.which("tar"))("the system's own program reads it", () => {
  const path = join(parts.folder(), "a.tar");
  const body = Buffer.from("hello");
  const entry = { name: "greeting.txt", bytes: body.length };
  const blocks = [writeHeader(entry, 1_000), body, Buffer.alloc(filling(body.length)), END];
  writeFileSync(path, Buffer.concat(blocks));
  const read = Bun.spawnSync(["tar", "-xOf", path, "greeting.txt"]);
  expect(read.stdout.toString()).toBe("hello");
});
