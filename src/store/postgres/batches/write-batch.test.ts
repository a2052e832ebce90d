import { describe, expect, spyOn, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../../test/store/engines.ts";
import { customer, failureOf, receipt, request } from "../../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../../test/support/houses/house.ts";
import { newId } from "../../../lib/ids.ts";
import type { Operation } from "../../money/operations.ts";
import { writeReceipt } from "../../rows.ts";
import { Connections } from "../connections.ts";
import { Pool } from "../pooling/pool.ts";
import { MoneyWriter } from "./money-writer.ts";
import { writeBatch } from "./write-batch.ts";

/** No machine is so slow that a test has to do with it. */
const LONG_MS = 600_000;

describe("a batch as a function of the database", () => {
  const site = perSuite(POSTGRES.site);
  const store = perSuite(() => site.open());
  const parts = partsOfTest();
  const address = () => String(site.settings.DATABASE_URL);

  test.each(["repeatable read", "serializable"])("is not written as %s", async (isolation) => {
    const made = await customer(store, { credit: 100n });
    const connection = { default_transaction_isolation: isolation };
    const sql = parts.keep(new SQL(address(), { max: 1, connection }));
    const moved = JSON.stringify([{ id: made.accountId, used: "1", held: "0", running: "0" }]);
    const { text, params } = writeBatch({ moved }, "moved 1");
    const failure = await failureOf(sql.unsafe(text, [...params]));
    expect(failure.message).toContain("a batch is to be read committed");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n });
  });

  test("fails where it finds another number of rows than it was told", async () => {
    const made = await customer(store, { credit: 100n });
    const sql = parts.keep(new SQL(address(), { max: 1 }));
    const moved = JSON.stringify([{ id: made.accountId, used: "1", held: "0", running: "0" }]);
    const taken = JSON.stringify([newId("req_")]);
    const { text, params } = writeBatch({ moved, taken }, "taken 1, moved 1");
    const failure = await failureOf(sql.unsafe(text, [...params]));
    expect(failure.message).toBe(
      "a batch has found taken 0, moved 1 rows instead of taken 1, moved 1",
    );
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n });
  });

  test("is not written behind a pooler that has refused the beginning of its transaction", async () => {
    const connections = parts.keep(new Connections(`${address()}?prepare=false`, 2, LONG_MS));
    const owner = newId("own_");
    await site.run(`insert into owners (id, lease_until) values ('${owner}', 0)`);
    const writer = new MoneyWriter(connections, owner, 1_000, LONG_MS);
    const write = async (op: Operation) => (await writer.write([op]))[0];
    const made = await customer(store, { credit: 100n });
    const first = request(made, 10n);
    expect(await write({ kind: "admit", request: first })).toMatchObject({ kind: "admitted" });
    using beginning = spyOn(Pool.prototype, "beginning").mockReturnValueOnce("select 1 / 0");
    const second = request(made, 10n);
    expect(await write({ kind: "admit", request: second })).toMatchObject({ kind: "admitted" });
    // The one that was refused, and the one that asked in its place.
    expect(beginning).toHaveBeenCalledTimes(2);
    for (const asked of [first, second]) {
      const row = writeReceipt(receipt(asked, 7n));
      const end: Operation = { kind: "settle", post: true, row };
      expect(await write(end)).toBe("done");
    }
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 14n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });
});
