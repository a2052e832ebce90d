import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../../test/store/engines.ts";
import {
  admitted,
  customer,
  failureOf,
  post,
  receipt,
  request,
  SOFT,
} from "../../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../../test/support/houses/house.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { Operation } from "../../money/operations.ts";
import { writeReceipt } from "../../rows.ts";
import { type Ask, Connections, type Statement } from "../connections.ts";
import { MoneyWriter } from "./money-writer.ts";

describe("a batch of money on PostgreSQL", () => {
  const site = perSuite(POSTGRES.site);
  const store = perSuite(() => site.open());

  test("that does not find the rows it has read writes nothing, and leaves the next ones alone", async () => {
    const made = await customer(store, { credit: 1_000n });
    const [kept, other] = [await admitted(store, made, 10n), await admitted(store, made, 20n)];
    await site.run(`create function keep_hold() returns trigger language plpgsql as $body$
      begin return null; end $body$`);
    await site.run(`create trigger keep_hold before delete on holds for each row
      when (old.id = '${kept.requestId}') execute function keep_hold()`);
    const [lost, done] = await Promise.all([
      failureOf(post(store, kept, 5n)),
      post(store, other, 7n),
    ]);
    expect(lost.message).toContain("taken 0");
    expect(done).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 10n });
    await site.run("drop trigger keep_hold on holds");
    expect(await post(store, kept, 5n)).toBe("done");
    expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });
});

/**
 * Falls with the next commit on its way, loses it, and gives the number of that transaction to another one when it is
 * back, which nobody can make a database do.
 */
class FallingConnections extends Connections {
  numberGivenAnew: string | undefined;

  override moneyTransaction<Found extends readonly unknown[]>(
    reads: readonly Statement[],
    write: (found: Found, ask: Ask) => Statement | undefined | Promise<Statement | undefined>,
    lockMs?: number,
  ): Promise<void> {
    const xid = this.numberGivenAnew;
    this.numberGivenAnew = undefined;
    if (xid === undefined) return super.moneyTransaction(reads, write, lockMs);
    const fall = (found: Found, ask: Ask) => {
      const [loaded] = found.at(-1) as [object];
      void write([...found.slice(0, -1), [{ ...loaded, xid }]] as unknown as Found, ask);
      const code = "ERR_POSTGRES_CONNECTION_CLOSED";
      throw new SQL.PostgresError("Connection closed", { code });
    };
    return super.moneyTransaction(reads, fall, lockMs);
  }

  /** What was decided beforehand has no number yet that could be lost, so all are to ask. */
  override moneyJourney(): Promise<never> {
    return Promise.reject(new Error("not in one journey"));
  }
}

describe("a commit that was lost with its number", () => {
  const site = perSuite(POSTGRES.site);
  const store = perSuite(() => site.open());
  const parts = partsOfTest();

  test("is not taken for that of another transaction", async () => {
    const connections = parts.keep(
      new FallingConnections(String(site.settings.DATABASE_URL), 2, 500),
    );
    const writer = new MoneyWriter(connections, "own_1", 1_000);
    const fallWith = async (op: Operation) => {
      const [row] = await site.run<{ xid: string }>("select pg_current_xact_id()::text as xid");
      connections.numberGivenAnew = row?.xid;
      return (await writer.write([op]))[0];
    };
    const made = await customer(store, { credit: 1_000n });
    const running = await admitted(store, made, 10n);
    const row = writeReceipt(receipt(running, 5n));
    const end: Operation = { kind: "settle", post: true, row };
    expect(await fallWith(end)).toBeInstanceOf(StorageError);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 10n });
    const { requestId, accountId, keyId } = running;
    const asking = { requestId, accountId, keyId, need: 30n, floor: 30n, ...SOFT };
    expect(await fallWith({ kind: "raise", request: asking })).toBeInstanceOf(StorageError);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 10n });
    const undone: Operation = { ...(await admitted(store, made, 40n)), kind: "cancel" };
    expect(await fallWith(undone)).toBeInstanceOf(StorageError);
    expect(await writer.write([undone])).toEqual([null]);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 10n });
    expect(await fallWith({ kind: "admit", request: request(made, 20n) })).toBeInstanceOf(
      StorageError,
    );
    expect(await writer.write([end])).toEqual(["done"]);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 5n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });
});
