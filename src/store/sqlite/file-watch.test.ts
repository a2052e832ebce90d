import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  admitted,
  credit,
  customer,
  failureOf,
  post,
  request,
} from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { keptLog } from "../../../test/support/logs.ts";
import { eventually } from "../../../test/support/waiting.ts";
import type { OpenOptions } from "../store.ts";
import { FileWatch } from "./file-watch.ts";
import { openSqlite } from "./open.ts";

const parts = partsOfTest();
const MONEY = ["faregate.sqlite", "faregate.sqlite-wal", "faregate.sqlite-shm"];

async function open(options: Partial<OpenOptions> = {}) {
  const folder = parts.folder();
  const { log, logged } = keptLog();
  const serving = { create: true, serve: true, log, ...options };
  const store = parts.keep(await openSqlite(folder, serving));
  const made = await customer(store, { credit: 100n });
  /** Moves files to another folder; returns that, and the way back. */
  const move = (names: readonly string[]) => {
    const aside = parts.folder();
    for (const name of names) renameSync(join(folder, name), join(aside, name));
    const back = () => {
      for (const name of names) renameSync(join(aside, name), join(folder, name));
    };
    return { aside, back };
  };
  const noticed = () => eventually("it is noticed", () => logged("files_gone").length > 0);
  return { folder, store, made, move, noticed, logged };
}

const ANY = [
  ...MONEY,
  "holds.map",
  "journal.mark",
  "serve.lock",
  "books.lock",
  "responses.sqlite",
  "responses.sqlite-wal",
  "console.sqlite",
];

/** One server is as good as another, so all of them wait for their own at the same time. */
async function loseAndFind(name: string): Promise<void> {
  const { store, made, move, noticed, logged } = await open();
  const running = await admitted(store, made, 10n);
  const { back } = move([name]);
  await noticed();
  expect(logged("files_gone")).toMatchObject([{ files: [expect.stringContaining(name)] }]);
  const { id, accountId } = made;
  for (const ask of [
    () => store.ping(),
    async () => store.admission.admit(request(made, 1n)),
    () => post(store, running, 3n),
    () => credit(store, accountId, 1n),
    () => store.accounts.updateKey(id, { name: "x" }),
    () => store.sql.query("select 1"),
    () => store.conversations.sweep(1),
  ]) {
    expect(await failureOf(ask())).toMatchObject({ name: "StorageError" });
  }
  back();
  await eventually("it is noticed, too", () => logged("files_back").length > 0);
  await store.ping();
  await post(store, running, 3n);
  await post(store, await admitted(store, made, 10n), 4n);
  expect(await store.ledger.verify()).toMatchObject({ receipts: 2, openHolds: 0, problems: [] });
}

test("with any file gone nothing is let in or written, until it is back", async () => {
  await Promise.all(ANY.map(loseAndFind));
});

test("with the whole data folder gone storage is in doubt at once, and nothing is written", async () => {
  const { folder, store, made, noticed, logged } = await open();
  const doubted = Promise.withResolvers<void>();
  store.watch?.(doubted.resolve);
  const aside = join(parts.folder(), "aside");
  renameSync(folder, aside);
  await noticed();
  await doubted.promise;
  const [gone] = logged("files_gone") as { files?: string[] }[];
  for (const name of [...MONEY, "journal.mark", "responses.sqlite", "console.sqlite"]) {
    expect(gone?.files).toContain(join(folder, name));
  }
  expect(await failureOf(store.ping())).toMatchObject({ name: "StorageError" });
  renameSync(aside, folder);
  await eventually("it is noticed, too", () => logged("files_back").length > 0);
  await post(store, await admitted(store, made, 10n), 4n);
});

test("a transaction of the console during which a file was gone is undone, and what follows is kept", async () => {
  const { folder, store, move, noticed, logged } = await open({ rooms: [] });
  const { sql } = store;
  await sql.query("create table notes (text)");
  const found = Promise.withResolvers<() => void>();
  const lost = sql.transaction(async (inside) => {
    await inside.query("insert into notes values ('lost')");
    found.resolve(move(["holds.map"]).back);
    await noticed();
    await inside.query("insert into notes values ('lost, too')");
  });
  expect(await failureOf(lost)).toMatchObject({ name: "StorageError" });
  (await found.promise)();
  await eventually("it is noticed, too", () => logged("files_back").length > 0);
  await sql.query("insert into notes values ('alone')");
  await sql.transaction((inside) => inside.query("insert into notes values ('together')"));
  const other = parts.keep(new Database(join(folder, "console.sqlite")));
  expect(other.query("select text from notes").values().flat()).toEqual(["alone", "together"]);
});

test("what was told to be settled is in the files that were moved away", async () => {
  const { folder, store, made, move, noticed } = await open();
  await post(store, await admitted(store, made, 10n), 4n);
  const { aside } = move(MONEY);
  // Another in its place is no better than none.
  for (const name of MONEY) copyFileSync(join(aside, name), join(folder, name));
  await noticed();
  expect(await failureOf(store.ping())).toMatchObject({ name: "StorageError" });
  await store.close();
  expect(existsSync(join(folder, "faregate.sqlite-wal"))).toBe(true);
  for (const name of ["responses.sqlite", "console.sqlite"]) {
    copyFileSync(join(folder, name), join(aside, name));
  }
  const moved = parts.keep(await openSqlite(aside, { create: false, serve: true }));
  expect(await moved.ledger.balance(made.accountId)).toMatchObject({ charged: 4n, held: 0n });
});

test("what goes with the one who closes it is not told of as gone", async () => {
  const { log, lines } = keptLog();
  const watch = new FileWatch(log);
  const path = join(parts.folder(), "a.sqlite");
  writeFileSync(path, "");
  watch.begin([path], []);
  rmSync(path);
  const looking = watch.look();
  watch.close();
  await looking;
  expect(lines).toEqual([]);
  watch.check();
});
