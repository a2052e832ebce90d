// Rows that somebody has written by hand. `verify` names them, whatever stands in them, and goes on with the rest.
import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, post, total } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";

const MOST = "9223372036854775807";
const LEAST = "-9223372036854775808";
const WILD = "amounts and counts of";
const LINES = "cost = its lines, rounded up";

describe.each(ENGINES)("rows written by hand on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());

  beforeAll(async () => {
    const made = await customer(store, { credit: 100n, budget: 80n });
    await post(store, await admitted(store, made, 30n), 12n);
    await post(store, await admitted(store, made, 30n), 5n);
  });

  const lines = (text: string) => [
    `update receipts set lines = '${text}' where cost = 12`,
    `update receipts set lines = '[["input",1,"12000"]]' where cost = 12`,
  ];

  /** What each puts in the place of what, how to undo it, and the words of a problem that must be told. */
  const WRITTEN: readonly [words: string, damage: string, undo: string][] = [
    [
      `${WILD} entries`,
      `update entries set amount = ${MOST} where kind = 'post' and amount = 12`,
      "update entries set amount = 12 where kind = 'post' and amount > 12",
    ],
    [
      "charged = sum of its posts",
      `update entries set amount = ${MOST} - amount where kind = 'post'`,
      `update entries set amount = ${MOST} - amount where kind = 'post'`,
    ],
    [
      `${WILD} receipts`,
      `update receipts set cost = ${MOST} where cost = 12`,
      "update receipts set cost = 12 where cost > 12",
    ],
    [
      `${WILD} receipts`,
      "update receipts set loss = -5 where cost = 12",
      "update receipts set loss = 0 where cost = 12",
    ],
    [
      `${WILD} receipts`,
      `update receipts set fresh = ${LEAST} where cost = 12`,
      "update receipts set fresh = (select max(fresh) from receipts) where cost = 12",
    ],
    [
      `${WILD} scopes`,
      `update scopes set used = ${MOST} where kind = 'key'`,
      "update scopes set used = 17 where kind = 'key'",
    ],
    [`${WILD} budgets`, `update budgets set base = ${MOST}`, "update budgets set base = 0"],
    ...[
      "no JSON",
      "{}",
      "7",
      '["input"]',
      '[["input",1.5,"8000"]]',
      '[["input","one","12000"]]',
      '[["input",1,"9e99999"]]',
      '[["input",1,null]]',
      `[["input",${MOST},"${MOST}"]]`,
      `[["input",1,"${MOST}"],["output",1,"${MOST}"]]`,
    ].map((text): [string, string, string] => [LINES, ...(lines(text) as [string, string])]),
  ];

  test.each(WRITTEN)("are told: %s, %s", async (words, damage, undo) => {
    expect((await store.ledger.verify()).problems).toEqual([]);
    await site.damage(damage);
    const { problems, receipts } = await store.ledger.verify();
    expect(problems.filter((problem) => problem.includes(words))).not.toEqual([]);
    expect(receipts).toBe(2);
    await site.damage(undo);
    expect((await store.ledger.verify()).problems).toEqual([]);
  });

  test("keep no other problem from being told", async () => {
    const other = await customer(store, { credit: 50n, budget: 40n });
    await store.accounts.updateKey(other.id, { budgets: total(30n) });
    await site.run(`update scopes set max = 51 where id = '${other.accountId}'`);
    await site.damage("update receipts set lines = 'no JSON' where cost = 12");
    const { problems } = await store.ledger.verify();
    expect(problems).toHaveLength(2);
    expect(problems[0]).toStartWith(`${other.accountId}: credited = sum of its credit entries`);
    expect(problems[1]).toContain(LINES);
  });
});
