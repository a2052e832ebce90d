import { describe, expect, test } from "bun:test";
import { marginLines } from "./margin.ts";
import type { ChannelSum } from "./store.ts";

function sumOf(channel: string, charged: bigint): ChannelSum {
  return {
    ...{ channel, model: "m", priceVersion: "1", requests: 1, failures: 0, charged },
    ...{ fresh: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, output: 0, webSearches: 0 },
    ...{ loss: 0n, overage: 0n },
  };
}

describe("the margin by channel", () => {
  test("has the one that charged most first, and by name those that charged the same", () => {
    const sums = [sumOf("b", 5n), sumOf("a", 5n), sumOf("z", 9n), sumOf("c", 5n)];
    for (const order of [sums, sums.toReversed()]) {
      const lines = marginLines(order, () => undefined, 0);
      expect(lines.map(({ channel }) => channel)).toEqual(["z", "a", "b", "c"]);
    }
  });
});
