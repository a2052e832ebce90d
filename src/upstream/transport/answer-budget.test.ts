import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AnswerBudget, type HeldAnswer } from "./answer-budget.ts";

const MAX = 100;
/** A room in which one account may have so much. */
const budgetOf = (percent = 100) =>
  new AnswerBudget({
    answer_bytes_in_flight_max: MAX,
    answer_bytes_account_percent: percent,
  });
const ONE = "acct_1";

/** What has become of a wait so far. */
async function heard(wait: Promise<void> | void): Promise<string> {
  if (!wait) return "at once";
  return Promise.race([
    wait.then(
      () => "went on",
      (thrown: Error & { fault?: string }) => thrown.fault ?? "failed",
    ),
    Bun.sleep(0).then(() => "waits"),
  ]);
}

describe("a large answer", () => {
  test("goes on at once while there is room, and counts until it is gone", async () => {
    const budget = budgetOf();
    const [first, second] = [budget.enter(ONE), budget.enter(ONE)];
    expect(await heard(first.weigh(60))).toBe("at once");
    expect(await heard(second.weigh(40))).toBe("at once");
    expect(budget.bytesInFlight).toBe(100);
    for (const answer of [first, first, second]) answer.release();
    expect(budget.bytesInFlight).toBe(0);
  });

  test("waits for room, and goes on when another is gone or has become smaller", async () => {
    const budget = budgetOf();
    const [sent, waiting] = [budget.enter(ONE), budget.enter(ONE)];
    await sent.weigh(90);
    const wait = waiting.weigh(20);
    expect(await heard(wait)).toBe("waits");
    await sent.weigh(81);
    expect(await heard(wait)).toBe("waits");
    await sent.weigh(80);
    expect(await heard(wait)).toBe("went on");
    const more = waiting.weigh(30);
    expect(await heard(more)).toBe("waits");
    sent.release();
    expect(await heard(more)).toBe("went on");
  });

  test("that is larger than all room goes on alone", async () => {
    const budget = budgetOf();
    const [alone, other] = [budget.enter(ONE), budget.enter(ONE)];
    const second = other.weigh(10);
    expect(await heard(second)).toBe("at once");
    const over = alone.weigh(500);
    expect(await heard(over)).toBe("waits");
    other.release();
    expect(await heard(over)).toBe("went on");
    expect(await heard(alone.weigh(1_000))).toBe("went on");
  });

  test("that is given up says that there was no room, and others go on", async () => {
    const budget = budgetOf();
    const [sent, first, second] = [budget.enter(ONE), budget.enter(ONE), budget.enter(ONE)];
    await sent.weigh(100);
    const waits = [first.weigh(50), second.weigh(1)];
    first.giveUp();
    expect(await heard(waits[0])).toBe("overloaded");
    first.release();
    expect(await heard(waits[1])).toBe("waits");
    sent.release();
    expect(await heard(waits[1])).toBe("went on");
    second.release();
    second.giveUp();
    expect(await heard(second.weigh(5))).toBe("at once");
    expect(budget.bytesInFlight).toBe(0);
  });
});

test("all that wait go on where there is room for what they have", async () => {
  const budget = budgetOf();
  const sent = budget.enter(ONE);
  await sent.weigh(100);
  const waits = Array.from({ length: 3 }, () => budget.enter(ONE).weigh(20));
  expect(await Promise.all(waits.map(heard))).toEqual(["waits", "waits", "waits"]);
  sent.release();
  expect(await Promise.all(waits.map(heard))).toEqual(["went on", "went on", "went on"]);
});

test("where all that are in work wait, the oldest goes on, and none other before it is gone", async () => {
  const budget = budgetOf();
  const answers = Array.from({ length: 4 }, () => budget.enter(ONE));
  const waits = answers.map((answer) => answer.weigh(40));
  expect(await Promise.all(waits.map(heard))).toEqual(["at once", "at once", "waits", "waits"]);
  // The younger one first: it is its turn only after the other.
  const young = (answers[1] as HeldAnswer).weigh(60);
  const old = (answers[0] as HeldAnswer).weigh(90);
  expect(await heard(old)).toBe("went on");
  expect(await heard((answers[0] as HeldAnswer).weigh(120))).toBe("went on");
  expect(await heard(young)).toBe("waits");
  answers[0]?.release();
  expect(await heard(young)).toBe("went on");
  expect(await heard(waits[2])).toBe("waits");
});

