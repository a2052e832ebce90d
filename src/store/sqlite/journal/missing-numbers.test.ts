import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutTriggers } from "../../../../test/store/engines.ts";
import { admitted, customer, post } from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { openSqlite } from "../open.ts";
import { JournalMark } from "./journal-mark.ts";

const parts = partsOfTest();
let folder: string;
beforeEach(() => {
  folder = parts.folder();
});

const file = (name = "faregate.sqlite", place = folder) => join(place, name);
const open = (place = folder) => openSqlite(place, { create: true, serve: true });
type Opened = Awaited<ReturnType<typeof open>>;

async function settled(store: Opened, made: Awaited<ReturnType<typeof customer>>, count: number) {
  for (let i = 0; i < count; i++) await post(store, await admitted(store, made, 30n), 5n);
}

function copied(from: string): string {
  const place = parts.folder();
  const money = ["faregate.sqlite", "faregate.sqlite-wal", "holds.map", "journal.mark"];
  for (const name of [...money, "responses.sqlite", "console.sqlite"]) {
    copyFileSync(file(name, from), file(name, place));
  }
  return place;
}

/** The files of a server as a kill leaves them, in another folder: none of its locks is in the way there. */
async function killedAfter(count: number) {
  const store = parts.keep(await open());
  const made = await customer(store, { credit: 1_000n });
  // What comes from now on is in the log alone.
  const other = parts.keep(new Database(file()));
  other.run("begin");
  other.query("select count(*) from entries").get();
  await settled(store, made, count - 1);
  const beforeLast = Bun.file(file("faregate.sqlite-wal")).size;
  await settled(store, made, 1);
  return { left: copied(folder), beforeLast };
}

async function problemsIn(place: string): Promise<readonly string[]> {
  const store = await open(place);
  try {
    return (await store.ledger.verify()).problems;
  } finally {
    await store.close();
  }
}

describe("lines that somebody was told of", () => {
  test("are all there after a kill", async () => {
    const { left } = await killedAfter(4);
    expect(await problemsIn(left)).toEqual([]);
  });

  test("are missed when the log behind them is cut or gone, and for good", async () => {
    const { left: killed, beforeLast } = await killedAfter(4);
    for (const cut of [
      (path: string) => rmSync(path),
      (path: string) => truncateSync(path, 32),
      // Behind the last line its rows may stand already, so it need not be in the second half.
      (path: string) => truncateSync(path, beforeLast),
    ]) {
      const left = copied(killed);
      cut(file("faregate.sqlite-wal", left));
      const [problem, ...others] = await problemsIn(left);
      expect(problem).toMatch(/^journal: (?:\d to )?4 missing; what was settled there is lost/);
      expect(others).toEqual([]);
      // The server goes on with the next number.
      const store = await open(left);
      const made = await customer(store, { credit: 1_000n });
      await settled(store, made, 3);
      await store.close();
      expect(await problemsIn(left)).toEqual([problem as string]);
    }
  });

  test("are missed when an older file is put in the place of one that went on", async () => {
    const store = await open();
    const made = await customer(store, { credit: 1_000n });
    await settled(store, made, 2);
    await store.close();
    copyFileSync(file(), file("older"));
    const again = await open();
    await settled(again, made, 3);
    await again.close();
    copyFileSync(file("older"), file());
    expect(await problemsIn(folder)).toEqual([expect.stringMatching(/^journal: 3 to 5 missing/)]);
  });

  test("are missed where one is gone between others", async () => {
    await (await open()).close();
    const db = new Database(file());
    for (const seq of [1, 2, 5]) db.run("insert into journal values (?, 'x')", [seq]);
    db.close();
    const found = await problemsIn(folder);
    expect(found.filter((line) => !line.includes("set aside"))).toEqual([
      expect.stringMatching(/^journal: 3 to 4 missing/),
    ]);
  });

  test("are not asked for where a program of before the numbers has written, or a mark says nothing whole", async () => {
    const store = await open();
    const made = await customer(store, { credit: 1_000n });
    await settled(store, made, 2);
    await store.close();
    const db = new Database(file());
    db.run("insert into journal values (1, 'x')");
    db.close();
    writeFileSync(file("journal.mark"), Buffer.alloc(4_096, 7));
    const found = await problemsIn(folder);
    expect(found.filter((line) => line.startsWith("journal"))).toEqual([]);
  });
});

test("entries that were taken out are missed by their numbers", async () => {
  const store = await open();
  const made = await customer(store, { credit: 1_000n });
  await settled(store, made, 5);
  await store.close();
  const db = new Database(file());
  withoutTriggers(db, () => db.run("delete from entries where seq in (1, 3, 4)"));
  db.close();
  const found = await problemsIn(folder);
  expect(found.filter((line) => line.startsWith("entries"))).toEqual([
    "entries: 1 missing; rows were taken out",
    "entries: 3 to 4 missing; rows were taken out",
  ]);
});

test("a mark keeps the number across processes, and a torn one is none", () => {
  const path = file("journal.mark");
  const mark = JournalMark.open(path);
  expect(mark?.read()).toBe(0);
  mark?.write(2 ** 40 + 1);
  expect(JournalMark.open(path)?.read()).toBe(2 ** 40 + 1);
  const bytes = Buffer.alloc(4_096);
  bytes.writeBigUInt64LE(99n);
  writeFileSync(path, bytes);
  expect(JournalMark.open(path)?.read()).toBe(0);
});
