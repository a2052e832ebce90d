import { describe, expect, test } from "bun:test";
import { type ListedPrice, type Model, shippedCatalogue } from "../../catalogue/models.ts";
import { marginLines, marginToJson, unroutedLine } from "./margin.ts";
import type { ChannelSum } from "./store.ts";

function sumOf(channel: string, charged: bigint): ChannelSum {
  return {
    ...{ channel, model: "m", priceVersion: "1", requests: 1, failures: 0, charged },
    ...{ fresh: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, output: 0, webSearches: 0 },
    ...{ loss: 0n, overage: 0n },
  };
}

const DAY_MS = 86_400_000;
const DAYS = { fromDay: 20_000, toDay: 20_030 };
const fromDay = (day: number) => ({ effectiveFromMs: day * DAY_MS });
const untilDay = (day: number) => ({ effectiveToMs: day * DAY_MS });

/** A price of the list: 2 dollars for a million tokens that are read. */
function listed(changes: Partial<ListedPrice> = {}): ListedPrice {
  const none = { cacheRead: 0n, cacheWrite: 0n, cacheWriteLong: 0n, output: 0n, webSearch: 0n };
  return {
    ...{ version: "2026-11-01", effectiveFromMs: 0, effectiveToMs: undefined },
    ...{ rates: { input: 2_000_000n, ...none }, above: [], windows: [] },
    ...{ checkedAt: undefined, source: "", ...changes },
  };
}

/** What the list takes for a million tokens that were charged by a price of the operator's own. */
function listCostOf(...prices: ListedPrice[]): bigint | undefined {
  const [some] = shippedCatalogue().all();
  const shipped = { ...(some as Model), prices };
  const own = { ...sumOf("a", 5n), priceVersion: "console/2026-12-01", fresh: 1_000_000 };
  const [line] = marginLines([own], () => shipped, DAYS);
  return line?.unpriced === 0n ? line.cost : undefined;
}

describe("the list price of what has a price of the operator's own", () => {
  const { rates } = listed();

  test("is that of the days that are looked at, whenever somebody looks", () => {
    expect(listCostOf(listed())).toBe(2_000_000_000n);
    const dear = { rates: { ...rates, input: 9_000_000n } };
    const later = listed({ ...dear, ...fromDay(DAYS.toDay) });
    const before = listed({ ...dear, ...untilDay(DAYS.fromDay) });
    const now = listed({ ...fromDay(DAYS.fromDay), ...untilDay(DAYS.toDay) });
    expect(listCostOf(later, now, before)).toBe(2_000_000_000n);
  });

  test("is not known where it goes by what the sums of days do not tell", () => {
    const hoursUtc = [{ from: 1, to: 4 }];
    const peak = { hoursUtc, weekdays: [0, 1, 2, 3, 4, 5, 6], price: listed() };
    expect(listCostOf(listed({ windows: [peak] }))).toBeUndefined();
    expect(listCostOf(listed({ above: [{ promptTokens: 200_000, rates }] }))).toBeUndefined();
    const second = listed(fromDay(DAYS.fromDay + 1));
    expect(listCostOf(second, listed(untilDay(DAYS.fromDay + 1)))).toBeUndefined();
    expect(listCostOf(listed(fromDay(DAYS.toDay)))).toBeUndefined();
  });
});

describe("the margin by channel", () => {
  test("leaves out what has no single list price, and says how much that is", () => {
    const own = { ...sumOf("a", 5n), model: "tiered", priceVersion: "console/2026-12-01" };
    const known = sumOf("a", 9n);
    const marked = { ...sumOf("b", 12n), priceVersion: "1+20%" };
    const [a, b] = marginLines([own, known, marked], () => undefined, DAYS).map(marginToJson);
    expect(a).toMatchObject({ charged: "0.000000014", list_cost: "0.000000009", margin: "0.0" });
    expect(a).toMatchObject({ unpriced: "0.000000005", unpriced_models: ["tiered"] });
    expect(b).toMatchObject({ list_cost: "0.00000001", margin: "0.000000002", unpriced: "0.0" });
    const [alone] = marginLines([own], () => undefined, DAYS).map(marginToJson);
    expect(alone).toMatchObject({ list_cost: null, margin: null, unpriced: "0.000000005" });
  });

  test("counts what reached no channel in a line of its own", () => {
    const lines = marginLines(
      [{ ...sumOf("a", 5n), requests: 9, failures: 2 }],
      () => undefined,
      DAYS,
    );
    const [line] = unroutedLine({ requests: 212, failures: 205 }, lines).map(marginToJson);
    expect(line).toMatchObject({ channel: "", requests: 203, failures: 203, charged: "0.0" });
    expect(unroutedLine({ requests: 9, failures: 2 }, lines)).toEqual([]);
  });

  test("has the one that charged most first, and by name those that charged the same", () => {
    const sums = [sumOf("b", 5n), sumOf("a", 5n), sumOf("z", 9n), sumOf("c", 5n)];
    for (const order of [sums, sums.toReversed()]) {
      const lines = marginLines(order, () => undefined, DAYS);
      expect(lines.map(({ channel }) => channel)).toEqual(["z", "a", "b", "c"]);
    }
  });
});
