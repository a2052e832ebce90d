import { describe, expect, test } from "bun:test";
import { ForgetfulPooler } from "../../../../test/engines/forgetful-pooler.ts";
import { POSTGRES } from "../../../../test/store/engines.ts";
import { admitted, credit, customer, failureOf, post } from "../../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../../test/support/houses/house.ts";
import { PostgresMoneyReader } from "../money-reader.ts";
import { openPostgres } from "../open.ts";

const SERVING = { create: true, serve: true };

describe("a pooler that keeps no session", () => {
  const site = perSuite(POSTGRES.site);
  const parts = partsOfTest();
  const pooler = (unknown: ConstructorParameters<typeof ForgetfulPooler>[1]) =>
    parts.adopt(new ForgetfulPooler(String(site.settings.DATABASE_URL), unknown), (opened) =>
      opened.stop(),
    );

  const FATES = ["refused", "dropped", "passed"] as const;

  test.each(FATES)("is told from the database where settings are %s", async (fate) => {
    const failure = await failureOf(openPostgres(pooler(fate).url, SERVING, 2));
    expect(failure.name).toBe("ConfigError");
    expect(failure.message).toContain("Add ?prepare=false to DATABASE_URL");
  });

  test("is enough with prepare=false, under which every transaction has its settings", async () => {
    const between = pooler("refused");
    const url = `${between.url}?prepare=false`;
    const store = parts.keep(await openPostgres(url, SERVING, 2));
    const made = await customer(store, { credit: 1_000n, budget: 500n });
    const holds = await Promise.all(Array.from({ length: 20 }, () => admitted(store, made, 10n)));
    expect(await Promise.all(holds.map((hold) => post(store, hold, 3n)))).toEqual(
      Array(20).fill("done"),
    );
    await credit(store, made.accountId, 5n);
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 60n, held: 0n });
    expect(await store.ledger.recover()).toEqual([]);
    expect(await store.ledger.verify()).toMatchObject({ receipts: 20, problems: [] });
    const reader = parts.keep(new PostgresMoneyReader(url, 4));
    const asked = ["transaction_read_only", "statement_timeout", "jit"].map((name) => ({
      text: `select current_setting('${name}') as value`,
      params: [],
    }));
    for (const one of asked) await reader.read([one]);
    expect(await reader.read(asked)).toEqual([
      [{ value: "on" }],
      [{ value: "10s" }],
      [{ value: "off" }],
    ]);
    expect(between.named).toBe(0);
  });

  test("is what prepare= says, or nothing", async () => {
    const url = `${site.settings.DATABASE_URL}?prepare=maybe`;
    const failure = await failureOf(Promise.resolve().then(() => openPostgres(url, SERVING)));
    expect(failure.message).toContain("prepare=maybe");
  });
});
