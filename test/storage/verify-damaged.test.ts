// `faregate verify` on files that a disk, a copy or somebody has spoilt: a line for each problem, never a trace.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { typed } from "../cli/commands.ts";
import { Dice } from "../simulation/dice.ts";
import { admitted, customer, post } from "../store/samples.ts";
import { count } from "../support/counts.ts";
import { perSuite } from "../support/houses/house.ts";

const FLIPS = count(12, 200);
const PAGE_BYTES = 4_096;
/** Bytes of a file that say which programs may open it. */
const PROGRAM = [60, 61, 62, 63];
const FILES = ["faregate.sqlite", "responses.sqlite", "console.sqlite"];

function replaceByFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

describe("faregate verify", () => {
  const house = perSuite(async (parts) => {
    const folder = parts.folder();
    const store = await openSqlite(folder, { create: true, serve: true, rooms: ROOMS });
    const made = await customer(store, { credit: 100_000n });
    for (let i = 0; i < 60; i++) await post(store, await admitted(store, made, 30n), 5n);
    await store.close();
    const copy = () => {
      const place = join(parts.folder(), "data");
      cpSync(folder, place, { recursive: true });
      return place;
    };
    return { copy };
  });

  async function verify(folder: string) {
    const { code, stdout, stderr } = await typed(["verify"], { FAREGATE_DATA: folder });
    expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at |\.ts:\d/);
    expect(stderr).toBe("");
    const problems = stdout.split("\n").filter((line) => line.startsWith("  "));
    expect(code).toBe(problems.length > 0 ? 1 : 0);
    return { stdout, problems };
  }

  test("finds nothing wrong where nothing is", async () => {
    const { stdout, problems } = await verify(house.copy());
    expect(problems).toEqual([]);
    expect(stdout).toContain("60 receipts");
  });

  test.each(FILES)("tells of %s that is missing, empty, cut, garbage or no file", async (name) => {
    for (const [spoil, told] of [
      [rmSync, /is missing/],
      [(path: string) => truncateSync(path, 0), /is empty/],
      [(path: string) => truncateSync(path, 3 * PAGE_BYTES), /is damaged/],
      [(path: string) => truncateSync(path, 700), /is damaged|cannot be read/],
      [(path: string) => writeFileSync(path, "garbage ".repeat(2_000)), /is damaged: file is not/],
      [replaceByFolder, /cannot be read/],
    ] as const) {
      const folder = house.copy();
      spoil(join(folder, name));
      const { problems, stdout } = await verify(folder);
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) expect(problem).toStartWith(`  ${name} `);
      expect(problems[0]).toMatch(told);
      // The books are added up wherever that can be.
      expect(stdout).toContain(name === "faregate.sqlite" ? "not checked" : "60 receipts");
    }
  });

  test("tells of garbage in a page", async () => {
    const folder = house.copy();
    const path = join(folder, "faregate.sqlite");
    const bytes = readFileSync(path);
    for (let at = 4 * PAGE_BYTES; at < bytes.length; at += PAGE_BYTES) {
      bytes.fill(0xa5, at, at + 64);
    }
    writeFileSync(path, bytes);
    const { problems } = await verify(folder);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((line) => line.startsWith("  faregate.sqlite is damaged: "))).toBe(true);
  });

  test("tells of a version that was applied with another text", async () => {
    const folder = house.copy();
    const db = new Database(join(folder, "faregate.sqlite"));
    db.run("update applied_versions set checksum = 'x' where version = 7");
    db.close();
    const { problems, stdout } = await verify(folder);
    expect(problems).toEqual([
      expect.stringContaining("faregate.sqlite cannot be read: Version 7 of the tables of money"),
    ]);
    expect(stdout).toContain("not checked");
  });

  test("tells of a file whose own account of its tables is spoilt", async () => {
    const folder = house.copy();
    const db = new Database(join(folder, "faregate.sqlite"));
    db.run("alter table applied_versions rename column checksum to check5um");
    db.close();
    const { problems, stdout } = await verify(folder);
    expect(problems).toEqual(["  faregate.sqlite cannot be read: no such column: checksum"]);
    expect(stdout).toContain("not checked");
  });

  test("takes a file that asks for a newer program at its word", async () => {
    const folder = house.copy();
    const path = join(folder, "faregate.sqlite");
    const bytes = readFileSync(path);
    bytes[PROGRAM[2] as number] = 1;
    writeFileSync(path, bytes);
    const { code, stdout, stderr } = await typed(["verify"], { FAREGATE_DATA: folder });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^faregate: .* newer Faregate: .*\n$/);
  });

  test("never answers a flipped byte with a trace", async () => {
    const dice = new Dice(Number(process.env.FAREGATE_TEST_SEED ?? 20_261_116));
    for (let i = 0; i < FLIPS; i++) {
      const folder = house.copy();
      const path = join(folder, dice.pick(FILES));
      const bytes = readFileSync(path);
      for (let n = dice.between(1, 40); n > 0; n--) {
        const at = dice.between(0, bytes.length - 1);
        if (!PROGRAM.includes(at)) bytes[at] = dice.between(0, 255);
      }
      writeFileSync(path, bytes);
      await verify(folder);
    }
  });
});
