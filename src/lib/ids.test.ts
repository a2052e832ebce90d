import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { IdMaker, idFloor, idTime, newId } from "./ids.ts";

const NOW = Date.parse("2026-11-15T01:02:03.456Z");
/** More ids than a millisecond has places, wherever its count begins. */
const PLACES = 32 ** 4;

/** A maker by a clock that the test sets. */
function makerAt(startMs: number) {
  const world = { nowMs: startMs };
  return { world, maker: new IdMaker(() => world.nowMs) };
}

function expectSorted(ids: readonly string[]): void {
  const misplaced = ids.findIndex((id, at) => at > 0 && (ids[at - 1] as string) >= id);
  expect(misplaced).toBe(-1);
}

describe("newId", () => {
  test("has the prefix, ten characters of time and sixteen of count and chance", () => {
    const beforeMs = Date.now();
    const id = newId("req_");
    expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(idTime(id)).toBeGreaterThanOrEqual(beforeMs);
  });

  test("sorts behind every id that was made before, also of another kind", () => {
    const ids = Array.from({ length: 50_000 }, (_, i) => newId(i % 2 === 0 ? "a_" : "b_"));
    expectSorted(ids.map((id) => id.slice(2)));
  });
});

describe("ids of one maker", () => {
  test("sort in the order in which they were made, within one millisecond", () => {
    const { maker } = makerAt(NOW);
    const ids = Array.from({ length: 20_000 }, () => maker.make("x_"));
    expectSorted(ids);
    expect(new Set(ids.map(idTime))).toEqual(new Set([NOW]));
  });

  test("sort so whatever the clock does, and never lie before it", () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (moves) => {
        const { world, maker } = makerAt(NOW);
        let latestMs = 0;
        const ids = moves.map((move) => {
          world.nowMs += move;
          latestMs = Math.max(latestMs, world.nowMs);
          const id = maker.make("");
          expect(id.startsWith(idFloor("", latestMs))).toBe(true);
          return id;
        });
        expectSorted(ids);
      }),
    );
  });

  test("keep the last time while the clock is behind it, and go on with the clock after", () => {
    const { world, maker } = makerAt(NOW);
    const before = maker.make("x_");
    world.nowMs = NOW - 3_600_000;
    const back = maker.make("x_");
    world.nowMs = NOW;
    const level = maker.make("x_");
    world.nowMs = NOW + 1;
    const after = maker.make("x_");
    expectSorted([before, back, level, after]);
    expect([back, level, after].map(idTime)).toEqual([NOW, NOW, NOW + 1]);
  });

  test("begin the next millisecond when one has no place left", () => {
    const { maker } = makerAt(NOW);
    let last = maker.make("x_");
    const firsts = [last];
    for (let i = 0; i < PLACES; i++) {
      const id = maker.make("x_");
      if (id <= last) throw new Error(`${id} does not sort behind ${last}`);
      if (id.slice(0, 12) !== last.slice(0, 12)) firsts.push(id);
      last = id;
    }
    const times = firsts.map(idTime);
    expect(times.slice(0, 2)).toEqual([NOW, NOW + 1]);
    // A count begins in the first half of its millisecond, so each has at least the other half.
    expect(times.length).toBeLessThanOrEqual(3);
  });

  test("sort across a carry of the highest digits of time", () => {
    const { world, maker } = makerAt(0);
    const moments = [0, 1, 31, 32, 1_023, 1_024, 2 ** 35 - 1, 2 ** 35, 1_794_700_800_000, 2 ** 45];
    const ids = moments.map((ms) => {
      world.nowMs = ms;
      return maker.make("_");
    });
    expectSorted(ids);
    expect(ids.map(idTime)).toEqual(moments);
  });

  test("do not tell the id that comes next", () => {
    const { maker } = makerAt(NOW);
    const tails = Array.from({ length: 20_000 }, () => maker.make("").slice(-12));
    expect(new Set(tails).size).toBe(tails.length);
    // Every character of the tail takes each of its 32 values, which a count of any step would not.
    for (let at = 0; at < 12; at++) {
      expect(new Set(tails.map((tail) => tail[at])).size).toBe(32);
    }
    const rising = tails.filter((tail, at) => at > 0 && tail > (tails[at - 1] as string)).length;
    expect(rising).toBeGreaterThan(tails.length * 0.4);
    expect(rising).toBeLessThan(tails.length * 0.6);
  });

  test("of two makers differ, of the same millisecond too", () => {
    const [one, other] = [makerAt(NOW).maker, makerAt(NOW).maker];
    const made = [one, other].flatMap((maker) =>
      Array.from({ length: 10_000 }, () => maker.make("x_")),
    );
    expect(new Set(made).size).toBe(made.length);
  });
});

describe("the time of an id", () => {
  test("is found again in it", () => {
    expect(idTime(makerAt(NOW).maker.make("req_"))).toBe(NOW);
    expect(idTime(idFloor("req_", 1_700_000_000_001))).toBe(1_700_000_000_001);
  });

  test("bounds the ids of a span", () => {
    const { maker } = makerAt(NOW);
    for (let i = 0; i < 1_000; i++) {
      const id = maker.make("req_");
      expect(idFloor("req_", NOW) <= id && id < idFloor("req_", NOW + 1)).toBe(true);
    }
    expect(idFloor("req_", -5)).toBe(idFloor("req_", 0));
  });

  test.each([
    "",
    "req_",
    "req_short",
    "resp-01k3",
    "req_01k3il0000",
    "req_01k3000000_",
    "req_01k3000000!",
    "req_01k3000000é",
    "key",
  ])("is not told of %j", (text) => {
    expect(idTime(text)).toBeUndefined();
  });
});
