import { describe, expect, test } from "bun:test";
import {
  earlierVersionsOn,
  leaveEarlierBooks,
  versionsOn,
} from "../../test/store/earlier-books.ts";
import { ENGINES, type Engine, SQLITE } from "../../test/store/engines.ts";
import { admitted, onlyBudget, post, recovered } from "../../test/store/samples.ts";
import { isFull } from "../../test/support/counts.ts";
import { Parts } from "../../test/support/houses/house.ts";
import { TABLES } from "./postgres/schema.ts";
import { MONEY_TABLES } from "./sqlite/money-schema.ts";
import type { Store } from "./store.ts";

type Raw = (text: string) => Promise<readonly unknown[]>;

/** Opens old books as a server does and goes on with them. */
async function expectUpgraded(store: Store, raw: Raw): Promise<void> {
  const running = async () =>
    Object.fromEntries(
      (await raw("select id, cast(running as text) as running from scopes")).map((row) =>
        Object.values(row as object),
      ),
    );
  expect(await running()).toEqual({ a: "1", k: "1", key_2: "0" });
  expect(await store.ledger.verify()).toMatchObject({ receipts: 1, openHolds: 2, problems: [] });
  expect(await store.ledger.findReceipt("req_1", "a")).toMatchObject({
    usage: { fresh: 4, cacheWriteLong: 0 },
    servedModel: null,
    attempts: [],
    vendorCost: null,
    refusal: null,
    outputClamp: null,
    charge: { amount: 7n },
  });
  expect(await store.ledger.spending("k")).toEqual({
    used: 7n,
    held: 5n,
    running: 1n,
    budgets: [],
  });
  expect(await onlyBudget(store, "key_2")).toEqual({
    id: "bud_2",
    amount: 60n,
    period: "total",
    timeZone: "UTC",
    used: 0n,
    held: 0n,
    resetsAtMs: null,
  });
  expect(await recovered(store)).toBe(2);
  expect(await running()).toEqual({ a: "0", k: "0", key_2: "0" });
  expect(await admitted(store, { id: "key_2", accountId: "a" }, 1n)).toMatchObject({ left: 60n });
  await post(store, await admitted(store, { id: "k", accountId: "a" }, 10n), 4n);
  expect(await store.ledger.balance("a")).toMatchObject({ charged: 11n, held: 1n });
  expect(await store.ledger.verify()).toMatchObject({ receipts: 4, openHolds: 1, problems: [] });
  expect(await running()).toEqual({ a: "1", k: "0", key_2: "1" });
}

/** A log that keeps the names of its events. */
function watched() {
  const warnings: string[] = [];
  const news: string[] = [];
  const warn = (event: string) => void warnings.push(event);
  const info = (event: string) => void news.push(event);
  return { warnings, news, log: { warn, info, error() {} } };
}

/** The version from which on balances are hard. */
function hardBalancesOn(engine: Engine): number {
  const { versions } = engine === SQLITE ? MONEY_TABLES : TABLES;
  return versions.findIndex((text) => text.includes("add column overdraft")) + 1;
}

/** One that is opened on PostgreSQL takes a second, so a short run has the first and the last of them. */
function versionsTaken(engine: Engine): number[] {
  const all = earlierVersionsOn(engine);
  return engine === SQLITE || isFull ? all : [1, hardBalancesOn(engine) - 1, all.length];
}

describe.each(ENGINES)("on $name", (engine) => {
  test("new books do not say that balances are hard now", async () => {
    await using parts = new Parts();
    const site = await engine.emptySite(parts);
    const { log, warnings, news } = watched();
    for (let starts = 0; starts < 2; starts++) await (await site.open({ log })).close();
    expect([warnings, news]).toEqual([[], []]);
  });

  test("the first server says once that balances are hard now, after a command upgraded the books", async () => {
    await using parts = new Parts();
    const site = await engine.emptySite(parts);
    await leaveEarlierBooks(site, hardBalancesOn(engine) - 1);
    const command = watched();
    await (await site.open({ serve: false, log: command.log })).close();
    const told: string[][] = [];
    for (let starts = 0; starts < 2; starts++) {
      const { log, warnings } = watched();
      await (await site.open({ log })).close();
      told.push(warnings);
    }
    expect([command.warnings, ...told]).toEqual([[], ["balances_are_hard"], []]);
  });

  test.each(versionsTaken(engine))(
    "books of version %i are upgraded when they are opened",
    async (version) => {
      await using parts = new Parts();
      const site = await engine.emptySite(parts);
      await leaveEarlierBooks(site, version);
      const { log, warnings, news } = watched();
      await expectUpgraded(await site.open({ log }), (text) => site.run(text));
      expect(news).toContain("tables_upgrade");
      // Nobody was told yet, however far the books were brought before.
      expect(warnings).toEqual(["balances_are_hard"]);
      const kept = await site.run("select version from applied_versions where room = 'money'");
      expect(kept).toHaveLength(versionsOn(engine));
    },
  );
});
