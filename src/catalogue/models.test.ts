import { describe, expect, test } from "bun:test";
import { Catalogue, type Model, priceAt, ratesFor, shippedCatalogue, suggest } from "./models.ts";

const catalogue = shippedCatalogue();
const models = [...catalogue.all()];
const DATED = /-\d{4}-\d{2}-\d{2}$/;

function model(id: string): Model {
  const found = catalogue.find(id);
  if (!found) throw new Error(`no model ${id}`);
  return found;
}

describe("the shipped catalogue", () => {
  test.each(models.map(({ id }) => id))("%s is a proper identifier", (id) => {
    expect(id).toMatch(/^[a-z0-9.-]+$/);
    // A version is written with dots: two numbers never meet at a hyphen, except in a date.
    expect(id.replace(DATED, "")).not.toMatch(/\d-\d/);
  });

  test("models of the embedded vendor have the form family-major.minor, one has a date", () => {
    const sandbox = models.filter(({ upstream }) => upstream.sandbox !== undefined);
    const dated = sandbox.filter(({ id }) => DATED.test(id));
    expect(dated).toHaveLength(1);
    for (const { id } of sandbox) {
      if (!DATED.test(id)) expect(id).toMatch(/^[a-z]+(-[a-z]+)*-\d+\.\d+$/);
    }
  });

  test("exactly one model of OpenAI carries a date", () => {
    const openai = models.filter(({ upstream }) => upstream.openai !== undefined);
    expect(openai.length).toBeGreaterThan(10);
    expect(openai.filter(({ id }) => DATED.test(id))).toHaveLength(1);
  });

  test("has several families, and the embedded vendor alone has two", () => {
    const families = (of: readonly Model[]) => new Set(of.map(({ ownedBy }) => ownedBy));
    expect(families(models)).toContain("openai");
    const sandbox = models.filter(({ upstream }) => upstream.sandbox !== undefined);
    expect(families(sandbox).size).toBeGreaterThanOrEqual(2);
  });

  test("has a model for chat only", () => {
    expect(models.some(({ endpoints }) => String(endpoints) === "chat")).toBe(true);
    expect(model("sandbox-1.0").endpoints).toEqual(["responses", "chat"]);
  });

  test("no identifier stands twice, nor two that differ only in case or dots", () => {
    const spellings = models.map(({ id }) => id.replace(/[^a-z0-9]/g, ""));
    expect(new Set(spellings).size).toBe(models.length);
  });

  test("every model is priced today, in every bucket, and has room for an answer", () => {
    for (const { id, prices, context, maxOutput } of models) {
      const priced = prices[0];
      expect(priced, id).toBeDefined();
      const tiers = [priced?.rates, ...(priced?.above ?? []).map(({ rates }) => rates)];
      for (const rates of tiers) {
        for (const pico of [rates?.input, rates?.cacheRead, rates?.cacheWrite, rates?.output]) {
          expect(pico, id).toBeGreaterThan(0n);
        }
        expect(rates?.webSearch, id).toBeGreaterThan(0n);
        expect(rates?.cacheRead, id).toBeLessThanOrEqual(rates?.input ?? 0n);
      }
      expect(maxOutput).toBeGreaterThan(0);
      expect(context).toBeGreaterThan(maxOutput);
    }
  });

  test("a longer prompt is never cheaper, and tiers stand smallest first", () => {
    for (const { id, prices } of models) {
      for (const priced of prices) {
        const sizes = priced.above.map(({ promptTokens }) => promptTokens);
        expect(
          sizes.toSorted((a, b) => a - b),
          id,
        ).toEqual(sizes);
        for (const { rates } of priced.above) {
          expect(rates.input, id).toBeGreaterThanOrEqual(priced.rates.input);
          expect(rates.output, id).toBeGreaterThanOrEqual(priced.rates.output);
        }
      }
    }
  });
});

describe("tiers", () => {
  test("a prompt of exactly 272,000 tokens pays the lower rates, one more the higher", () => {
    const priced = model("gpt-5.4").prices[0];
    if (!priced) throw new Error("no price");
    expect(ratesFor(priced, 0).input).toBe(2_500_000n);
    expect(ratesFor(priced, 272_000).input).toBe(2_500_000n);
    expect(ratesFor(priced, 272_001).input).toBe(5_000_000n);
    expect(ratesFor(priced, 272_001).output).toBe(22_500_000n);
    expect(ratesFor(priced, 272_000.5).input).toBe(5_000_000n);
  });

  test("the highest of several tiers applies", () => {
    const [first] = model("sandbox-1.0").prices;
    if (!first) throw new Error("no price");
    const tier = (promptTokens: number, input: bigint) => ({
      promptTokens,
      rates: { ...first.rates, input },
    });
    const priced = { ...first, above: [tier(100, 7n), tier(200, 9n)] };
    expect([100, 101, 200, 201].map((size) => ratesFor(priced, size).input)).toEqual([
      first.rates.input,
      7n,
      7n,
      9n,
    ]);
  });

  test("a bucket without a price of its own costs what plain input costs", () => {
    const rates = model("gpt-5.4").prices[0]?.rates;
    expect(rates?.cacheWrite).toBe(rates?.input ?? 0n);
  });
});

describe("priceAt", () => {
  const day = (text: string) => Date.parse(text);
  const base = model("sandbox-1.0");
  const [entry] = base.prices;
  if (!entry) throw new Error("no price");
  const version = (name: string, from: string) => ({
    ...entry,
    version: name,
    effectiveFromMs: day(from),
  });
  const changed: Model = {
    ...base,
    prices: [version("new", "2027-01-01"), version("old", "2026-01-01")],
  };

  test("takes the version in force at the moment, from its first millisecond on", () => {
    expect(priceAt(changed, day("2026-06-01"))?.version).toBe("old");
    expect(priceAt(changed, day("2027-01-01") - 1)?.version).toBe("old");
    expect(priceAt(changed, day("2027-01-01"))?.version).toBe("new");
  });

  test("has none before the first", () => {
    expect(priceAt(changed, day("2025-12-31"))).toBeUndefined();
  });
});

describe("suggest", () => {
  const ids = models.map(({ id }) => id);

  test.each([
    ["GPT-5.4", "gpt-5.4"],
    ["gpt-5-4", "gpt-5.4"],
    ["Sandbox-1-0", "sandbox-1.0"],
    ["sandbox_1.0", "sandbox-1.0"],
    ["gpt-4.1-MINI", "gpt-4.1-mini"],
  ])("%p was meant as %p", (wanted, meant) => {
    expect(suggest(wanted, ids)).toBe(meant);
  });

  test.each(["", "gpt", "sandbox-9.9", "claude-9"])("has no idea what %p is", (wanted) => {
    expect(suggest(wanted, ids)).toBeUndefined();
  });

  test("finds are exact: another case is another model", () => {
    expect(new Catalogue(models).find("GPT-5.4")).toBeUndefined();
    expect(catalogue.find("gpt-5.4")?.id).toBe("gpt-5.4");
  });
});
