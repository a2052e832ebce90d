import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { sharedPostgres } from "../../../../test/engines/postgres.ts";
import { admitted, customer, failureOf, post, request } from "../../../../test/store/samples.ts";
import { copyDatabase } from "../../../../test/store/tables.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { keptLog } from "../../../../test/support/logs.ts";
import { comesTrue, eventually } from "../../../../test/support/waiting.ts";
import { readConfig } from "../../../config/config.ts";
import { timedStore } from "../../timeouts/timed-store.ts";
import { openPostgres } from "../open.ts";

/** Any change of a page. */
const CHANGE = "update schema_version set version = version";

/** Connections beside money's. */
const OTHERS = 2;

const parts = partsOfTest();

/** A gate on a database that can be told to take no writes, as hosted ones are whose disk is nearly full. */
async function setUp() {
  const url = await copyDatabase(await sharedPostgres());
  const admin = parts.adopt(new SQL(url, { max: 1 }), (sql) => sql.close({ timeout: 0 }));
  const name = new URL(url).pathname.slice(1);
  const plain = await openPostgres(url, { create: true, serve: true }, OTHERS);
  const { log, logged } = keptLog();
  const store = parts.keep(timedStore(plain, readConfig({}).limits, log));
  const made = await customer(store, { credit: 1_000n });
  /** All sessions are made anew, and those that are made from now on only read. */
  const refuseWrites = async () => {
    await admin.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await eventually("sessions are made anew", async () => {
      const { message } = await failureOf(store.admission.admit(request(made, 10n)));
      return message.includes("read-only");
    });
    await eventually("it is told of", () => logged("storage_failed")[0]);
  };
  const takeWrites = () =>
    admin.unsafe(`alter database "${name}" reset default_transaction_read_only`);
  return { admin, plain, store, made, logged, refuseWrites, takeWrites };
}

describe("a PostgreSQL that takes no writes", () => {
  test("is not taken for one that can serve, although it can be asked", async () => {
    const { plain, store, made, logged, refuseWrites } = await setUp();
    await refuseWrites();
    expect(await plain.accounts.findKey(made.hash)).toMatchObject({ id: made.id });
    expect((await failureOf(plain.ping())).message).toContain("read-only");
    expect((await failureOf(store.ping())).name).toBe("StorageError");
    expect(logged("storage_failed")).toHaveLength(1);
    expect(logged("storage_recovered")).toEqual([]);
  });

  test("is left for the one that its address leads to later, without a restart", async () => {
    const { store, made, logged, refuseWrites, takeWrites } = await setUp();
    const open = await admitted(store, made, 10n);
    await refuseWrites();
    await takeWrites();
    // A session keeps the settings that it began with, as one keeps to a server that has become a standby.
    await eventually("it works again", () => logged("storage_recovered")[0]);
    expect(await post(store, open, 5n)).toBe("done");
    expect(await admitted(store, made, 20n)).toMatchObject({ held: 20n });
    expect(await store.ledger.verify()).toMatchObject({ openHolds: 1, problems: [] });
  });

  test("is left by the pages as well, where what is under way still ends", async () => {
    const { admin, store, refuseWrites, takeWrites } = await setUp();
    await refuseWrites();
    // Each in a transaction, so that all connections are made before it takes writes again.
    await comesTrue(() => Promise.all(Array.from({ length: OTHERS }, () => store.ledger.verify())));
    await takeWrites();
    await admin`select pg_advisory_lock(77)`;
    const asked = store.sql.query(
      "with waited as (select pg_advisory_xact_lock(77)) select from waited",
    );
    await eventually("it is under way", async () => {
      const waiting =
        await admin`select 1 from pg_locks where locktype = 'advisory' and not granted`;
      return waiting.length > 0;
    });
    await comesTrue(() => store.sql.transaction((sql) => sql.query(CHANGE)));
    await admin`select pg_advisory_unlock(77)`;
    expect(await asked).toHaveLength(1);
  });
});
