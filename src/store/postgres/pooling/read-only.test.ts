import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { sharedPostgres } from "../../../../test/engines/postgres.ts";
import { customer, failureOf, request } from "../../../../test/store/samples.ts";
import { copyDatabase } from "../../../../test/store/tables.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { keptLog } from "../../../../test/support/logs.ts";
import { eventually } from "../../../../test/support/waiting.ts";
import { readConfig } from "../../../config/config.ts";
import { guardedStore } from "../../guard/guarded-store.ts";
import { openPostgres } from "../open.ts";

const parts = partsOfTest();

/** A gate on a database that can be told to take no writes, as hosted ones are whose disk is nearly full. */
async function setUp() {
  const url = await copyDatabase(await sharedPostgres());
  const admin = parts.adopt(new SQL(url, { max: 1 }), (sql) => sql.close({ timeout: 0 }));
  const name = new URL(url).pathname.slice(1);
  const plain = await openPostgres(url, { create: true, serve: true }, 2);
  const { log, logged } = keptLog();
  const store = parts.keep(guardedStore(plain, readConfig({}).limits, log));
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
  };
  return { plain, store, made, logged, refuseWrites };
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
});
