import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inputTokens, NO_USAGE, type Usage } from "../protocols/usage.ts";
import {
  endedAt,
  formatPer,
  formatPico,
  formatUsd,
  markUp,
  type NanoUsd,
  outputTokensFor,
  type PicoUsd,
  parseUsd,
  picoPer,
  price,
  type Rates,
  worstCase,
} from "./money.ts";

const nano = fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n });
const unitPico = fc.bigInt({ min: 0n, max: 100_000_000n });
const tokens = fc.integer({ min: 0, max: 2_000_000 });

const ratesOf = (unit: fc.Arbitrary<bigint>): fc.Arbitrary<Rates> =>
  fc.record({
    input: unit,
    cacheRead: unit,
    cacheWrite: unit,
    cacheWriteLong: unit,
    output: unit,
    webSearch: unit,
  });

const anyRates = ratesOf(unitPico);

const anyUsage: fc.Arbitrary<Usage> = fc.record({
  fresh: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  cacheWriteLong: tokens,
  output: tokens,
  reasoning: fc.constant(0),
  webSearches: fc.integer({ min: 0, max: 20 }),
  clamped: fc.constant(false),
});

const RATES: Rates = {
  input: 2_500_000n,
  cacheRead: 250_000n,
  cacheWrite: 3_125_000n,
  cacheWriteLong: 5_000_000n,
  output: 15_000_000n,
  webSearch: 10_000_000_000n,
};

describe("dollars as text", () => {
  test("format and parse are each other's opposite", () => {
    fc.assert(
      fc.property(nano, (amount) => {
        expect(parseUsd(formatUsd(amount))).toBe(amount);
      }),
      { examples: [[0n], [1n], [10_000_000_000n], [999_999_999n], [1_000_000_000_000_000n]] },
    );
  });

  test("are plain decimals with a digit on both sides of the point", () => {
    fc.assert(
      fc.property(nano, fc.boolean(), (amount, negative) => {
        expect(formatUsd(negative ? -amount : amount)).toMatch(/^-?\d+\.\d*[0-9]$/);
      }),
    );
    expect(formatUsd(10_000_000_000n)).toBe("10.0");
    expect(formatUsd(10_012_300_000n)).toBe("10.0123");
    expect(formatUsd(-1n)).toBe("-0.000000001");
    expect(formatUsd(0n)).toBe("0.0");
  });

  test.each(["", ".5", "5.", "-1", "+1", "1e3", "1,5", " 1", "1.0000000001", "0x1", "1000000.01"])(
    "%p is not an amount",
    (text) => {
      expect(parseUsd(text)).toBeUndefined();
    },
  );

  test.each([
    ["10", 10_000_000_000n],
    ["10.00", 10_000_000_000n],
    ["0.000000001", 1n],
    ["0", 0n],
    ["1000000", 1_000_000_000_000_000n],
  ])("%p is %p nano", (text, amount) => {
    expect(parseUsd(text)).toBe(amount);
  });

  test("amounts beyond what a float could hold keep every digit", () => {
    expect(parseUsd("123456.123456789")).toBe(123_456_123_456_789n);
    expect(formatUsd(9_007_199_254_740_993n)).toBe("9007199.254740993");
    expect(formatPico(9_007_199_254_740_993n)).toBe("9007.199254740993");
    expect(formatPico(-1_500_000_000_001n)).toBe("-1.500000000001");
  });
});

describe("picoPer", () => {
  test.each([
    ["2.50", 1_000_000, 2_500_000n],
    ["0.075", 1_000_000, 75_000n],
    ["10", 1_000, 10_000_000_000n],
    ["0.000001", 1_000_000, 1n],
    ["0", 1_000_000, 0n],
  ] as const)("%p per %p is %p pico", (decimal, units, pico) => {
    expect(picoPer(decimal, units)).toBe(pico);
  });

  test.each(["0.0000001", "abc", "-1", "1e-3", "", "1."])("%p is refused, not rounded", (text) => {
    expect(() => picoPer(text, 1_000_000)).toThrow();
  });

  test("a million of a unit cost exactly what the list says", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10_000_000_000n }), (micro) => {
        const decimal = `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`;
        const list = formatPico(picoPer(decimal, 1_000_000) * 1_000_000n);
        expect(parseUsd(list)).toBe(parseUsd(decimal));
      }),
    );
  });
});

