import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { account, key, receipt, request } from "../../test/store/samples.ts";
import { perFile } from "../../test/support/houses/house.ts";
import type { BudgetTerms } from "../accounts/keys/budget.ts";
import { windowOf } from "../accounts/keys/budget-window.ts";
import { CHECKS } from "./money/verification.ts";
import { writeReceipt } from "./rows.ts";
import { AccountsWriter } from "./sqlite/accounts-writer.ts";
import { migrate, openFile } from "./sqlite/database.ts";
import { MONEY_VERSIONS } from "./sqlite/money-schema.ts";
import { MoneyWriter } from "./sqlite/money-writer.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2027, 9, 30, 20);
const ZONE = "Europe/Berlin";
const PERIODS = ["day", "week", "month"] as const;
const LIMIT = 1_000_000n;

const folder = await perFile((parts) => parts.folder());

let files = 0;

/** The writers of one file, on a clock that the test moves. */
function house() {
  const db = openFile(join(folder, `${files++}.sqlite`), { create: true, synchronous: "NORMAL" });
  migrate(db, MONEY_VERSIONS);
  const time = { nowMs: START_MS };
  const clock = () => time.nowMs;
  const accounts = new AccountsWriter(db, clock);
  const money = new MoneyWriter(db, "own_1", clock);
  const owner = account();
  accounts.createAccount(owner);
  const createdAtMs = START_MS;
  const topUp = { id: "ref", accountId: owner.id, amount: LIMIT, kind: "topup" as const, note: "" };
  accounts.credit({ ...topUp, createdAtMs });
  const budgets = PERIODS.map((period): BudgetTerms => {
    return { amount: LIMIT, period, timeZone: ZONE };
  });
  const made = key(owner.id, { budgets });
  accounts.createKey(made);
  const used = (period: string) => {
    const text = `select s.used - b.base as used from budgets b join scopes s on s.id = b.key_id
      where b.period = ?`;
    return (db.query(text).get(period) as { used: number }).used;
  };
  const problems = () => CHECKS.flatMap(({ sql }) => db.query(sql).all());
  return { db, time, accounts, money, made, used, problems };
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("admit" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("post" as const),
      which: fc.nat(9),
      cost: fc.integer({ min: 1, max: 50 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      // Also back, as clocks that are set do.
      ms: fc.oneof(
        fc.integer({ min: 0, max: 40 * HOUR_MS }),
        fc.integer({ min: -2 * HOUR_MS, max: 0 }),
        fc.constant(40 * 24 * HOUR_MS),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("set" as const), zone: fc.nat(1) }) },
);

describe("on any clock", () => {
  test("budgets count what was settled in their window, and the books say so too", () => {
    const run = fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { db, time, accounts, money, made, used, problems } = house();
      const open: ReturnType<typeof request>[] = [];
      let latestMs = START_MS;
      const posted: { atMs: number; cost: number }[] = [];
      for (const move of steps) {
        if (move.do === "pass") time.nowMs += move.ms;
        if (move.do === "set") {
          const timeZone = move.zone === 0 ? ZONE : "Asia/Kathmandu";
          const terms = PERIODS.map((period) => ({ amount: LIMIT, period, timeZone }));
          accounts.updateKey(made.id, { budgets: terms });
          accounts.updateKey(made.id, {
            budgets: PERIODS.map((period) => ({ amount: LIMIT, period, timeZone: ZONE })),
          });
        }
        if (move.do === "admit") {
          const asked = request(made, 10n);
          const [outcome] = money.write([{ kind: "admit", request: asked }]);
          expect(outcome).toMatchObject({ kind: "admitted" });
          open.push(asked);
        }
        const [asked] = move.do === "post" ? open.splice(move.which % (open.length || 1), 1) : [];
        if (move.do === "post" && asked) {
          const row = writeReceipt(receipt(asked, BigInt(move.cost)));
          const op = { kind: "settle", post: true, row, tokensBeyondEstimate: 0 } as const;
          expect(money.write([op])).toEqual(["done"]);
          latestMs = Math.max(latestMs, time.nowMs);
          posted.push({ atMs: latestMs, cost: move.cost });
          for (const period of PERIODS) {
            const { startMs } = windowOf(period, ZONE, latestMs);
            const counted = posted.filter(({ atMs }) => atMs >= startMs);
            expect({ period, used: used(period) }).toEqual({
              period,
              used: counted.reduce((sum, { cost }) => sum + cost, 0),
            });
          }
        }
        if (move.do !== "post") latestMs = Math.max(latestMs, turnedAt(db));
        expect(problems()).toEqual([]);
      }
      db.close();
    });
    fc.assert(run, { numRuns: 60 });
  });
});

/** The latest moment that any window is known to have begun. */
function turnedAt(db: ReturnType<typeof openFile>): number {
  return (db.query("select max(window_start) as at from budgets").get() as { at: number }).at;
}
