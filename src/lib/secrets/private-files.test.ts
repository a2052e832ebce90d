import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { createPrivateFile, createPrivateFolder, openToOthers, tighten } from "./private-files.ts";

const parts = partsOfTest();
const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("what is made", () => {
  test("is for its owner alone from the first moment, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const folder = join(parts.folder(), "a", "data");
      createPrivateFolder(folder);
      const file = join(folder, "x.sqlite");
      createPrivateFile(file);
      expect([modeOf(folder), modeOf(file)]).toEqual([0o700, 0o600]);
    } finally {
      process.umask(before);
    }
  });

  test("leaves what a file holds", () => {
    const file = join(parts.folder(), "x.sqlite");
    writeFileSync(file, "kept");
    createPrivateFile(file);
    expect(statSync(file).size).toBe(4);
  });
});

describe("what is there", () => {
  function looseFolder(): string {
    const folder = join(parts.folder(), "data");
    mkdirSync(folder);
    const ours = [
      "faregate.sqlite",
      "faregate.sqlite-wal",
      "copy.sqlite",
      "serve.lock",
      "books.lock",
      "holds.map",
      "books.sock",
      "secret.key",
    ];
    for (const name of [...ours, "faregate.yaml"]) {
      writeFileSync(join(folder, name), "x");
      chmodSync(join(folder, name), 0o644);
    }
    chmodSync(folder, 0o755);
    return folder;
  }

  test("is taken from everybody else", () => {
    const folder = looseFolder();
    expect(openToOthers(folder)).toHaveLength(9);
    expect(tighten(folder)).toEqual([]);
    expect(openToOthers(folder)).toEqual([]);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(join(folder, "faregate.sqlite-wal"))).toBe(0o600);
    // What somebody else has put there is theirs.
    expect(modeOf(join(folder, "faregate.yaml"))).toBe(0o644);
  });

  test("keeps what its owner has closed further", () => {
    const folder = looseFolder();
    chmodSync(join(folder, "secret.key"), 0o400);
    tighten(folder);
    expect(modeOf(join(folder, "secret.key"))).toBe(0o400);
  });

  test.each<[string, number, (folder: string) => void]>([
    ["everybody's, as /tmp is", 0o1777, () => {}],
    ["one with folders in it, as a home is", 0o755, (folder) => mkdirSync(join(folder, "music"))],
  ])("is left where the folder is %s, but for the files", (_what, mode, change) => {
    const folder = looseFolder();
    change(folder);
    chmodSync(folder, mode);
    expect(tighten(folder)).toEqual([folder]);
    expect(modeOf(folder)).toBe(mode);
    expect(modeOf(join(folder, "secret.key"))).toBe(0o600);
  });

  function linkedFile(folder: string): { file: string; log: string } {
    const file = join(parts.folder(), "moved.sqlite");
    const log = `${file}-wal`;
    for (const each of [file, log]) {
      writeFileSync(each, "x");
      chmodSync(each, 0o644);
    }
    symlinkSync(file, join(folder, "linked.sqlite"));
    return { file, log };
  }

  test("is judged behind a link: a folder", () => {
    const folder = looseFolder();
    const link = join(parts.folder(), "link");
    symlinkSync(folder, link);
    expect(openToOthers(link)).toHaveLength(9);
    expect(tighten(link)).toEqual([]);
    expect([modeOf(folder), modeOf(join(folder, "secret.key"))]).toEqual([0o700, 0o600]);
  });

  test("is judged behind a link: a database, with what SQLite puts beside the file itself", () => {
    const folder = looseFolder();
    const { file, log } = linkedFile(folder);
    expect(tighten(folder)).toEqual([]);
    expect([modeOf(file), modeOf(log)]).toEqual([0o600, 0o600]);
  });

  test("is told of and left where a link, or what it leads to, is somebody else's", () => {
    const folder = looseFolder();
    const { file, log } = linkedFile(folder);
    const linkedFolder = join(parts.folder(), "link");
    symlinkSync(folder, linkedFolder);
    const somebodyElse = (process.geteuid?.() ?? 0) + 1;
    expect(tighten(linkedFolder, somebodyElse)).toEqual([
      linkedFolder,
      join(linkedFolder, "linked.sqlite"),
      log,
    ]);
    expect([modeOf(folder), modeOf(file), modeOf(log)]).toEqual([0o755, 0o644, 0o644]);
  });

  test("may be a link that leads nowhere, or to itself", () => {
    const folder = looseFolder();
    symlinkSync(join(folder, "nothing"), join(folder, "lost.sqlite"));
    symlinkSync(join(folder, "round.sqlite"), join(folder, "round.sqlite"));
    expect(tighten(folder)).toEqual([]);
  });

  test("may not be there at all", () => {
    expect(tighten(join(parts.folder(), "nothing"))).toEqual([]);
  });
});
