import { expect, test } from "bun:test";
import { SQL } from "bun";
import { sharedPostgres } from "../../../../test/engines/postgres.ts";
import { admitted, customer, failureOf, post } from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { keptLog } from "../../../../test/support/logs.ts";
import { comesTrue } from "../../../../test/support/waiting.ts";
import { StorageError } from "../../../lib/faults.ts";
import { openPostgres } from "../open.ts";

const parts = partsOfTest();

/** A database of a user who may have so many connections, by its address. */
async function databaseWith(places: number): Promise<string> {
  const server = await sharedPostgres();
  const url = new URL(await server.createDatabase());
  const name = url.pathname.slice(1);
  const admin = new SQL(server.url("postgres"), { max: 1 });
  await admin.unsafe(`create role ${name} login password 'few' connection limit ${places}`);
  await admin.unsafe(`alter database ${name} owner to ${name}`);
  await admin.close();
  Object.assign(url, { username: name, password: "few" });
  return url.href;
}

async function open(url: string, wanted: number) {
  const { log, logged } = keptLog();
  const store = parts.keep(await openPostgres(url, { create: true, serve: true, log }, wanted));
  return { store, logged };
}

test("who finds few connections has one for money, takes what is left, and says so", async () => {
  const url = await databaseWith(5);
  const { store, logged } = await open(url, 8);
  // All others are in use before money is asked for.
  await Promise.all(Array.from({ length: 20 }, () => store.accounts.listAccounts()));
  const made = await customer(store, { credit: 100n });
  await post(store, await admitted(store, made, 10n), 4n);
  expect(await store.ledger.verify()).toMatchObject({ receipts: 1, problems: [] });
  expect(logged("connections_short")).toMatchObject([{ wanted: 8, free: 4, taken: 4 }]);
});

test("who finds enough says nothing, and who finds none says what to do", async () => {
  const url = await databaseWith(6);
  const { logged } = await open(url, 4);
  expect(logged("connections_short")).toEqual([]);
  const hog = parts.adopt(new SQL(url, { max: 5 }), (sql) => sql.close({ timeout: 0 }));
  // A connection that was closed a moment ago may still have its place.
  await comesTrue(async () => {
    await Promise.all(Array.from({ length: 5 }, () => hog`select pg_sleep(0.05)`));
  });
  const failure = await failureOf(open(url, 4));
  expect(failure).toBeInstanceOf(StorageError);
  expect(failure.message).toContain("Raise max_connections of PostgreSQL");
});

test("a command leaves connections to those who serve", async () => {
  const url = await databaseWith(6);
  const store = parts.keep(await openPostgres(url, { create: true, serve: false }));
  const made = await customer(store, { credit: 100n });
  await Promise.all(Array.from({ length: 20 }, () => store.accounts.listAccounts()));
  await post(store, await admitted(store, made, 10n), 4n);
  const admin = parts.adopt(new SQL(url, { max: 1 }), (sql) => sql.close({ timeout: 0 }));
  const [{ open: opened }] = await admin`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  expect(opened).toBe(3);
});
