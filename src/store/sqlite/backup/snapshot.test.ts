import { Database } from "bun:sqlite";
import { beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { openFile } from "../database.ts";
import { Snapshot } from "./snapshot.ts";

const parts = partsOfTest();
let folder: string;
beforeEach(() => {
  folder = parts.folder();
});

const TABLES = `
  create table plain (id text not null primary key, body blob, size integer) strict;
  create index plain_by_size on plain (size) where size > 1;
  create table numbered (seq integer primary key, note text) strict;
  create table "odd ""name" (a text, b text, primary key (a, b)) strict, without rowid;
  create table counted (rows integer not null) strict;
  insert into counted values (0);
  create trigger numbered_added after insert on numbered
    begin update counted set rows = rows + 1; end;
  pragma user_version = 7;
`;

/** More than goes over in one statement, with gaps between the numbers and some below zero. */
const ROWS = 45_000;

function source(): Database {
  const db = parts.keep(openFile(join(folder, "a"), { create: true, synchronous: "NORMAL" }));
  db.run(TABLES);
  db.run("begin");
  const add = db.query("insert into numbered values (?, ?)");
  for (let i = -2; i < ROWS; i++) add.run(i * 1_000_003, `row ${i}`);
  for (const size of [0, 1, 2n ** 60n]) {
    db.run("insert into plain values (?, ?, ?)", [`${size}`, Buffer.alloc(9_000, 7), size]);
  }
  db.run(`insert into "odd ""name" values ('x', ?)`, ["狐狸\0🦊"]);
  db.run("commit");
  return db;
}

function contents(db: Database): unknown {
  const schema = db.query("select type, name, sql from sqlite_schema order by type, name").values();
  const rows = ["plain", "numbered", '"odd ""name"', "counted"].map((name) =>
    db.query(`select * from ${name}`).safeIntegers(true).values(),
  );
  return { schema, rows, version: db.query("pragma user_version").get() };
}

async function copied(snapshot: Snapshot, progress = async () => {}): Promise<Database> {
  await snapshot.copy(progress);
  snapshot.close();
  return parts.keep(new Database(join(folder, "copy"), { readonly: true }));
}

const take = () => new Snapshot(join(folder, "a"), join(folder, "copy"));

test("a copy has the tables, rows, indexes, triggers and version of its source", async () => {
  const db = source();
  const copy = await copied(take());
  expect(contents(copy)).toEqual(contents(db));
  expect(copy.query("pragma integrity_check").values()).toEqual([["ok"]]);
});

test("it is of the moment at which it was taken, whatever is written until it is copied", async () => {
  const db = source();
  const then = contents(db);
  const snapshot = take();
  const write = () => {
    db.run("insert into numbered (note) values ('later')");
    db.run("delete from plain");
    db.run('update "odd ""name" set b = b || \'later\'');
  };
  write();
  db.run("pragma wal_checkpoint(passive)");
  const copy = await copied(snapshot, async () => write());
  expect(contents(copy)).toEqual(then);
  expect(contents(db)).not.toEqual(then);
});

test("how far it is comes to all of it, and whoever gives up ends it", async () => {
  source();
  const told: number[][] = [];
  await copied(take(), (async (_step: string, ...counts: number[]) => {
    told.push(counts);
  }) as () => Promise<void>);
  expect(told.at(-1)).toEqual([ROWS + 7, ROWS + 7]);
  expect(told.map(([done = 0]) => done)).toEqual(
    told.map(([done = 0]) => done).sort((a, b) => a - b),
  );
  expect(told.length).toBeGreaterThan(4);
  const given = new Snapshot(join(folder, "a"), join(folder, "other"));
  const stop = () => Promise.reject(new Error("given up"));
  await expect(given.copy(stop)).rejects.toThrow("given up");
  given.close();
});
