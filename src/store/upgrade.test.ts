import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { POSTGRES, SQLITE } from "../../test/store/engines.ts";
import { admitted, onlyBudget, post } from "../../test/store/samples.ts";
import { Parts } from "../../test/support/houses/house.ts";
import { VERSIONS } from "./postgres/schema.ts";
import { MONEY_VERSIONS } from "./sqlite/money-schema.ts";
import type { Store } from "./store.ts";

/**
 * Books as the first version left them: one request answered, and two cut off by the end of the
 * process, of which one was free.
 */
const FIRST_BOOKS = `
  insert into accounts (id, name, operator, enabled, hard, created_at) values ('a', '', 0, 1, 0, 1);
  insert into keys (id, account_id, hash, last_four, name, enabled, rpm, tpm, concurrency, hard,
    account_read, show_cost, created_at) values ('k', 'a', 'h', 'abcd', '', 1, 0, 0, 0, 0, 0, 1, 1),
      ('key_2', 'a', 'h2', 'abcd', '', 1, 0, 0, 0, 0, 0, 1, 1);
  insert into scopes (id, account_id, key_id, kind, max, used, held)
    values ('a', 'a', null, 'balance', 100, 7, 5), ('k', 'a', 'k', 'budget', null, 7, 5),
      ('key_2', 'a', 'key_2', 'budget', 60, 0, 0);
  insert into entries (account_id, key_id, kind, amount, hold_id, ref, created_at)
    values ('a', null, 'topup', 100, null, 'ref_1', 1), ('a', 'k', 'post', 7, 'req_1', null, 2);
  insert into holds (id, account_id, key_id, owner, amount, input_cost, model, endpoint, channel,
    stream, created_at) values ('req_2', 'a', 'k', 'own_gone', 5, 1, 'm', 'chat', 'c', 0, 3),
      ('req_3', 'a', 'key_2', 'own_gone', 0, 0, 'free', 'chat', 'c', 0, 3);
  insert into receipts (id, account_id, key_id, created_at, endpoint, model, stream, status,
    billing_reason, channel, fresh, cache_read, cache_write, output, reasoning, web_searches, clamped,
    usage_source, lines, cost, held, loss, duration_ms)
    values ('req_1', 'a', 'k', 2, 'chat', 'm', 0, 200, 'completed', 'c', 4, 0, 0, 3, 0, 0, 0,
      'vendor', '[["input",7,"1000"]]', 7, 9, 0, 30);
  insert into rollups (account_id, key_id, model, hour, requests, failures, fresh, cache_read,
    cache_write, output, cost) values ('a', 'k', 'm', 0, 1, 0, 4, 0, 0, 3, 7);`;

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
  expect(await store.ledger.spending("k")).toEqual({ used: 7n, held: 5n, budgets: [] });
  expect(await onlyBudget(store, "key_2")).toEqual({
    id: "bud_2",
    amount: 60n,
    period: "total",
    timeZone: "UTC",
    used: 0n,
    held: 0n,
    resetsAtMs: null,
  });
  expect(await store.ledger.recover()).toBe(2);
  expect(await running()).toEqual({ a: "0", k: "0", key_2: "0" });
  expect(await admitted(store, { id: "key_2", accountId: "a" }, 1n)).toMatchObject({ left: 60n });
  await post(store, await admitted(store, { id: "k", accountId: "a" }, 10n), 4n);
  expect(await store.ledger.balance("a")).toMatchObject({ charged: 11n, held: 1n });
  expect(await store.ledger.verify()).toMatchObject({ receipts: 4, openHolds: 1, problems: [] });
  expect(await running()).toEqual({ a: "1", k: "0", key_2: "1" });
}

describe("books of the first version are upgraded when they are opened", () => {
  test("on SQLite", async () => {
    await using parts = new Parts();
    const site = await SQLITE.emptySite(parts);
    const file = join(site.settings.FAREGATE_DATA, "faregate.sqlite");
    const db = new Database(file, { create: true });
    db.run(MONEY_VERSIONS[0] as string);
    db.run(FIRST_BOOKS);
    db.run("pragma user_version = 1");
    db.close();
    await expectUpgraded(await site.open(), (text) => site.run(text));
  });

  test("on PostgreSQL", async () => {
    await using parts = new Parts();
    const site = await POSTGRES.emptySite(parts);
    await site.run(`${VERSIONS[0]}; ${FIRST_BOOKS}
      create table schema_version (version integer not null);
      insert into schema_version values (1);`);
    await expectUpgraded(await site.open(), (text) => site.run(text));
  });
});
