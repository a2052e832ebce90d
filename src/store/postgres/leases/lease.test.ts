import { describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { SQL } from "bun";
import { sharedPostgres } from "../../../../test/engines/postgres.ts";
import { admitted, customer, post, recovered } from "../../../../test/store/samples.ts";
import { copyDatabase } from "../../../../test/store/tables.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { eventually } from "../../../../test/support/waiting.ts";
import { openPostgres, WAITS } from "../open.ts";

/**
 * Of one that beats no more while a test runs, and of one that has soon seen a whole lease; each beat of it must be
 * answered within a part of that, on a machine that has much else to do.
 */
const LONG_MS = 3_600_000;
const SHORT_MS = 4_000;

const parts = partsOfTest();

async function setUp() {
  const url = await copyDatabase(await sharedPostgres());
  const connect = () => parts.adopt(new SQL(url, { max: 1 }), (sql) => sql.close({ timeout: 0 }));
  const [admin, beside] = [connect(), connect()];
  const open = async (leaseMs: number) =>
    parts.keep(
      await openPostgres(url, { create: true, serve: true }, 2, {
        ...WAITS,
        instance_lease_ms: leaseMs,
      }),
    );
  const silent = await open(LONG_MS);
  const made = await customer(silent, { credit: 1_000n });
  const held = await admitted(silent, made, 30n);
  /** As if the last beat of its owner had been long ago. */
  const lapse = ({ requestId } = held) => admin`update owners set lease_until = 1
    where id = (select owner from holds where id = ${requestId})`;
  return { admin, beside, open, silent, made, held, lapse };
}

/** One that was there before the clock was set back by so much. */
async function aheadBy(admin: SQL, ms: number, id: string): Promise<void> {
  await admin`insert into owners (id, name, lease_until, lease_ms)
    values (${id}, 'gone/1', (extract(epoch from now()) * 1000)::bigint + ${ms}, ${SHORT_MS})`;
}

describe("an instance that has not been heard of for a lease", () => {
  test("keeps its holds while those who could judge it have not seen the database for as long", async () => {
    const { open, silent, held, lapse } = await setUp();
    await lapse();
    // As all leases have run out when the database was away, and this one was the first to come back.
    const judge = await open(LONG_MS);
    expect(await recovered(judge)).toBe(0);
    expect(await recovered(silent)).toBe(0);
    expect(await post(silent, held, 5n)).toBe("done");
    expect(await judge.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });

  test("keeps them where the database was away after one that may judge it had heard of it", async () => {
    const { admin, open, silent, made, held, lapse } = await setUp();
    const [dead, judge] = [await open(LONG_MS), await open(SHORT_MS)];
    await lapse(await admitted(dead, made, 20n));
    await eventually("it judges", async () => (await recovered(judge)) === 1);
    let looking: Promise<number> | undefined;
    await admin.begin(async (sql) => {
      // The beat before its look is answered, and the look itself is not.
      await sql`lock table holds in access exclusive mode`;
      looking = recovered(judge);
      await eventually("it looks", async () => {
        const [{ waiting }] = await sql`select count(*)::integer as waiting from pg_locks
          where relation = 'holds'::regclass and not granted`;
        return waiting > 0;
      });
      // Nor is any beat from here on, and all leases run out.
      await sql`update owners set lease_until = 1`;
      await Bun.sleep(SHORT_MS / 2);
    });
    expect(await looking).toBe(0);
    expect(await post(silent, held, 5n)).toBe("done");
    const { charged, held: left } = (await judge.ledger.balance(made.accountId)) ?? {};
    expect({ charged, left }).toEqual({ charged: 5n, left: 0n });
  });

  test("is told of although the one that has voided its holds then hears no more of the database", async () => {
    const { admin, beside, open, made, lapse } = await setUp();
    const [first, second] = [await open(LONG_MS), await open(LONG_MS)];
    const judge = await open(SHORT_MS);
    await lapse(await admitted(first, made, 20n));
    await eventually("it judges", async () => (await recovered(judge)) === 1);
    await lapse(await admitted(second, made, 10n));
    const locks = async (table: string, mode: string) => {
      const [{ found }] = await admin`select count(*)::integer as found from pg_locks
        where relation = ${table}::regclass and mode = ${mode}`;
      return found;
    };
    // Its first beat is answered, and its look waits until no further beat will be.
    await admin.unsafe("begin; lock table holds in access exclusive mode");
    const looking = recovered(judge);
    await eventually("it looks", async () => (await locks("holds", "AccessShareLock")) > 0);
    const blocked = beside.unsafe("begin; lock table owners in exclusive mode").execute();
    await eventually("beats wait", async () => (await locks("owners", "ExclusiveLock")) > 0);
    await admin.unsafe("commit");
    await blocked;
    expect(await looking).toBe(1);
    await beside.unsafe("rollback");
  });

  test("is dead to one that has, which says whose holds it has voided", async () => {
    const { open, silent, made, held, lapse } = await setUp();
    const [living, judge] = [await open(LONG_MS), await open(SHORT_MS)];
    const safe = await admitted(living, made, 20n);
    await lapse();
    const recovery = await eventually("it has been taken for dead", async () => {
      const found = await judge.ledger.recover();
      return found.length > 0 ? found : undefined;
    });
    expect(recovery).toEqual([{ instance: `${hostname()}/${process.pid}`, holds: 1 }]);
    expect(await judge.ledger.balance(made.accountId)).toMatchObject({ held: 20n });
    // It lives after all, and nobody takes it for dead again.
    expect(await post(silent, held, 5n)).toBe("done");
    expect(await recovered(judge)).toBe(0);
    expect(await post(living, safe, 5n)).toBe("done");
    expect(await judge.ledger.balance(made.accountId)).toMatchObject({ charged: 10n, held: 0n });
    expect(await judge.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });

  test("is dead where its lease lies further ahead than it could, since the clock was set back", async () => {
    const { admin, open, made } = await setUp();
    const living = await open(SHORT_MS);
    const [left, safe] = [await admitted(living, made, 20n), await admitted(living, made, 10n)];
    await aheadBy(admin, 3_600_000, "own_gone");
    await admin`update holds set owner = 'own_gone' where id = ${left.requestId}`;
    const judge = await open(SHORT_MS);
    // Nobody has had the time to beat yet.
    expect(await recovered(judge)).toBe(0);
    await eventually("it has been taken for dead", async () => (await recovered(judge)) === 1);
    expect(await post(living, safe, 5n)).toBe("done");
    // Nor does it seem to serve, to whoever asks.
    const seeming = await admin`select id from owners where id = 'own_gone' and lease_until > 0`;
    expect(seeming).toEqual([]);
    expect(await judge.ledger.balance(made.accountId)).toMatchObject({ held: 30n });
  });

  test("is not, where its next beat may be later than others have seen the database", async () => {
    const { admin, open, silent, made, held } = await setUp();
    const [gone, judge] = [await open(LONG_MS), await open(SHORT_MS)];
    const left = await admitted(gone, made, 20n);
    await aheadBy(admin, 3_600_000, "own_gone");
    await admin`update holds set owner = 'own_gone' where id = ${left.requestId}`;
    await admin`update owners set lease_until = lease_until + ${4 * LONG_MS} where lease_ms = ${LONG_MS}`;
    await eventually("it judges", async () => (await recovered(judge)) === 1);
    expect(await post(silent, held, 5n)).toBe("done");
    expect(await judge.ledger.balance(made.accountId)).toMatchObject({ charged: 5n, held: 0n });
  });
});
