import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../../test/store/engines.ts";
import {
  admitted,
  credit,
  customer,
  failureOf,
  post,
  request,
  voidHold,
} from "../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { Connections } from "./connections.ts";
import { openPostgres, WAITS } from "./open.ts";

const SERVING = { create: true, serve: true };

describe("rows that somebody else has locked", () => {
  const site = perSuite(POSTGRES.site);
  const parts = partsOfTest();
  const url = () => String(site.settings.DATABASE_URL);

  const open = async (lockedAccountMs: number) => {
    const waits = { ...WAITS, lock_wait_ms: 50, locked_account_ms: lockedAccountMs };
    return parts.keep(await openPostgres(url(), SERVING, 2, waits));
  };

  /** What an operator at a prompt does who has not committed yet. Call what it resolves to when done. */
  async function lock(statement: string): Promise<() => Promise<void>> {
    const sql = parts.keep(new SQL(url(), { max: 1 }));
    const connection = await sql.reserve();
    await connection.unsafe(`begin; ${statement}`);
    return async () => {
      await connection.unsafe("commit");
      connection.release();
    };
  }

  const tables = [
    ["scopes", "id", (made: { accountId: string }) => made.accountId],
    ["keys", "id", (made: { id: string }) => made.id],
  ] as const;

  test.each(tables)("of %s make nobody wait but their account", async (table, column, idOf) => {
    const store = await open(600_000);
    const [locked, other] = [
      await customer(store, { credit: 1_000n }),
      await customer(store, { credit: 1_000n }),
    ];
    const [waits, goes] = [await admitted(store, locked, 10n), await admitted(store, other, 10n)];
    const free = await lock(
      `select 1 from ${table} where ${column} = '${idOf(locked)}' for update`,
    );
    let isWritten = false;
    const waiting = post(store, waits, 5n).then((written) => {
      isWritten = true;
      return written;
    });
    expect(await post(store, goes, 7n)).toBe("done");
    const behind = post(store, await admitted(store, other, 20n), 8n);
    const again = Promise.resolve(store.admission.admit(request(locked, 30n)));
    expect(await behind).toBe("done");
    expect(isWritten).toBe(false);
    await free();
    expect(await waiting).toBe("done");
    expect(await again).toMatchObject({ kind: "admitted", held: 30n });
    expect(await store.ledger.balance(locked.accountId)).toMatchObject({ charged: 5n, held: 30n });
    expect(await store.ledger.balance(other.accountId)).toMatchObject({ charged: 15n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("fail what has waited for too long, and nothing of it has happened", async () => {
    const store = await open(100);
    const made = await customer(store, { credit: 1_000n });
    const running = await admitted(store, made, 10n);
    const free = await lock(`select 1 from scopes where id = '${made.accountId}' for update`);
    const [refused, unsettled] = await Promise.all([
      failureOf(Promise.resolve(store.admission.admit(request(made, 10n)))),
      failureOf(post(store, running, 5n)),
    ]);
    expect([refused.name, unsettled.name]).toEqual(["StorageError", "StorageError"]);
    expect(refused.message).toContain("locked");
    await free();
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 10n });
    expect(await post(store, running, 5n)).toBe("done");
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  const isolations = ["read committed", "repeatable read", "serializable"];

  test.each(isolations)(
    "are read as they are when they are free, on a database set to %s",
    async (isolation) => {
      const name = new URL(url()).pathname.slice(1);
      await site.run(
        `alter database "${name}" set default_transaction_isolation to '${isolation}'`,
      );
      const store = await open(600_000);
      const made = await customer(store, { credit: 1_000n, budget: 500n });
      await post(store, await admitted(store, made, 10n), 10n);
      const free = await lock(`select 1 from scopes where id = '${made.id}' for update;
      update budgets set max = 20 where key_id = '${made.id}'`);
      const asked = store.admission.admit(request(made, 100n, { hard: true }));
      await eventually("it waits", async () => {
        const waiting = await site.run("select 1 from pg_locks where not granted");
        return waiting.length > 0;
      });
      await free();
      expect(await asked).toMatchObject({ kind: "short", scope: "budget", left: 10n });
      await site.run(`alter database "${name}" reset default_transaction_isolation`);
    },
  );

  test("by a process that was stopped with a batch in its hands are free before others give up", async () => {
    const connections = parts.keep(new Connections(url(), 2, WAITS.lock_wait_ms));
    const text =
      "select setting::int as ms from pg_settings where name = 'idle_in_transaction_session_timeout'";
    const found: number[] = [];
    await connections.moneyTransaction([{ text, params: [] }], ([[row]]: [[{ ms: number }]]) => {
      found.push(row.ms);
      return undefined;
    });
    const [idleMs = 0] = found;
    expect(idleMs).toBeGreaterThan(0);
    expect(idleMs).toBeLessThan(WAITS.locked_account_ms);
  });

  test("keep no end of a request that nobody waits for any more", async () => {
    const store = await open(600_000);
    const [locked, other] = [
      await customer(store, { credit: 1_000n }),
      await customer(store, { credit: 1_000n }),
    ];
    const [waits, goes] = [await admitted(store, locked, 10n), await admitted(store, other, 10n)];
    const free = await lock(`select 1 from scopes where id = '${locked.accountId}' for update`);
    const withdrawn = failureOf(post(store, waits, 5n));
    // Of the same batch: once this is written, the other one waits for its account.
    expect(await post(store, goes, 7n)).toBe("done");
    store.ledger.withdraw(waits.requestId);
    expect(await withdrawn).toMatchObject({ name: "StorageError" });
    const voided = voidHold(store, waits);
    await free();
    expect(await voided).toBe("done");
    expect(await store.ledger.balance(locked.accountId)).toMatchObject({ charged: 0n, held: 0n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("keep no connection from others, whatever is asked of their account", async () => {
    const store = await open(100);
    const [locked, other] = [
      await customer(store, { credit: 1_000n }),
      await customer(store, { credit: 1_000n }),
    ];
    const free = await lock(
      `select 1 from scopes where id in ('${locked.accountId}', '${locked.id}') for update`,
    );
    // More than there are connections.
    const asked = [
      credit(store, locked.accountId, 5n),
      credit(store, locked.accountId, 5n),
      store.accounts.updateKey(locked.id, { name: "renamed" }),
    ];
    const failures = Promise.all(asked.map((each) => failureOf(each)));
    expect(await store.accounts.findKey(other.hash)).toMatchObject({ id: other.id });
    expect((await failures).map(({ name }) => name)).toEqual(Array(3).fill("StorageError"));
    await free();
    await credit(store, locked.accountId, 7n);
    expect(await store.ledger.balance(locked.accountId)).toMatchObject({ credited: 1_007n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("keep nothing else from being given back of what one that is gone held", async () => {
    const gone = await open(100);
    await gone.ledger.recover();
    const [locked, other] = [
      await customer(gone, { credit: 1_000n }),
      await customer(gone, { credit: 1_000n }),
    ];
    await Promise.all([admitted(gone, locked, 10n), admitted(gone, other, 10n)]);
    await gone.close();
    const free = await lock(`select 1 from scopes where id = '${locked.accountId}' for update`);
    const store = await open(100);
    expect(await store.ledger.recover()).toMatchObject([{ holds: 1 }]);
    expect(await store.ledger.balance(other.accountId)).toMatchObject({ held: 0n });
    expect(await failureOf(store.ledger.recover())).toMatchObject({ name: "StorageError" });
    await free();
    expect(await store.ledger.recover()).toMatchObject([{ holds: 1 }]);
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("do not keep an operation that fails from taking no other with it", async () => {
    const store = await open(600_000);
    const made = await customer(store, { credit: 1_000n });
    const [first, second] = [await admitted(store, made, 10n), await admitted(store, made, 20n)];
    const free = await lock(`select 1 from scopes where id = '${made.accountId}' for update`);
    const twice = request(made, 30n);
    const waiting = Promise.allSettled([
      post(store, first, 5n),
      store.admission.admit(twice),
      store.admission.admit(twice),
      post(store, second, 7n),
    ]);
    await Bun.sleep(100);
    await free();
    const ends = (await waiting).map(({ status }) => status);
    expect(ends.filter((status) => status === "rejected")).toHaveLength(1);
    expect([ends[0], ends[3]]).toEqual(["fulfilled", "fulfilled"]);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 12n, held: 30n });
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });
});
