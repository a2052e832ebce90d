import { expect, test } from "bun:test";
import { SQL } from "bun";
import { startPostgres } from "../../../test/engines/postgres.ts";
import { admitted, customer, post } from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { openPostgres } from "./open.ts";

const parts = partsOfTest();

test("a hold outlives the fall of the database, and its request is settled when that is back", async () => {
  const postgres = parts.adopt(await startPostgres({ auth: "md5" }), (server) => server.stop());
  const url = await postgres.createDatabase();
  // Without a lease, which would flush what was written before it with each of its beats.
  const store = parts.keep(await openPostgres(url, { create: true, serve: false }, 2));
  const made = await customer(store, { credit: 1_000n });
  await post(store, await admitted(store, made, 10n), 4n);

  const admin = parts.adopt(new SQL(url, { max: 1 }), (sql) => sql.close({ timeout: 0 }));
  const walWriter = async (): Promise<number> => {
    const [row] = await admin`select pid from pg_stat_activity where backend_type = 'walwriter'`;
    return row.pid;
  };
  const before = await walWriter();
  const [own] = await admin`select pg_backend_pid() as pid`;
  process.kill(before, "SIGSTOP");
  const held = await admitted(store, made, 30n);
  expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 30n });
  // A server of which one process dies like this throws away what all of them share, and starts anew.
  process.kill(own.pid, "SIGKILL");
  // Until then it may still answer as if nothing had happened.
  await eventually("it has started anew", async () => {
    const now = await walWriter().catch(() => before);
    return now !== before;
  });

  const balance = await eventually("the database is back", async () => {
    try {
      return await store.ledger.balance(made.accountId);
    } catch {
      return undefined;
    }
  });
  expect(balance).toMatchObject({ charged: 4n, held: 30n });
  // A try whose answer was lost may have written it all the same.
  const written = () => post(store, held, 7n).catch(() => undefined);
  expect(["done", "already"]).toContain(await eventually("a batch can be written", written));
  expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 11n, held: 0n });
  expect(await admitted(store, made, 20n)).toMatchObject({ held: 20n });
  expect(await store.ledger.verify()).toMatchObject({ receipts: 2, openHolds: 1, problems: [] });
});
