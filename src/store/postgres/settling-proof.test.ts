import { expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../test/store/engines.ts";
import { admitted, customer, failureOf, post } from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { WRITTEN_TABLES } from "./batches/write-batch.ts";

const parts = partsOfTest();

async function setUp() {
  const site = await POSTGRES.site(parts);
  const store = await site.open();
  const connect = () =>
    parts.adopt(new SQL(site.settings.DATABASE_URL ?? "", { max: 1 }), (sql) =>
      sql.close({ timeout: 0 }),
    );
  return { site, store, other: await connect().reserve() };
}

test("a proof of settling fails while a table that a settlement writes is locked", async () => {
  const { store, other } = await setUp();
  const tables = ["entries", "receipts", "holds"];
  expect(WRITTEN_TABLES).toEqual(expect.arrayContaining([...tables, "scopes", "keys", "rollups"]));
  await store.ping();
  for (const table of tables) {
    await other.unsafe("begin");
    // As whoever builds an index does it: it can be read, and not written to.
    await other.unsafe(`lock table ${table} in share mode`);
    expect(await failureOf(store.ping())).toMatchObject({
      name: "StorageError",
      message: expect.stringContaining(`"${table}"`),
    });
    await other.unsafe("rollback");
    await store.ping();
  }
});

test("one that waits keeps nobody else waiting, and leaves no lock", async () => {
  const { site, store, other } = await setUp();
  const made = await customer(store, { credit: 100n });
  await other.unsafe("begin");
  await other.unsafe("lock table receipts in access exclusive mode");
  const order: string[] = [];
  const proof = failureOf(store.ping()).then(({ name }) => order.push(name));
  // Money is let in meanwhile, which needs no receipt.
  const running = await admitted(store, made, 10n);
  order.push("admitted");
  await proof;
  expect(order).toEqual(["admitted", "StorageError"]);
  // Databases of other suites are copies with the same numbers of tables.
  const held = await site.run(`select mode from pg_locks l join pg_class c on c.oid = l.relation
    where l.database = (select oid from pg_database where datname = current_database())
      and c.relname in ('receipts', 'entries', 'holds') and l.pid <> pg_backend_pid()
      and mode <> 'AccessExclusiveLock'`);
  expect(held).toEqual([]);
  await other.unsafe("rollback");
  await store.ping();
  await post(store, running, 4n);
  expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
});
