import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
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
import { writeReceipt } from "../rows.ts";
import { AccountsWriter } from "./accounts-writer.ts";
import { migrate, openFile } from "./database.ts";
import { MONEY_VERSIONS } from "./money-schema.ts";
import { MoneyWriter } from "./money-writer.ts";
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

describe("the money writer", () => {
  function writer(clock: () => number) {
    const db = openFile(join(folder, "money.sqlite"), { create: true, synchronous: "FULL" });
    migrate(db, MONEY_VERSIONS);
    const accounts = new AccountsWriter(db, () => 1);
    const account = { id: "a", name: "", operator: false, enabled: true, hard: false };
    accounts.createAccount({ ...account, createdAtMs: 1 });
    const settings = { name: "", enabled: true, expiresAtMs: null, models: null, networks: null };
    const limits = { requestsPerMinute: 2, tokensPerMinute: 0, concurrency: 0 };
    const flags = { hard: false, accountRead: false, showCost: false, lastUsedAtMs: null };
    const ids = { id: "k", accountId: "a", hash: "h", lastFour: "", budgets: [], createdAtMs: 1 };
    accounts.createKey({ ...settings, ...limits, ...flags, ...ids, deletedAtMs: null });
    const admit = () => {
      const asked = request({ id: "k", accountId: "a" }, 0n, { limits });
      return money.write([{ kind: "admit", request: asked }])[0];
    };
    const money = new MoneyWriter(db, "own_1", clock);
    return { db, money, admit };
  }

  test("forgets requests after a minute, and their rows after two", () => {
    let nowMs = 1_000_000;
    const { db, admit } = writer(() => nowMs);
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
    db.close();
  });

  test("flushes what ends a request; what only begins one survives a kill without", () => {
    const levels: unknown[] = [];
    // The clock is read inside of every transaction.
    const { db, money, admit } = writer(() => {
      levels.push(level());
      return 1_000_000;
    });
    const level = () => Object.values(db.query("pragma synchronous").get() as object)[0];
    const asked = request({ id: "k", accountId: "a" }, 0n);
    const row = writeReceipt(receipt(asked, 0n));
    const settle = { kind: "settle", post: false, row, tokensBeyondEstimate: 0 } as const;
    admit();
    money.write([{ kind: "admit", request: asked }]);
    const more = { ...asked, need: 5n };
    money.write([{ kind: "raise", request: more }]);
    money.write([{ kind: "raise", request: more }, settle]);
    const refused = writeReceipt(receipt({ ...asked, requestId: "r" }, 0n));
    money.write([{ kind: "refuse", row: refused, count: { requests: 0, max: 0 } }]);
    expect(levels).toEqual([NORMAL, NORMAL, NORMAL, FULL, FULL]);
    admit();
    // A credit may come next, and that must be flushed.
    expect(level()).toBe(FULL);
    db.close();
  });

  test("asks once, not once for each operation, while another process keeps the file", () => {
    const { db, money } = writer(() => 1_000_000);
    db.run("pragma busy_timeout = 1");
    const other = new Database(join(folder, "money.sqlite"));
    other.run("begin immediate");
    const holder = { id: "k", accountId: "a" };
    const ops = [1n, 2n, 3n].map((hold) => ({
      kind: "admit" as const,
      request: request(holder, hold),
    }));
    const results = money.write(ops) as Error[];
    expect(results.map(({ name }) => name)).toEqual(Array(3).fill("StorageError"));
    // One and the same attempt has failed for all of them.
    expect(new Set(results.map(({ cause }) => cause)).size).toBe(1);
    other.run("rollback");
    other.close();
    db.close();
  });
});
