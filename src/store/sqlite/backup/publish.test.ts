import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusedWith } from "../../../../test/support/files/refused-call.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { publish } from "./publish.ts";

const parts = partsOfTest();

let archive: string;
let target: string;
beforeEach(() => {
  const folder = parts.folder();
  archive = join(folder, "archive");
  target = join(folder, "b.tar");
  writeFileSync(archive, "whole");
});

test("a backup that is not to replace anything leaves a file that came meanwhile", () => {
  writeFileSync(target, "another's");
  expect(() => publish(archive, target, false)).toThrow("exists");
  expect(readFileSync(target, "utf8")).toBe("another's");
  publish(archive, target, true);
  expect(readFileSync(target, "utf8")).toBe("whole");
});

describe.each(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"])(
  "where there are no hard links, which is told by %s, a backup",
  (code) => {
    test("gets its name all the same", () => {
      publish(archive, target, false, refusedWith(code));
      expect(readFileSync(target, "utf8")).toBe("whole");
      expect(existsSync(archive)).toBe(false);
    });

    test("replaces nothing that came meanwhile, be it a link to nowhere", () => {
      writeFileSync(target, "another's");
      expect(() => publish(archive, target, false, refusedWith(code))).toThrow("exists");
      expect(readFileSync(target, "utf8")).toBe("another's");
      const link = `${target}.link`;
      symlinkSync("nowhere", link);
      expect(() => publish(archive, link, false, refusedWith(code))).toThrow("exists");
    });
  },
);

test.each(["EIO", "ENOSPC", "EACCES"])("a backup that gets no name by %s has none", (code) => {
  expect(() => publish(archive, target, false, refusedWith(code))).toThrow(code);
  expect(existsSync(target)).toBe(false);
});
