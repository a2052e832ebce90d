import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AnswerRoom, type HeldAnswer } from "./answer-room.ts";

const MAX = 100;
const roomOf = (answer_bytes_in_flight_max = MAX) => new AnswerRoom({ answer_bytes_in_flight_max });

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
    const room = roomOf();
    const [first, second] = [room.enter(), room.enter()];
    expect(await heard(first.weigh(60))).toBe("at once");
    expect(await heard(second.weigh(40))).toBe("at once");
    expect(room.bytesInFlight).toBe(100);
    for (const answer of [first, first, second]) answer.release();
    expect(room.bytesInFlight).toBe(0);
  });

  test("waits for room, and goes on when another is gone or has become smaller", async () => {
    const room = roomOf();
    const [sent, waiting] = [room.enter(), room.enter()];
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
    const room = roomOf();
    const [alone, other] = [room.enter(), room.enter()];
    const second = other.weigh(10);
    expect(await heard(second)).toBe("at once");
    const over = alone.weigh(500);
    expect(await heard(over)).toBe("waits");
    other.release();
    expect(await heard(over)).toBe("went on");
    expect(await heard(alone.weigh(1_000))).toBe("went on");
  });

  test("that is given up says that there was no room, and others go on", async () => {
    const room = roomOf();
    const [sent, first, second] = [room.enter(), room.enter(), room.enter()];
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
    expect(room.bytesInFlight).toBe(0);
  });
});

test("all that wait go on where there is room for what they have", async () => {
  const room = roomOf();
  const sent = room.enter();
  await sent.weigh(100);
  const waits = Array.from({ length: 3 }, () => room.enter().weigh(20));
  expect(await Promise.all(waits.map(heard))).toEqual(["waits", "waits", "waits"]);
  sent.release();
  expect(await Promise.all(waits.map(heard))).toEqual(["went on", "went on", "went on"]);
});

test("where all that are in work wait, the oldest goes on, and none other before it is gone", async () => {
  const room = roomOf();
  const answers = Array.from({ length: 4 }, () => room.enter());
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

test("all answers come to their end, with no more than one beyond the room", async () => {
  const STEP = 10;
  const sizes = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sizes, async (steps) => {
      const room = roomOf();
      let most = 0;
      const read = async (count: number) => {
        const held = room.enter();
        for (let bytes = STEP; bytes <= count * STEP; bytes += STEP) {
          const wait = held.weigh(bytes);
          most = Math.max(most, room.bytesInFlight);
          await wait;
        }
        await Bun.sleep(0);
        held.release();
      };
      await Promise.all(steps.map(read));
      expect(room.bytesInFlight).toBe(0);
      // Each has a step in hand before it is asked to wait.
      expect(most).toBeLessThanOrEqual(MAX + (steps.length + 15) * STEP);
    }),
    { numRuns: 50 },
  );
});
