import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusedWith } from "../../../test/support/files/refused-call.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { findOwnSecret, makeOwnSecret, ownSecret } from "./secret-file.ts";

const parts = partsOfTest();

describe.each(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"])(
  "where there are no hard links, which is told by %s, the folder's own secret",
  (code) => {
    const link = refusedWith(code);

    test("is made once, for its owner alone", () => {
      const folder = parts.folder();
      const made = ownSecret(folder, link);
      expect(made).toMatch(/^[\w-]{43}$/);
      expect([ownSecret(folder, link), findOwnSecret(folder)]).toEqual([made, made]);
      expect(readdirSync(folder)).toEqual(["secret.key"]);
      expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
    });

    test("is that of whoever was faster", () => {
      const folder = parts.folder();
      const file = join(folder, "secret.key");
      const overtaken = () => {
        writeFileSync(file, "another's\n");
        return link();
      };
      expect(makeOwnSecret(folder, overtaken)).toBe(false);
      expect(readFileSync(file, "utf8")).toBe("another's\n");
    });
  },
);

test("a secret that cannot be linked for another reason is not made", () => {
  const folder = parts.folder();
  expect(() => ownSecret(folder, refusedWith("EIO"))).toThrow("EIO");
  expect(readdirSync(folder)).toEqual([]);
});

test("an empty file is no secret, and is named with what to do", () => {
  const folder = parts.folder();
  const file = join(folder, "secret.key");
  writeFileSync(file, "");
  expect(() => ownSecret(folder)).toThrow(`${file} is empty. Put the secret back`);
});
