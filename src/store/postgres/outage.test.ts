import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { CuttableWire } from "../../../test/engines/cuttable-wire.ts";
import { sharedPostgres } from "../../../test/engines/postgres.ts";
import {
  account,
  admitted,
  credit,
  customer,
  failureOf,
  onlyBudget,
  post,
  raise,
  request,
  total,
} from "../../../test/store/samples.ts";
import { copyDatabase } from "../../../test/store/tables.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { keptLog } from "../../../test/support/logs.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { readConfig } from "../../config/config.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { statement } from "../money-reads/reader.ts";
import type { Store } from "../store.ts";
import { timedStore } from "../timeouts/timed-store.ts";
import { PostgresMoneyReader } from "./money-reader.ts";
import { openPostgres, WAITS } from "./open.ts";

const withTables = async () => copyDatabase(await sharedPostgres());

/** Each is a process of the server, and all of them are opened with the first question. */
const CONNECTIONS = 3;

/** Each connection that has died may fail one more statement before it is replaced. */
async function inTheEnd<T>(work: () => T | Promise<T>): Promise<T> {
  const done = await eventually("the database is in reach", async () => {
    try {
      return { value: await work() };
    } catch {
      return undefined;
    }
  });
  return done.value;
}

describe("PostgreSQL behind a network that fails", () => {
  const parts = partsOfTest();

  function cuttable(url: string): { wire: CuttableWire; through: string } {
    const wire = parts.adopt(new CuttableWire(new URL(url)), (cut) => cut.cut());
    return { wire, through: Object.assign(new URL(url), { port: String(wire.port) }).href };
  }

  async function setUp(
    waits = WAITS,
  ): Promise<{ wire: CuttableWire; store: Store; direct: Store; url: string }> {
    const url = await withTables();
    const { wire, through } = cuttable(url);
    const [serving, looking] = [
      { create: true, serve: true },
      { create: false, serve: false },
    ];
    const store = parts.keep(await openPostgres(through, serving, CONNECTIONS, waits));
    const direct = parts.keep(await openPostgres(url, looking, CONNECTIONS));
    return { wire, store, direct, url };
  }

  test("a batch of money takes two journeys to the database, or one where all of it is known", async () => {
    const { wire, store } = await setUp();
    const made = await customer(store, { credit: 1_000n });
    const fewest = { asked: Number.POSITIVE_INFINITY, known: Number.POSITIVE_INFINITY };
    // Now and then the store sends something else beside it, and the first ones prepare their texts.
    const count = async <T>(kind: keyof typeof fewest, batch: () => MaybePromise<T>) => {
      const before = wire.packets;
      const result = await batch();
      fewest[kind] = Math.min(fewest[kind], wire.packets - before);
      return result;
    };
    for (let i = 0; i < 10; i += 1) {
      const running = await count("known", () => admitted(store, made, 10n));
      await count("asked", () => raise(store, running, 1n));
      await count("known", () => post(store, running, 5n));
    }
    expect(fewest).toEqual({ asked: 2, known: 1 });
  });

  test("operations fail while it is away and work again by themselves", async () => {
    const { wire, store, direct } = await setUp();
    const made = await customer(store, { credit: 1_000n });
    const open = await admitted(store, made, 10n);
    wire.cut();
    const failures = await Promise.all([
      failureOf(Promise.resolve(store.admission.admit(request(made, 10n)))),
      failureOf(Promise.resolve(store.admission.admit(request(made, 10n)))),
      failureOf(post(store, open, 5n)),
      failureOf(store.ping()),
      failureOf(Promise.resolve(store.accounts.findKey(made.hash))),
      failureOf(credit(store, made.accountId, 5n)),
    ]);
    expect(failures.map(({ name }) => name)).toEqual(Array(6).fill("StorageError"));
    wire.mend();
    await inTheEnd(() => store.ping());
    expect(await inTheEnd(() => post(store, open, 5n))).toBe("done");
    expect(await admitted(store, made, 10n)).toMatchObject({ held: 10n });
    expect(await direct.ledger.balance(made.accountId)).toMatchObject({ charged: 5n, held: 10n });
    expect(await direct.ledger.verify()).toMatchObject({ openHolds: 1, problems: [] });
  });

  test("connections on which nobody answers any more are given up for new ones", async () => {
    const { wire, store: plain, direct } = await setUp();
    const { limits } = readConfig({ FAREGATE_ADMISSION_STORAGE_MS: "500" });
    const store = timedStore(plain, limits, keptLog().log);
    const made = await customer(store, { credit: 1_000n });
    const open = await admitted(store, made, 10n);
    wire.swallow();
    const lost = await failureOf(store.admission.admit(request(made, 20n)));
    expect(lost).toMatchObject({ name: "StorageError" });
    await inTheEnd(() => store.ping());
    expect(await post(store, open, 5n)).toBe("done");
    // The lost one is asked for again by the new connections: taken after all, it is given back when that is heard.
    const balance = await eventually("nothing is held", async () => {
      const found = await direct.ledger.balance(made.accountId);
      return found?.held === 0n && found;
    });
    expect(balance).toMatchObject({ charged: 5n, running: 0n });
    expect(await direct.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });

  test("nor is anybody kept waiting where only money still goes through", async () => {
    const { wire, store } = await setUp({ ...WAITS, admission_storage_ms: 200 });
    const made = await customer(store, { credit: 1_000n });
    // The one for money is the first that is opened.
    wire.swallow(1);
    await store.ping();
    expect(await store.accounts.findKey(made.hash)).toMatchObject({ id: made.id });
  });

  test.each([
    ["reads", (store: Store) => store.sql.query("select 1 as one")],
    ["changes", (store: Store) => store.sql.transaction((sql) => sql.query("select 1 as one"))],
  ])("nor is the console, whether it %s something", async (_name, ask) => {
    const { wire, store } = await setUp({ ...WAITS, console_storage_ms: 200 });
    expect(await ask(store)).toEqual([{ one: 1 }]);
    wire.swallow(1);
    const behind = [ask(store), ask(store), ask(store)];
    await Promise.allSettled(behind);
    expect(await ask(store)).toEqual([{ one: 1 }]);
  });

  test("nor is a page kept waiting by connections that only read", async () => {
    const { wire, through } = cuttable(await withTables());
    const reader = parts.keep(new PostgresMoneyReader(through, CONNECTIONS, 200));
    const one = statement("select 1 as one");
    const page = () => reader.read([one, one]);
    expect(await page()).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    wire.swallow();
    const asked = [page, () => reader.read([one]), page, page, page].map((ask) => inTheEnd(ask));
    expect((await Promise.all(asked)).map((rows) => rows.length)).toEqual([2, 1, 2, 2, 2]);
    wire.swallow();
    expect(await inTheEnd(page)).toHaveLength(2);
  });

  test("connections that the server ends are made again", async () => {
    const { store, direct, url } = await setUp();
    const made = await customer(store, { credit: 1_000n });
    await admitted(store, made, 10n);
    const admin = new SQL(url, { max: 1 });
    await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await admin.close();
    expect(await inTheEnd(() => admitted(store, made, 10n))).toMatchObject({ held: 10n });
    expect(await inTheEnd(() => store.accounts.findKey(made.hash))).toBeDefined();
    expect(await inTheEnd(() => direct.ledger.verify())).toMatchObject({ problems: [] });
  });

  /** Who has let a request in itself sends its end in one journey, and finds it there when it asks again. */
  const enders = [
    ["one that asks first", "direct", "done"],
    ["one that knows it beforehand", "store", "already"],
  ] as const;

  test.each(enders)(
    "a commit whose answer was lost, of %s, is known to have happened",
    async (_, admitting, known) => {
      const { wire, store, direct } = await setUp();
      const made = await customer(store, { credit: 1_000n });
      const open = await admitted(admitting === "store" ? store : direct, made, 10n);
      wire.loseNextCommitAnswer = true;
      const settling = post(store, open, 7n);
      await eventually("its answer is lost", () => !wire.loseNextCommitAnswer);
      await eventually("it has happened", async () => {
        return (await direct.ledger.balance(made.accountId))?.charged === 7n;
      });
      wire.cut();
      wire.mend();
      expect(await settling).toBe(known);
      expect(await direct.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 0n });
      expect(await direct.ledger.verify()).toMatchObject({ receipts: 1, problems: [] });
    },
  );

  test("so is one that only gave more to a request that runs", async () => {
    const { wire, store, direct } = await setUp();
    const made = await customer(store, { credit: 1_000n });
    const open = await admitted(store, made, 10n);
    wire.loseNextCommitAnswer = true;
    const raising = Promise.resolve(raise(store, open, 7n));
    await eventually("its answer is lost", () => !wire.loseNextCommitAnswer);
    wire.mend();
    expect(await raising).toMatchObject({ kind: "granted", granted: 7n });
    expect(await direct.ledger.balance(made.accountId)).toMatchObject({ held: 17n });
    expect(await post(store, open, 4n)).toBe("done");
    expect(await direct.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });

  test("an admission reported as failed leaves no hold, although its commit happened", async () => {
    const { wire, store, direct } = await setUp();
    const made = await customer(store, { credit: 1_000n });
    const asked = request(made, 10n);
    wire.loseNextCommitAnswer = true;
    expect((await failureOf(Promise.resolve(store.admission.admit(asked)))).name).toBe(
      "StorageError",
    );
    expect(await direct.ledger.balance(made.accountId)).toMatchObject({ held: 10n });
    wire.cut();
    wire.mend();
    // The first batch that works takes it back, even one that admits the same request again.
    expect(await store.admission.admit(asked)).toMatchObject({ kind: "admitted", held: 10n });
    expect(await direct.ledger.balance(made.accountId)).toMatchObject({ held: 10n });
    expect(await post(store, asked, 4n)).toBe("done");
    expect(await direct.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });

  test.each([
    ["looks for what was left", (store: Store) => inTheEnd(() => store.ledger.recover())],
    ["ends", (store: Store) => store.close()],
  ])("nor where nothing more is asked of the process before it %s", async (_name, next) => {
    const { wire, store, direct } = await setUp();
    const made = await customer(store, { credit: 1_000n });
    const asked = request(made, 10n);
    wire.loseNextCommitAnswer = true;
    await failureOf(store.admission.admit(asked));
    expect(await direct.ledger.balance(made.accountId)).toMatchObject({ held: 10n });
    wire.cut();
    wire.mend();
    await next(store);
    expect(await direct.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 0n });
    expect(await direct.ledger.findReceipt(asked.requestId, made.accountId)).toBeUndefined();
    expect(await direct.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });
});

describe("several processes on one PostgreSQL", () => {
  const parts = partsOfTest();
  const open = async (url: string) =>
    parts.keep(await openPostgres(url, { create: true, serve: true }));

  test("processes that start together create the tables once", async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(url)));
    const made = account();
    await (opened[0] as Store).accounts.createAccount(made);
    for (const store of opened) expect(await store.accounts.findAccount(made.id)).toEqual(made);
  });

  test("a database of a newer version is not opened", async () => {
    const url = await withTables();
    await open(url);
    const sql = new SQL(url, { max: 1 });
    await sql`update schema_version set version = 1000`;
    await sql.close();
    const failure = await failureOf(openPostgres(url, { create: true, serve: false }));
    expect(failure.message).toContain("newer");
  });

  test("an address that leads nowhere is told without its password", async () => {
    const url = (await sharedPostgres()).url("no_such_database");
    const missing = await failureOf(openPostgres(url, { create: true, serve: false }));
    expect(missing.name).toBe("MissingDatabaseError");
    const closed = "postgres://user:secret@127.0.0.1:1/none";
    const refused = await failureOf(openPostgres(closed, { create: true, serve: false }));
    expect(refused.name).toBe("StorageError");
    expect(refused.message).toContain("DATABASE_URL");
    expect(refused.message).not.toContain("secret");
  });

  test("a key that is changed while it is used makes nobody wait for good", async () => {
    const url = await withTables();
    const [server, other] = [await open(url), await open(url)];
    const made = await customer(server, { credit: 100_000n, budget: 50_000n });
    const work = Array.from({ length: 40 }, async (_, i) => {
      const store = i % 2 ? server : other;
      await post(store, await admitted(store, made, 10n), 3n);
      await store.accounts.updateKey(made.id, {
        name: `n${i}`,
        budgets: total(50_000n + BigInt(i)),
      });
      await credit(store, made.accountId, 1n);
    });
    await Promise.all(work);
    expect(await onlyBudget(server, made.id)).toMatchObject({ used: 120n, held: 0n });
    expect(await server.ledger.verify()).toMatchObject({ problems: [] });
  });
});
