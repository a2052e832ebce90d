import { describe, expect, test } from "bun:test";
import { consoleHouse } from "../../../test/support/houses/console-house.ts";
import type { ConsoleStore, UsageFilter, UsageSums } from "../store.ts";

const MINE = "acct_mine";
const VIEWER = { roles: { [MINE]: "viewer" as const } };
const NOW_MS = Date.parse("2026-11-15T12:00:00Z");
const HOUR_MS = 3_600_000;

function sums(cost: bigint, requests = 1): UsageSums {
  return { requests, failures: 0, inputTokens: 10, cachedTokens: 2, outputTokens: 3, cost };
}

function setUp(models = 0) {
  const asked: UsageFilter[] = [];
  const store: Partial<ConsoleStore> = {
    async usageByHour(filter) {
      asked.push(filter);
      return [
        { hour: filter.fromHour, ...sums(5n) },
        { hour: filter.toHour - 1, ...sums(7n) },
      ];
    },
    async usageByModel(filter) {
      asked.push(filter);
      return Array.from({ length: models }, (_, i) => ({ model: `m ${i}`, ...sums(1n) }));
    },
    async usageByKey(filter) {
      asked.push(filter);
      return [
        { keyId: "key_1", keyName: '=HYPERLINK("http://x")', ...sums(3_000_000_000n) },
        { keyId: "key_2", keyName: "plain, with comma", ...sums(1n) },
      ];
    },
  };
  const house = consoleHouse({ store, nowMs: NOW_MS });
  return { asked, house, path: (rest = "") => `/api/accounts/${MINE}/usage${rest}` };
}

interface Usage {
  rows: Record<string, unknown>[];
  total: Record<string, unknown>;
  rows_left_out: number;
}
type Failure = { error: { param: string | null } };

describe("usage", () => {
  test("is that of the last thirty days by default, each with its row", async () => {
    const { house, path, asked } = setUp();
    const { body } = await house.call<Usage>(VIEWER, "GET", path());
    expect(body.rows).toHaveLength(30);
    expect(body.rows[0]).toEqual({
      day: "2026-10-17",
      requests: 1,
      failures: 0,
      input_tokens: 10,
      cached_tokens: 2,
      output_tokens: 3,
      cost: "0.000000005",
    });
    expect(body.rows[1]).toMatchObject({ day: "2026-10-18", requests: 0, cost: "0.0" });
    expect(body.total).toMatchObject({ requests: 2, cost: "0.000000012" });
    expect(asked).toEqual([
      {
        accountId: MINE,
        fromHour: Date.parse("2026-10-17T00:00:00Z") / HOUR_MS,
        toHour: Date.parse("2026-11-16T00:00:00Z") / HOUR_MS,
      } as UsageFilter,
    ]);
  });

  test("counts days in the zone that is asked for, both ends included", async () => {
    const { house, path, asked } = setUp();
    const query = "?from=2026-11-01&to=2026-11-02&tz=Asia/Shanghai&key=key_1&model=m";
    const { body } = await house.call<Usage>(VIEWER, "GET", path(query));
    expect(body.rows.map(({ day, requests }) => [day, requests])).toEqual([
      ["2026-11-01", 1],
      ["2026-11-02", 1],
    ]);
    expect(asked[0]).toEqual({
      accountId: MINE,
      keyId: "key_1",
      model: "m",
      fromHour: Date.parse("2026-10-31T16:00:00Z") / HOUR_MS,
      toHour: Date.parse("2026-11-02T16:00:00Z") / HOUR_MS,
    });
  });

  test("by model shows the first thousand and adds all of them up", async () => {
    const { house, path } = setUp(1_200);
    const { body } = await house.call<Usage>(VIEWER, "GET", path("?by=model"));
    expect([body.rows.length, body.rows_left_out, body.total.requests]).toEqual([
      1_000, 200, 1_200,
    ]);
  });

  test.each([
    ["by", "?by=week"],
    ["tz", "?tz=Mars"],
    ["from", "?from=2026-02-30"],
    ["to", "?to=x"],
    ["from", "?from=2026-11-02&to=2026-11-01"],
    ["from", "?from=2025-01-01&to=2026-11-01"],
  ])("says that %s is wrong in %s", async (param, query) => {
    const { house, path } = setUp();
    for (const rest of ["", ".csv"]) {
      const { status, body } = await house.call<Failure>(VIEWER, "GET", path(rest + query));
      expect([status, body.error.param]).toEqual([400, param]);
    }
  });
});

describe("usage as a file", () => {
  test("has the rows of the page, and no name of a key becomes a formula", async () => {
    const { house, path } = setUp();
    expect(await house.text(VIEWER, path(".csv?by=key"))).toBe(
      [
        "key_id,key_name,requests,failures,input_tokens,cached_tokens,output_tokens,cost_usd",
        `key_1,"'=HYPERLINK(""http://x"")",1,0,10,2,3,3.0`,
        'key_2,"plain, with comma",1,0,10,2,3,0.000000001',
        "",
      ].join("\r\n"),
    );
  });

  test("has every row, also beyond what the page shows", async () => {
    const { house, path } = setUp(1_200);
    const text = await house.text(VIEWER, path(".csv?by=model"));
    expect(text.split("\r\n")).toHaveLength(1_202);
  });

  test("is not there for another account", async () => {
    const { house, path } = setUp();
    const stranger = { roles: { acct_other: "owner" as const } };
    for (const rest of ["", ".csv"]) {
      expect((await house.call(stranger, "GET", path(rest))).status).toBe(404);
    }
  });
});
