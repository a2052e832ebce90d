import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RefusedPathError, requireWritable } from "./refused-paths.ts";

const LOOKS = 20_000;

test("a file that another takes away while it is looked at is not refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "faregate-places-"));
  const path = join(folder, "coming-and-going");
  // As SQLite does with the files beside a database when its last connection is closed.
  const loop = 'while [ -d "$1" ]; do : > "$2"; rm -f "$2"; done 2> /dev/null';
  const other = Bun.spawn(["sh", "-c", loop, "sh", folder, path]);
  try {
    while (!existsSync(path)) await Bun.sleep(1);
    const look = () => {
      for (let looks = 0; looks < LOOKS; looks++) requireWritable(folder, [path]);
    };
    expect(look).not.toThrow();
  } finally {
    other.kill();
    await other.exited;
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a place below a file is refused, with its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "faregate-places-"));
  try {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const place = join(file, "data");
    const look = () => requireWritable(place, [join(place, "faregate.sqlite")]);
    expect(look).toThrow(RefusedPathError);
    expect(look).toThrow(`${place} cannot be written to`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
