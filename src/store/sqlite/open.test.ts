import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { booksHere, customerHere } from "../../../test/store/books-here.ts";
import {
  admitted,
  customer,
  failureOf,
  post,
  receipt,
  request,
  voidHold,
} from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { openFile } from "./database.ts";
import { Journal } from "./journal/journal.ts";
import { openSqlite } from "./open.ts";

/** Levels of `pragma synchronous`. */
const NORMAL = 1;
const FULL = 2;

const parts = partsOfTest();
let folder: string;
beforeEach(() => {
  folder = parts.folder();
});

describe("a data folder", () => {
  test("has one serving process, and others beside it", async () => {
    const first = await openSqlite(folder, { create: true, serve: true });
    const second = await failureOf(openSqlite(folder, { create: true, serve: true }));
    expect(second.name).toBe("DatabaseInUseError");
    const beside = await openSqlite(folder, { create: false, serve: false });
    await beside.close();
    await first.close();
    const next = await openSqlite(folder, { create: true, serve: true });
    await next.close();
  });

  test("that was closed has its logs in its files, whoever copies them", async () => {
    const store = await openSqlite(folder, { create: true, serve: true });
    await post(store, await admitted(store, await customer(store, { credit: 100n }), 30n), 12n);
    expect(existsSync(join(folder, "faregate.sqlite-wal"))).toBe(true);
    await store.close();
    const logs = readdirSync(folder).filter((name) => name.endsWith("-wal"));
    expect(logs).toEqual([]);
  });

  test("that is missing is reported as missing, to a server too, and nothing is created", async () => {
    const path = join(folder, "nowhere");
    for (const serve of [false, true]) {
      const failure = await failureOf(openSqlite(path, { create: false, serve }));
      expect(failure.name).toBe("MissingDatabaseError");
    }
    expect(existsSync(path)).toBe(false);
  });

  test("that cannot be opened leaves no lock behind", async () => {
    const file = join(folder, "faregate.sqlite");
    await Bun.write(file, "this is not a database, and long enough to be seen as none".repeat(20));
    await failureOf(openSqlite(folder, { create: true, serve: true }));
    rmSync(file);
    const store = await openSqlite(folder, { create: true, serve: true });
    await store.close();
  });

  test("of a newer version is not opened", async () => {
    await (await openSqlite(folder, { create: true, serve: true })).close();
    const db = new Database(join(folder, "faregate.sqlite"));
    db.run("pragma user_version = 1000");
    db.close();
    const failure = await failureOf(openSqlite(folder, { create: true, serve: false }));
    expect(failure.message).toContain("newer");
  });

  test("flushes money to the disk at every commit", () => {
    const db = openFile(join(folder, "a.sqlite"), { create: true, synchronous: "FULL" });
    expect(db.query("pragma synchronous").get()).toEqual({ synchronous: FULL });
    expect(db.query("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    db.close();
  });

  test("keeps everything when the process ends without closing", async () => {
    const store = await openSqlite(folder, { create: true, serve: false });
    const made = await customer(store, { credit: 100n });
    await post(store, await admitted(store, made, 10n), 4n);
    await voidHold(store, await admitted(store, made, 10n));
    const other = await openSqlite(folder, { create: false, serve: false });
    expect(await other.ledger.balance(made.accountId)).toMatchObject({ charged: 4n, held: 0n });
    await other.close();
    await store.close();
  });
});

describe("the books", () => {
  const start = (clock: () => number) => {
    const books = booksHere(join(folder, "money.sqlite"), clock, join(folder, "holds.map"));
    const made = customerHere(books, 100n);
    return { ...books, made };
  };

  test("forget requests after a minute, and their rows after two", async () => {
    let nowMs = 1_000_000;
    const { db, journal, book, made, close } = start(() => nowMs);
    const limits = { requestsPerMinute: 2, tokensPerMinute: 0, concurrency: 0 };
    const admit = () => {
      const outcome = book.admit(request(made, 0n, { limits }));
      journal.writeRates(book.keys.takeRates(nowMs));
      return outcome;
    };
    const limited = { kind: "limited", limit: "requests", retryAfterMs: 60_000 };
    expect(admit()).toMatchObject({ kind: "admitted" });
    expect(admit()).toMatchObject({ kind: "admitted" });
    expect(admit()).toMatchObject(limited);
    nowMs += 59_999;
    expect(admit()).toMatchObject({ ...limited, retryAfterMs: 1 });
    nowMs += 1;
    expect(admit()).toMatchObject({ kind: "admitted" });
    nowMs += 200_000;
    expect(admit()).toMatchObject({ kind: "admitted" });
    expect(db.query("select second from rate_seconds").all()).toEqual([{ second: nowMs / 1_000 }]);
    close();
  });

  test("forget the rows of requests also when a clock that was ahead is right again", () => {
    let nowMs = 1_000_000;
    const { db, journal, book, made, close } = start(() => nowMs);
    const limits = { requestsPerMinute: 9, tokensPerMinute: 0, concurrency: 0 };
    const yearsMs = 10 * 365 * 86_400_000;
    const seconds: number[] = [];
    for (const ms of [0, yearsMs, -yearsMs, 200_000, 200_000]) {
      nowMs += ms;
      book.admit(request(made, 0n, { limits }));
      journal.writeRates(book.keys.takeRates(nowMs));
      seconds.push(nowMs / 1_000);
    }
    const [, ahead = 0, , , last = 0] = seconds;
    const rows = db.query("select second from rate_seconds order by second").values();
    expect(rows).toEqual([[last], [ahead]]);
    close();
  });

  test("flush what ends a request; the rows that follow from it need none", async () => {
    const levels: unknown[] = [];
    let level: () => unknown = () => undefined;
    // The clock is read inside of the transaction that writes rows.
    const { db, journal, book, made, close } = start(() => {
      levels.push(level());
      return 1_000_000;
    });
    level = () => Object.values(db.query("pragma synchronous").get() as object)[0];
    const asked = request(made, 10n);
    await book.admit(asked);
    const end = { kind: "post", receipt: receipt(asked, 4n) } as const;
    const append = spyOn(journal, "append");
    append.mockImplementationOnce((lines) => {
      expect(level()).toBe(FULL);
      return Journal.prototype.append.call(journal, lines);
    });
    expect(await book.settle(end)).toBe("done");
    expect(append).toHaveBeenCalledTimes(1);
    levels.length = 0;
    journal.settleUp([]);
    expect(levels).toEqual([NORMAL]);
    // A credit may come next, and that must be flushed.
    expect(level()).toBe(FULL);
    close();
  });

  test("prove nothing and let nobody in while the disk is full, and go on when there is room", async () => {
    const { db, book, made, close } = start(() => 1_000_000);
    const { page_count: pages } = db.query("pragma page_count").get() as { page_count: number };
    db.run(`pragma max_page_count = ${pages}`);
    const asked = Array.from({ length: 40 }, () => request(made, 1n));
    for (const each of asked) await book.admit(each);
    const settle = (each: (typeof asked)[number]) =>
      book.settle({ kind: "post", receipt: receipt(each, 1n) });
    const refused = (await Promise.allSettled(asked.map(settle))).filter(
      ({ status }) => status === "rejected",
    );
    expect(refused).toHaveLength(40);
    expect(await failureOf(book.prove())).toMatchObject({ name: "StorageError" });
    expect(await failureOf(book.admit(request(made, 1n)))).toMatchObject({ name: "StorageError" });
    db.run("pragma max_page_count = 1000000");
    await book.prove();
    expect(await Promise.all(asked.map(settle))).toEqual(Array(40).fill("done"));
    expect(await book.admit(request(made, 1n))).toMatchObject({ kind: "admitted" });
    close();
  });

  test("ask once, not once for each request, while another process keeps the file", async () => {
    const { db, book, made, close } = start(() => 1_000_000);
    db.run("pragma busy_timeout = 1");
    const asked = [1n, 2n, 3n].map((cost) => request(made, cost));
    for (const each of asked) await book.admit(each);
    const other = new Database(join(folder, "money.sqlite"));
    other.run("begin immediate");
    const settle = (each: (typeof asked)[number]) =>
      book.settle({ kind: "post", receipt: receipt(each, 1n) });
    const failures = await Promise.all(asked.map((each) => failureOf(settle(each))));
    expect(failures.map(({ name }) => name)).toEqual(Array(3).fill("StorageError"));
    // One and the same attempt has failed for all of them.
    expect(new Set(failures.map(({ cause }) => cause)).size).toBe(1);
    // And nobody begins what could not be settled either.
    expect(await failureOf(book.admit(request(made, 1n)))).toMatchObject({ name: "StorageError" });
    other.run("rollback");
    other.close();
    expect(await Promise.all(asked.map(settle))).toEqual(["done", "done", "done"]);
    expect(await book.admit(request(made, 1n))).toMatchObject({ kind: "admitted" });
    close();
  });
});
