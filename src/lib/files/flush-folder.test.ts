import { expect, test } from "bun:test";
import { join } from "node:path";
import { refusedWith } from "../../../test/support/files/refused-call.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { flushFolder } from "./flush-folder.ts";

const parts = partsOfTest();

test.each(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"])(
  "a folder is as good as flushed where the file system flushes none, and says %s",
  (code) => {
    expect(() => flushFolder(parts.folder(), refusedWith(code))).not.toThrow();
  },
);

test.each(["EIO", "ENOSPC"])("a folder whose flushing fails by %s is told of", (code) => {
  expect(() => flushFolder(parts.folder(), refusedWith(code))).toThrow(code);
});

test("a folder that is not there is told of", () => {
  expect(() => flushFolder(join(parts.folder(), "nothing"))).toThrow("ENOENT");
});
