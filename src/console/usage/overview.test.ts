import { describe, expect, test } from "bun:test";
import type { ConsoleStore, HourRange, HourUsage } from "../store.ts";
import { Calendar } from "./calendar.ts";
import { overviewOf, runwayDays } from "./overview.ts";

const HOUR_MS = 3_600_000;
const NO_SUMS = { requests: 1, failures: 0, inputTokens: 1, cachedTokens: 0, outputTokens: 1 };

function days(...costs: bigint[]) {
  return costs.map((cost, i) => ({ day: `day ${i}`, ...NO_SUMS, cost }));
}

describe("the runway", () => {
  test("is the balance over the mean of the last seven days that cost something", () => {
    expect(runwayDays(100n, days(1_000n, 10n, 10n, 10n, 10n, 10n, 10n, 10n, 0n))).toBe(10);
    expect(runwayDays(100n, days(20n, 0n, 0n, 30n, 0n))).toBe(4);
    expect(runwayDays(10n, days(3n, 0n))).toBe(3.3);
  });

  test("does not take today for a whole day, also where there is no other", () => {
    expect(runwayDays(100n, days(10n, 1n))).toBe(10);
    expect(runwayDays(100n, days(0n, 50n))).toBeNull();
  });

  test("is nothing where nothing is left, and unknown where nothing was spent", () => {
    expect(runwayDays(0n, days(5n, 0n))).toBe(0);
    expect(runwayDays(-7n, days(5n, 0n))).toBe(0);
    expect(runwayDays(100n, days(0n, 0n))).toBeNull();
  });
});

describe("an overview", () => {
  function storeOf(hours: HourUsage[]) {
    const asked: HourRange[] = [];
    const store: Partial<ConsoleStore> = {
      async standing(_account, range) {
        asked.push(range);
        const within = hours.filter(({ hour }) => hour >= range.fromHour && hour < range.toHour);
        return {
          credited: 10_000_000_000n,
          charged: 1_500_000_000n,
          held: 0n,
          overdraft: 2_500_000_000n,
          hasKey: false,
          hours: within,
        };
      },
    };
    return { asked, store: store as ConsoleStore };
  }
  const at = (text: string, cost: bigint, failures = 0): HourUsage => ({
    hour: Math.floor(Date.parse(text) / HOUR_MS),
    ...NO_SUMS,
    failures,
    cost,
  });

  test("tells today and this month by the calendar of the zone", async () => {
    const { store } = storeOf([
      at("2026-10-31T15:00:00Z", 1n),
      at("2026-10-31T16:00:00Z", 20n),
      at("2026-11-14T15:00:00Z", 300n),
      at("2026-11-14T16:00:00Z", 4_000n, 1),
    ]);
    const nowMs = Date.parse("2026-11-15T03:00:00Z");
    const ofShanghai = await overviewOf(store, "a", new Calendar("Asia/Shanghai"), nowMs);
    expect(ofShanghai).toMatchObject({
      balance: "8.5",
      overdraft: "2.5",
      spend_today: "0.000004",
      spend_month: "0.00000432",
      requests_today: 1,
      errors_today: 1,
      first_key: false,
    });
    expect(ofShanghai?.series).toHaveLength(30);
    expect(ofShanghai?.series.at(-1)).toMatchObject({
      day: "2026-11-15",
      requests: 1,
      failures: 1,
    });
    expect(ofShanghai?.series.at(0)?.day).toBe("2026-10-17");
    const ofUtc = await overviewOf(store, "a", new Calendar("UTC"), nowMs);
    expect(ofUtc).toMatchObject({ spend_today: "0.0", spend_month: "0.0000043" });
  });

  test("reaches back to the first of a month of 31 days, but shows thirty", async () => {
    const { store, asked } = storeOf([at("2026-10-01T00:00:00Z", 7n)]);
    const nowMs = Date.parse("2026-10-31T12:00:00Z");
    const overview = await overviewOf(store, "a", new Calendar("UTC"), nowMs);
    expect(asked[0]?.fromHour).toBe(Date.parse("2026-10-01T00:00:00Z") / HOUR_MS);
    expect(overview?.spend_month).toBe("0.000000007");
    expect(overview?.series).toHaveLength(30);
  });
});
