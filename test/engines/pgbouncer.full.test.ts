// What a real PgBouncer does to the store and to a server.
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { POSTGRES } from "../store/engines.ts";
import { admitted, customer, failureOf, post } from "../store/samples.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { PGBOUNCER, startPgBouncer } from "./pgbouncer.ts";

const SERVING = { create: true, serve: true };
/** All that comes with our connections. */
const OURS = [
  ...["idle_in_transaction_session_timeout", "statement_timeout", "lock_timeout"],
  ...["plan_cache_mode", "enable_seqscan", "enable_hashjoin", "enable_mergejoin"],
].join(",");
const IGNORES = [`ignore_startup_parameters = ${OURS}`];
const ROUNDS = 60;

const parts = partsOfTest();

const databaseUrl = async () => String((await POSTGRES.site(parts)).settings.DATABASE_URL);

describe.skipIf(!PGBOUNCER)("PgBouncer in transaction mode", () => {
  const pooled = { mode: "transaction", poolSize: 2 } as const;

  test("is refused at the start, and the sentence says what to add", async () => {
    const url = await startPgBouncer(parts, await databaseUrl(), pooled);
    const failure = await failureOf(openPostgres(url, SERVING));
    expect(failure.message).toContain("Add ?prepare=false to DATABASE_URL");
  });

  test("is refused too where it ignores settings, and where roles have the same ones", async () => {
    const behind = await databaseUrl();
    const url = await startPgBouncer(parts, behind, { ...pooled, settings: IGNORES });
    const ignored = await failureOf(openPostgres(url, SERVING));
    expect(ignored.message).toContain("?prepare=false");
    const admin = parts.keep(new SQL(behind, { max: 1 }));
    const { pathname } = new URL(behind);
    await admin.unsafe(
      `alter database ${pathname.slice(1)} set plan_cache_mode = force_generic_plan`,
    );
    const other = await startPgBouncer(parts, behind, { ...pooled, settings: IGNORES });
    expect((await failureOf(openPostgres(other, SERVING))).message).toContain("?prepare=false");
  });

  test("serves three processes with prepare=false over fewer connections than they have", async () => {
    const url = `${await startPgBouncer(parts, await databaseUrl(), pooled)}?prepare=false`;
    const stores = await Promise.all([1, 2, 3].map(() => openPostgres(url, SERVING, 3)));
    for (const store of stores) parts.keep(store);
    const [first] = stores as [(typeof stores)[number]];
    const made = await customer(first, { credit: 100_000n, budget: 50_000n });
    const rounds = stores.flatMap((store) =>
      Array.from({ length: ROUNDS }, async () => post(store, await admitted(store, made, 10n), 3n)),
    );
    expect(new Set(await Promise.all(rounds))).toEqual(new Set(["done"]));
    expect(await first.ledger.balance(made.accountId)).toMatchObject({
      charged: BigInt(3 * ROUNDS * 3),
      held: 0n,
    });
    expect(await first.ledger.verify()).toMatchObject({ receipts: 3 * ROUNDS, problems: [] });
  });

  test("lets a locked row keep only its account waiting, with prepare=false", async () => {
    const behind = await databaseUrl();
    const url = `${await startPgBouncer(parts, behind, pooled)}?prepare=false`;
    const store = parts.keep(await openPostgres(url, SERVING, 2));
    const [locked, other] = [
      await customer(store, { credit: 1_000n }),
      await customer(store, { credit: 1_000n }),
    ];
    const [waits, goes] = [await admitted(store, locked, 10n), await admitted(store, other, 10n)];
    const prompt = await parts.keep(new SQL(behind, { max: 1 })).reserve();
    await prompt.unsafe(`begin; select 1 from scopes where id = '${locked.accountId}' for update`);
    const waiting = post(store, waits, 5n);
    expect(await post(store, goes, 7n)).toBe("done");
    await prompt.unsafe("commit");
    prompt.release();
    expect(await waiting).toBe("done");
  });
});

test.skipIf(!PGBOUNCER).each(["transaction", "session"] as const)(
  "a server behind PgBouncer in %s mode answers, charges and shows it",
  async (mode) => {
    const poolSize = mode === "session" ? 40 : 3;
    const url = await startPgBouncer(parts, await databaseUrl(), { mode, poolSize });
    const settings = { DATABASE_URL: `${url}?prepare=false` };
    const { server } = await serve(parts, { engine: POSTGRES, settings, process: true });
    const { key } = await server.account("10", "--rpm", "0");
    const asked = Array.from({ length: 20 }, () =>
      fetch(`${server.url}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "sandbox-1.0", messages: [{ role: "user", content: "Hi" }] }),
      }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const shown = await fetch(`${server.url}/key`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(shown.status).toBe(200);
    expect(Number(((await shown.json()) as { used: string }).used)).toBeGreaterThan(0);
  },
);