describe("price", () => {
  test("lines are quantity × unit, sum exactly, and are rounded up once", () => {
    fc.assert(
      fc.property(anyUsage, anyRates, (usage, rates) => {
        const { lines, amount } = price(usage, rates);
        let total = 0n;
        for (const line of lines) {
          expect(line.amountPico).toBe(BigInt(line.quantity) * line.unitPico);
          expect(line.quantity).toBeGreaterThan(0);
          total += line.amountPico;
        }
        const all =
          BigInt(usage.fresh) * rates.input +
          BigInt(usage.cacheRead) * rates.cacheRead +
          BigInt(usage.cacheWrite) * rates.cacheWrite +
          BigInt(usage.cacheWriteLong) * rates.cacheWriteLong +
          BigInt(usage.output) * rates.output +
          BigInt(usage.webSearches) * rates.webSearch;
        expect(total).toBe(all);
        expect(amount * 1_000n).toBeGreaterThanOrEqual(total);
        expect(amount * 1_000n - total).toBeLessThan(1_000n);
      }),
    );
  });

  test("a charge that ends at an amount is that amount, by its lines too", () => {
    fc.assert(
      fc.property(anyUsage, anyRates, nano, (usage, rates, most) => {
        const whole = price(usage, rates);
        const ended = endedAt(whole, most);
        if (whole.amount <= most) {
          expect(ended).toBe(whole);
          return;
        }
        const sum = ended.lines.reduce((total, { amountPico }) => total + amountPico, 0n);
        expect([ended.amount, sum]).toEqual([most, most * 1_000n]);
        expect(ended.lines.slice(0, -1)).toEqual([...whole.lines]);
        expect(ended.lines.at(-1)).toMatchObject({ item: "beyond_hold", quantity: 1 });
      }),
    );
  });

  test("a single priced token never costs zero, and nothing costs nothing", () => {
    const cheap: Rates = { ...RATES, input: 1n };
    expect(price({ ...NO_USAGE, fresh: 1 }, cheap).amount).toBe(1n);
    expect(price(NO_USAGE, RATES)).toEqual({ lines: [], amount: 0n });
  });

  test("reasoning is inside the output and not charged beside it", () => {
    const usage = { ...NO_USAGE, output: 100, reasoning: 90 };
    expect(price(usage, RATES).amount).toBe(1_500_000n);
  });

  test("each bucket has its own rate", () => {
    const usage: Usage = {
      ...NO_USAGE,
      fresh: 10,
      cacheRead: 20,
      cacheWrite: 30,
      cacheWriteLong: 35,
      output: 40,
      webSearches: 2,
    };
    expect(price(usage, RATES).lines.map(({ item, amountPico }) => [item, amountPico])).toEqual([
      ["input", 25_000_000n],
      ["cache_read", 5_000_000n],
      ["cache_write", 93_750_000n],
      ["cache_write_long", 175_000_000n],
      ["output", 600_000_000n],
      ["web_search", 20_000_000_000n],
    ]);
  });
});

describe("worstCase", () => {
  test("covers any usage within its sizes", () => {
    fc.assert(
      fc.property(anyUsage, anyRates, (usage, rates) => {
        const input = inputTokens(usage);
        const quantities = { input, output: usage.output, webSearches: usage.webSearches };
        expect(worstCase(rates, quantities)).toBeGreaterThanOrEqual(price(usage, rates).amount);
      }),
    );
  });

  test("is the dearest way to read and what is written, to the next nano, however large", () => {
    const count = fc.oneof(tokens, fc.integer({ min: 0, max: 2 ** 40 }));
    // Here a nano ends, and what is exact in a number.
    const edges = fc
      .constantFrom(0n, 1_000n, 10n ** 15n, 2n ** 53n, 10n ** 18n)
      .chain((edge) => fc.bigInt({ min: edge > 3n ? edge - 3n : 0n, max: edge + 3n }));
    const rates = ratesOf(fc.oneof(unitPico, edges));
    const searches = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(rates, count, count, searches, (list, input, output, webSearches) => {
        const { cacheRead, cacheWrite, cacheWriteLong } = list;
        const readings = [list.input, cacheRead, cacheWrite, cacheWriteLong];
        const dearest = readings.reduce((most, each) => (each > most ? each : most));
        const pico =
          BigInt(input) * dearest +
          BigInt(output) * list.output +
          BigInt(webSearches) * list.webSearch;
        const nano = pico / 1_000n + (pico % 1_000n > 0n ? 1n : 0n);
        expect(worstCase(list, { input, output, webSearches })).toBe(nano);
      }),
      { numRuns: 2_000 },
    );
  });

  test("has every nano up to what is exact in a number and beyond", () => {
    const free = { cacheRead: 0n, cacheWrite: 0n, cacheWriteLong: 0n, output: 0n, webSearch: 0n };
    const one = { input: 1, output: 0, webSearches: 0 };
    for (const edge of [10n ** 15n, 2n ** 53n, 2n ** 60n]) {
      for (let pico = edge - 2_001n; pico <= edge + 2_001n; pico++) {
        const cost = worstCase({ ...free, input: pico }, one);
        if (cost !== (pico + 999n) / 1_000n) throw new Error(`${pico} pico are ${cost} nano`);
      }
    }
  });

  test("rounds fractions of a token up, so that a margin is never lost", () => {
    expect(worstCase(RATES, { input: 1.1, output: 0, webSearches: 0 })).toBe(10_000n);
  });
});

