import { describe, expect, test } from "bun:test";
import { ConfigError } from "../config/members.ts";
import { readModel } from "./read-model.ts";

const PRICE = {
  version: "v1",
  effective_from: "2026-01-01",
  checked_at: "2026-01-02",
  source: "a page",
  per_million: { input: "2", output: "8" },
};

const ROW = {
  id: "family-1.0",
  display_name: "Family 1.0",
  owned_by: "family",
  endpoints: ["responses", "chat"],
  context: 1000,
  max_output: 100,
  capabilities: ["tools", "web_search"],
  upstream: { openai: "family-1" },
  prices: [PRICE],
};

type Row = Record<string, unknown>;
const read = (row: Row) => readModel({ ...ROW, ...row }, "catalogue.json: models[7]");
const priced = (price: Row) => read({ prices: [{ ...PRICE, ...price }] });

function complaint(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return "";
}

/** Rows of a table, to be called by what is said of them. */
function byWords<T>(rows: readonly (readonly [T, string])[]): [string, T][] {
  return rows.map(([input, words]) => [words, input]);
}

describe("readModel", () => {
  test("fills what a row leaves out", () => {
    expect(read({})).toMatchObject({
      aliases: [],
      rules: [],
      fallbacks: [],
      modalities: { input: ["text"], output: ["text"] },
      deprecatesOn: undefined,
      replacement: undefined,
      free: false,
    });
  });

  test("a bucket without a price costs what is nearest to it", () => {
    const rates = (per_million: Row) => priced({ per_million }).prices[0]?.rates;
    expect(rates({ input: "2", output: "8" })).toMatchObject({
      cacheRead: 2_000_000n,
      cacheWrite: 2_000_000n,
      cacheWriteLong: 2_000_000n,
    });
    expect(rates({ input: "2", cache_write: "2.5", output: "8" })?.cacheWriteLong).toBe(2_500_000n);
  });

  test("a search without a price is not offered", () => {
    expect(read({})).toMatchObject({ webSearch: false, capabilities: ["tools"] });
    const searching = priced({ web_search_per_thousand: "10" });
    expect(searching.webSearch).toBe(true);
    expect(searching.capabilities).toContain("web_search");
    expect(
      read({
        capabilities: ["tools"],
        prices: searching.prices.map(() => ({ ...PRICE, web_search_per_thousand: "10" })),
      }).webSearch,
    ).toBe(false);
  });

  test("prices stand newest first, and tiers smallest first", () => {
    const tier = (prompt_tokens: number) => ({ prompt_tokens, per_million: PRICE.per_million });
    const { prices } = read({
      prices: [
        PRICE,
        { ...PRICE, version: "v2", effective_from: "2027-01-01", above: [tier(9), tier(5)] },
      ],
    });
    expect(prices.map(({ version }) => version)).toEqual(["v2", "v1"]);
    expect(prices[0]?.above.map(({ promptTokens }) => promptTokens)).toEqual([5, 9]);
  });

  test("a model that only reads has no price of output", () => {
    const row = {
      endpoints: ["embeddings"],
      max_output: 0,
      prices: [{ ...PRICE, per_million: { input: "0.02" } }],
    };
    expect(read(row).prices[0]?.rates).toMatchObject({ input: 20_000n, output: 0n });
    expect(complaint(() => read({ ...row, endpoints: ["chat", "embeddings"] }))).toContain(
      "output is missing",
    );
  });
});

describe("a row that would be free is refused, and named", () => {
  const at = "catalogue.json: models[7] (family-1.0)";
  const rates = (per_million: Row) => () => priced({ per_million });
  const window = {
    name: "peak",
    hours_utc: [[1, 4]],
    weekdays: [1],
    per_million: PRICE.per_million,
  };

  test.each([
    ["without prices", () => read({ prices: [] }), `${at}.prices is missing`],
    [
      "without any",
      () => priced({ per_million: undefined }),
      `${at}.prices[0].per_million is missing`,
    ],
    ["without input", rates({ output: "8" }), `${at}.prices[0].per_million.input is missing`],
    ["without output", rates({ input: "2" }), `${at}.prices[0].per_million.output is missing`],
    ["of zero input", rates({ input: "0", output: "8" }), "per_million.input is zero"],
    ["of zero output", rates({ input: "2", output: "0.00" }), "per_million.output is zero"],
    ["of zero cache", rates({ input: "2", output: "8", cache_read: "0" }), "cache_read is zero"],
    [
      "of a misspelt bucket",
      rates({ input: "2", output: "8", cache: "1" }),
      "per_million.cache is not",
    ],
    ["too fine", rates({ input: "0.0000001", output: "8" }), "per_million.input: "],
    [
      "of a zero search",
      () => priced({ web_search_per_thousand: "0" }),
      "web_search_per_thousand is zero",
    ],
    [
      "in a tier",
      () => priced({ above: [{ prompt_tokens: 9, per_million: { input: "2" } }] }),
      `${at}.prices[0].above[0].per_million.output is missing`,
    ],
    [
      "at some hours",
      () => priced({ windows: [{ ...window, per_million: { input: "0", output: "8" } }] }),
      `${at}.prices[0].windows[0].per_million.input is zero`,
    ],
    [
      "for reading only",
      () =>
        read({ endpoints: ["embeddings"], prices: [{ ...PRICE, per_million: { input: "0" } }] }),
      "per_million.input is zero",
    ],
  ])("%s", (_name, work, words) => {
    expect(complaint(work)).toContain(words);
  });

  test.each(
    byWords([
      [{ endpoints: [] }, "endpoints is missing"],
      [{ endpoints: ["chats"] }, 'endpoints[0] is "chats"'],
      [{ rules: ["no_samplin"] }, 'did you mean "no_sampling"'],
      [{ capabilities: ["toolz"] }, 'did you mean "tools"'],
      [{ contxt: 5 }, 'contxt is not a setting; did you mean "context"'],
      [{ context: undefined }, "context is missing"],
      [{ prices: [{ ...PRICE, effective_from: undefined }] }, "effective_from is missing"],
      [
        { prices: [{ ...PRICE, windows: [{ ...window, hours_utc: [[4, 1]] }] }] },
        "hours_utc[0] must be",
      ],
      [{ prices: [{ ...PRICE, windows: [{ ...window, weekdays: [7] }] }] }, "weekdays[0] must be"],
    ]),
  )("%s", (words, row) => {
    expect(complaint(() => read(row as Row))).toContain(words);
  });
});