describe("of the answers of one account", () => {
  const SHARE = 25;
  const other = "acct_2";

  test("those beyond its share wait until others of its own are gone, and nobody else does", async () => {
    const budget = budgetOf(SHARE);
    const untaken = budget.enter(ONE);
    expect(await heard(untaken.weigh(20))).toBe("at once");
    const wait = budget.enter(ONE).weigh(10);
    expect(await heard(wait)).toBe("waits");
    const stranger = budget.enter(other);
    expect(await heard(stranger.weigh(25))).toBe("at once");
    expect(await heard(stranger.weigh(26))).toBe("went on");
    stranger.release();
    expect(await heard(wait)).toBe("waits");
    untaken.release();
    expect(await heard(wait)).toBe("went on");
  });

  test("what those have that wait takes no room of others, however many they are", async () => {
    const budget = budgetOf(SHARE);
    const waits = Array.from({ length: 30 }, () => budget.enter(ONE).weigh(10));
    expect(budget.bytesInFlight).toBe(300);
    expect(await heard(waits.at(-1))).toBe("waits");
    for (const account of ["acct_2", "acct_3", "acct_4"]) {
      expect(await heard(budget.enter(account).weigh(25))).toBe("at once");
    }
    // That is all there is.
    expect(await heard(budget.enter("acct_5").weigh(1))).toBe("waits");
  });

  test("one that is larger than its share goes on alone, as far as there is room at all", async () => {
    const budget = budgetOf(SHARE);
    const large = budget.enter(ONE);
    expect(await heard(large.weigh(60))).toBe("went on");
    const small = budget.enter(ONE).weigh(1);
    expect(await heard(small)).toBe("waits");
    const stranger = budget.enter(other);
    await stranger.weigh(20);
    const more = large.weigh(90);
    expect(await heard(more)).toBe("waits");
    stranger.release();
    expect(await heard(more)).toBe("went on");
    large.release();
    expect(await heard(small)).toBe("went on");
  });

  test("one that waits behind an older one of its account goes on where that is given up", async () => {
    const budget = budgetOf(SHARE);
    const [untaken, first, second] = [budget.enter(ONE), budget.enter(ONE), budget.enter(ONE)];
    await untaken.weigh(15);
    const waits = [first.weigh(20), second.weigh(5)];
    expect(await Promise.all(waits.map(heard))).toEqual(["waits", "waits"]);
    first.release();
    expect(await Promise.all(waits.map(heard))).toEqual(["overloaded", "went on"]);
  });
});

test("what weighs nothing keeps nobody waiting", async () => {
  const budget = budgetOf(50);
  const [nothing, alone] = [budget.enter(ONE), budget.enter(ONE)];
  expect(await heard(alone.weigh(80))).toBe("went on");
  const other = budget.enter("acct_2");
  expect(await heard(other.weigh(60))).toBe("waits");
  for (const answer of [nothing, alone]) answer.release();
  expect(await heard(other.weigh(70))).toBe("went on");
  other.release();
  expect(budget.bytesInFlight).toBe(0);
});

test("all answers come to their end, with no more than one beyond the room", async () => {
  const STEP = 10;
  const one = fc.record({
    count: fc.integer({ min: 1, max: 15 }),
    account: fc.constantFrom(ONE, "acct_2", "acct_3"),
  });
  const all = fc.array(one, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(all, fc.constantFrom(25, 100), async (steps, percent) => {
      const budget = budgetOf(percent);
      let most = 0;
      const read = async ({ count, account }: (typeof steps)[number]) => {
        const held = budget.enter(account);
        for (let bytes = STEP; bytes <= count * STEP; bytes += STEP) {
          const wait = held.weigh(bytes);
          most = Math.max(most, budget.bytesInFlight);
          await wait;
        }
        await Bun.sleep(0);
        held.release();
      };
      await Promise.all(steps.map(read));
      expect(budget.bytesInFlight).toBe(0);
      // Each has a step in hand before it is asked to wait.
      expect(most).toBeLessThanOrEqual(MAX + (steps.length + 15) * STEP);
    }),
    { numRuns: 50 },
  );
});