describe("outputTokensFor", () => {
  test("buys as many tokens as fit and not one more", () => {
    const rates = anyRates.filter(({ output }) => output > 1_000n);
    fc.assert(
      fc.property(nano, rates, tokens, (amount, unit, input) => {
        const bought = outputTokensFor(amount, unit, { input, webSearches: 1 });
        const cost = (output: number) => worstCase(unit, { input, output, webSearches: 1 });
        if (bought > 0) expect(cost(bought)).toBeLessThanOrEqual(amount);
        // The input is rounded up on its own, so up to a nano stays unspent.
        expect(cost(bought + 1) + 1n).toBeGreaterThan(amount);
      }),
    );
  });

  test("is without bound where output is free", () => {
    expect(outputTokensFor(1n, { ...RATES, output: 0n }, { input: 5, webSearches: 0 })).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });
});

describe("markUp", () => {
  const percents = fc
    .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 999 }))
    .map(([whole, thousandths]) => `${whole}.${String(thousandths).padStart(3, "0")}`);

  test("raises every unit price, to the next pico and no further", () => {
    fc.assert(
      fc.property(anyRates, percents, (rates, percent) => {
        const raised = markUp(rates, percent);
        const factor = 100_000n + BigInt(percent.replace(".", ""));
        for (const name of Object.keys(rates) as (keyof Rates)[]) {
          const exact = rates[name] * factor;
          expect(raised[name] * 100_000n).toBeGreaterThanOrEqual(exact);
          expect(raised[name] * 100_000n - exact).toBeLessThan(100_000n);
        }
      }),
    );
  });

  test.each([
    ["0", 1n, 1n],
    ["20", 2_500_000n, 3_000_000n],
    ["12.5", 8n, 9n],
    ["0.1", 1n, 2n],
    ["0.1", 1_000n, 1_001n],
    ["0", 0n, 0n],
  ])("%p percent on %p is %p", (percent, input, raised) => {
    expect(markUp({ ...RATES, input }, percent).input).toBe(raised);
  });
});

test("formatPer is the way back from a unit price to the list", () => {
  expect(formatPer(picoPer("0.075", 1_000_000), 1_000_000)).toBe("0.075");
  expect(formatPer(picoPer("12.5", 1_000), 1_000)).toBe("12.5");
  fc.assert(
    fc.property(unitPico, (pico) => {
      expect(picoPer(formatPer(pico, 1_000_000), 1_000_000)).toBe(pico);
    }),
  );
});

test("an amount of one unit where the other belongs does not compile", () => {
  const price: PicoUsd = picoPer("2.5", 1_000_000);
  const balance: NanoUsd = 2_500_000n;
  // @ts-expect-error a price is no amount of a balance
  expect(formatUsd(price)).toBe("0.0025");
  // @ts-expect-error an amount of a balance is no price
  expect(formatPer(balance, 1_000_000)).toBe("2.5");
  // @ts-expect-error nor is it one of the prices of a request
  expect(worstCase({ ...RATES, output: balance }, { input: 0, output: 1, webSearches: 0 })).toBe(
    2_500n,
  );
});
