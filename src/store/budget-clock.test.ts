import { describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { booksHere, customerHere } from "../../test/store/books-here.ts";
import { receipt, request } from "../../test/store/samples.ts";
import { perFile } from "../../test/support/houses/house.ts";
import type { BudgetTerms } from "../accounts/keys/budget.ts";
import { windowOf } from "../accounts/keys/budget-window.ts";
import { CHECKS } from "./money/verification.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEARS_MS = 9 * 365 * 24 * HOUR_MS;
const START_MS = Date.UTC(2027, 9, 30, 20);
const ZONE = "Europe/Berlin";
const PERIODS = ["day", "week", "month"] as const;
const LIMIT = 1_000_000n;

const folder = await perFile((parts) => parts.folder());

let files = 0;

/** Tables are made once: to make them costs far more than to copy them. */
const template = join(folder, "template.sqlite");
booksHere(template, () => START_MS).close();

/** The books of one file, on a clock that the test moves. */
function house() {
  const time = { nowMs: START_MS };
  const name = join(folder, String(files++));
  copyFileSync(template, `${name}.sqlite`);
  const books = booksHere(`${name}.sqlite`, () => time.nowMs, `${name}.map`);
  const { db, journal, book, accounts } = books;
  const budgets = PERIODS.map((period): BudgetTerms => {
    return { amount: LIMIT, period, timeZone: ZONE };
  });
  const made = customerHere(books, LIMIT, { budgets });
  const used = (period: string) => {
    const text = `select s.used - b.base as used from budgets b join scopes s on s.id = b.key_id
      where b.period = ?`;
    return (db.query(text).get(period) as { used: number }).used;
  };
  const setBudgets = (terms: readonly BudgetTerms[]) => {
    accounts.updateKey(made.id, { budgets: terms });
    book.keys.become(journal.keyStates([[made.accountId, made.id]]));
  };
  const problems = () => {
    journal.settleUp(book.holds.takeUnwritten());
    return CHECKS.flatMap(({ sql }) => db.query(sql).all());
  };
  const lastPostMs = () => {
    const text =
      "select created_at as at from entries where kind = 'post' order by seq desc limit 1";
    return (db.query(text).get() as { at: number }).at;
  };
  const giveBack = (requestId: string, amount: bigint) => {
    const { id: keyId, accountId } = made;
    const credit = { id: `late_${requestId}`, accountId, amount, kind: "restore" } as const;
    accounts.credit({ ...credit, note: "", createdAtMs: 1, charge: { keyId, requestId } });
    book.keys.become(journal.keyStates([[accountId, keyId]]));
  };
  return { time, books, book, made, used, setBudgets, giveBack, problems, lastPostMs };
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
        // A clock that was years ahead, and is set right again.
        fc.constantFrom(-1, 1).map((sign) => sign * YEARS_MS),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("set" as const), zone: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("give back" as const), which: fc.nat(9) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function walk(steps: readonly Step[]): Promise<void> {
  const { time, books, book, made, used, setBudgets, giveBack, problems, lastPostMs } = house();
  const open: ReturnType<typeof request>[] = [];
  const posted: { id: string; atMs: number; cost: number }[] = [];
  for (const move of steps) {
    if (move.do === "pass") time.nowMs += move.ms;
    if (move.do === "set") {
      for (const timeZone of [move.zone === 0 ? ZONE : "Asia/Kathmandu", ZONE]) {
        setBudgets(PERIODS.map((period) => ({ amount: LIMIT, period, timeZone })));
      }
    }
    if (move.do === "admit") {
      const asked = request(made, 10n);
      expect(await book.admit(asked)).toMatchObject({ kind: "admitted" });
      open.push(asked);
    }
    if (move.do === "give back" && posted.length > 0) {
      const [late] = posted.splice(move.which % posted.length, 1);
      // Whoever says it twice has said it once.
      for (let times = 0; times < 2; times++) giveBack(late?.id ?? "", BigInt(late?.cost ?? 0));
    }
    const [asked] = move.do === "post" ? open.splice(move.which % (open.length || 1), 1) : [];
    if (move.do === "post" && asked) {
      const written = receipt(asked, BigInt(move.cost));
      const end = { kind: "post", receipt: written } as const;
      expect(await book.settle(end)).toBe("done");
      books.journal.settleUp([]);
      const atMs = lastPostMs();
      expect(atMs).toBeGreaterThanOrEqual(time.nowMs);
      expect(atMs).toBeLessThanOrEqual(time.nowMs + MINUTE_MS);
      posted.push({ id: asked.requestId, atMs, cost: move.cost });
      for (const period of PERIODS) {
        const { startMs, endMs } = windowOf(period, ZONE, atMs);
        const counted = posted.filter((post) => post.atMs >= startMs && post.atMs < endMs);
        expect({ period, used: used(period) }).toEqual({
          period,
          used: counted.reduce((sum, { cost }) => sum + cost, 0),
        });
        // What is judged by is what is written.
        const [judged] = book.keys
          .of(made.accountId, made.id, 0)
          .budgets.filter((budget) => budget.row.period === period);
        expect(Number(judged?.used)).toBe(used(period));
      }
    }
    expect(problems()).toEqual([]);
  }
  books.close();
}

describe("on any clock", () => {
  test("budgets count what was settled in their window and not given back, and the books say so too", async () => {
    const run = fc.asyncProperty(fc.array(step, { maxLength: 30 }), walk);
    await fc.assert(run, { numRuns: 60 });
  });
});

test("a charge counts in the window in which it was made, though the book is read again on its way", async () => {
  const { time, books, book, made, used, setBudgets } = house();
  const asked = request(made, 60n);
  await book.admit(asked);
  time.nowMs += 24 * HOUR_MS;
  const end = { kind: "post", receipt: receipt(asked, 60n) } as const;
  const settled = book.settle(end);
  setBudgets([{ amount: LIMIT + 1n, period: "day", timeZone: ZONE }]);
  await settled;
  books.journal.settleUp([]);
  const { budgets } = book.keys.of(made.accountId, made.id, 0);
  // Whoever comes next has the window turn that is over.
  await book.admit(request(made, 1n));
  expect([used("day"), Number(budgets[0]?.used)]).toEqual([60, 60]);
  books.close();
});

test("a charge on its way counts in no window that a change of budgets opens behind it", async () => {
  const { time, books, book, made, setBudgets, problems } = house();
  setBudgets([]);
  time.nowMs = windowOf("day", ZONE, time.nowMs).endMs - 1;
  const asked = request(made, 60n);
  await book.admit(asked);
  const end = { kind: "post", receipt: receipt(asked, 60n) } as const;
  const settled = book.settle(end);
  time.nowMs += 1;
  setBudgets([{ amount: LIMIT, period: "day", timeZone: ZONE }]);
  await settled;
  books.journal.settleUp([]);
  const judged = () => Number(book.keys.of(made.accountId, made.id, 0).budgets[0]?.used);
  expect(judged()).toBe(0);
  // Nor by what the file says, as it is read after a restart.
  book.keys.become(books.journal.keyStates([[made.accountId, made.id]]));
  expect(judged()).toBe(0);
  expect(problems()).toEqual([]);
  books.close();
});
