import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseConfigFile } from "../config/file.ts";
import { ConfigError } from "../config/members.ts";
import { type Model, priceAt, ratesFor, shippedCatalogue } from "./models.ts";
import { price } from "./money.ts";

const NOW = Date.parse("2026-12-01");
const shipped = shippedCatalogue();

function overridden(...lines: string[]) {
  return shipped.withOverrides(parseConfigFile(lines.join("\n"), "faregate.yaml", {}));
}

function model(id: string, ...lines: string[]): Model {
  const found = overridden(...lines).find(id);
  if (!found) throw new Error(`no model ${id}`);
  return found;
}

function complaint(...lines: string[]): string {
  try {
    overridden(...lines);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return "";
}

const NEW = [
  "models:",
  "  - id: campus-7.1",
  "    owned_by: campus",
  "    context: 1000",
  "    max_output: 100",
];

/** Rows of a table, to be called by what is said of them. */
function byWords<T>(rows: readonly (readonly [T, string])[]): [string, T][] {
  return rows.map(([input, words]) => [words, input]);
}

describe("a model that the file adds", () => {
  test("can be found, and is priced from the beginning of time", () => {
    const added = model(
      "campus-7.1",
      ...NEW,
      "    price: { input: 0.5, output: 2 }",
      "    rules: [no_sampling]",
    );
    expect(added).toMatchObject({
      ownedBy: "campus",
      endpoints: ["responses", "chat"],
      capabilities: ["tools", "json_schema", "stream"],
      rules: ["no_sampling"],
      webSearch: false,
      free: false,
    });
    const priced = priceAt(added, 0);
    expect(priced).toMatchObject({ version: "faregate.yaml" });
    expect(priced?.rates).toMatchObject({
      input: 500_000n,
      cacheRead: 500_000n,
      output: 2_000_000n,
    });
  });

  test("offers searches once they have a price", () => {
    const added = model(
      "campus-7.1",
      ...NEW,
      "    price: { input: 1, output: 2, web_search_per_thousand: 5 }",
    );
    expect([added.webSearch, added.capabilities.includes("web_search")]).toEqual([true, true]);
    expect(
      complaint(...NEW, "    price: { input: 1, output: 2 }", "    capabilities: [web_search]"),
    ).toContain("models[0].price.web_search_per_thousand is missing");
  });

  test("is free only where somebody says so", () => {
    const free = model("campus-7.1", ...NEW, "    free: true");
    expect(free.free).toBe(true);
    const priced = priceAt(free, NOW);
    if (!priced) throw new Error("no price");
    const usage = {
      fresh: 5,
      cacheRead: 5,
      cacheWrite: 5,
      cacheWriteLong: 5,
      output: 5,
      reasoning: 0,
      webSearches: 5,
      clamped: false,
    };
    expect(price(usage, priced.rates).amount).toBe(0n);
  });

  test("can be one that only reads", () => {
    const lines = [...NEW.slice(0, 4), "    endpoints: [embeddings]"];
    const added = model("campus-7.1", ...lines, "    price: { input: 0.1 }");
    expect([added.maxOutput, priceAt(added, NOW)?.rates.output]).toEqual([0, 0n]);
    expect(complaint(...lines)).toContain("models[0].price is missing");
  });

  test.each(
    byWords([
      [NEW, "models[0].price is missing"],
      [[...NEW, "    price: {}"], "models[0].price.input is missing"],
      [[...NEW, "    price: { input: 1 }"], "models[0].price.output is missing"],
      [[...NEW, "    price: { input: 0, output: 1 }"], "models[0].price.input is zero"],
      [[...NEW, "    price: { input: 1, output: '0.0' }"], "models[0].price.output is zero"],
      [[...NEW, "    price: { input: 1, output: 1, cache_read: 0 }"], "price.cache_read is zero"],
      [[...NEW, "    price: { input: '0.0000001', output: 1 }"], "models[0].price.input: "],
      [["models: [{ id: x, price: { input: 1, output: 1 } }]"], "models[0].owned_by is missing"],
      [
        ["models: [{ id: x, owned_by: y, context: 5, free: true }]"],
        "models[0].max_output is missing",
      ],
      [[...NEW, "    free: true", "    endpoints: [chats]"], 'models[0].endpoints[0] is "chats"'],
      [[...NEW, "    free: true", "    rules: [no_samplin]"], 'did you mean "no_sampling"'],
      [[...NEW, "    free: true", "    fallbacks: [gpt-5.44]"], 'fallbacks[0] names "gpt-5.44"'],
      [
        [...NEW, "    free: true", "    fallbacks: [campus-7.1]"],
        "fallbacks[0] is the model itself",
      ],
      [
        ["channels: [{ id: a, vendor: ollama, models: [llama-9.9] }]"],
        'channels[0].models names "llama-9.9", a model without a price; give it a price under models.',
      ],
      [
        ["channels: [{ id: a, vendor: openai, keys: [x], models: { gpt-5-4: y } }]"],
        'did you mean "gpt-5.4"?',
      ],
      [
        ["models: [{ id: text-embedding-3-small, endpoints: [chat] }]"],
        "models[0].price is missing; without it, its output would be free",
      ],
    ]),
  )("%s", (words, lines) => {
    expect(complaint(...lines)).toContain(words);
  });
});

describe("a shipped model that the file changes", () => {
  test("keeps what is not mentioned", () => {
    const before = shipped.find("gpt-5.4");
    const after = model(
      "gpt-5.4",
      "models: [{ id: gpt-5.4, max_output: 5000, upstream: { vllm: local } }]",
    );
    expect(after).toEqual({
      ...(before as Model),
      maxOutput: 5000,
      upstream: { ...before?.upstream, vllm: "local" },
    });
  });

  test("has the file's price alone, where it names no day", () => {
    const after = model("gpt-5.4", "models: [{ id: gpt-5.4, price: { input: 3, output: 18 } }]");
    expect(after.prices).toHaveLength(1);
    expect(priceAt(after, NOW)?.rates.input).toBe(3_000_000n);
    // The price says nothing of searches, so they are not given away.
    expect([after.webSearch, after.capabilities.includes("web_search")]).toEqual([false, false]);
  });

  test("keeps its price until the day of the new one, and no later price of the list", () => {
    const line = "{ input: 3, output: 18, effective_from: 2026-12-15 }";
    const after = model("gemini-3.8-flash", `models: [{ id: gemini-3.8-flash, price: ${line} }]`);
    const input = (day: string) => priceAt(after, Date.parse(day))?.rates.input;
    expect(input("2026-12-14")).toBe(750_000n);
    expect(input("2026-12-15")).toBe(3_000_000n);
    expect(input("2027-02-01")).toBe(3_000_000n);
    expect(priceAt(after, Date.parse("2027-02-01"))?.version).toBe("faregate.yaml/2026-12-15");
  });

  test("pays more above a size where the file says so", () => {
    const line =
      "{ input: 3, output: 18, web_search_per_thousand: 5, above: [{ prompt_tokens: 10, input: 6, output: 36 }] }";
    const priced = priceAt(model("gpt-5.4", `models: [{ id: gpt-5.4, price: ${line} }]`), NOW);
    if (!priced) throw new Error("no price");
    expect(ratesFor(priced, 10).input).toBe(3_000_000n);
    expect(ratesFor(priced, 11)).toMatchObject({ input: 6_000_000n, webSearch: 5_000_000_000n });
  });

  test("leaves the shipped catalogue as it was", () => {
    overridden("models: [{ id: gpt-5.4, price: { input: 3, output: 18 } }]");
    expect(priceAt(shipped.find("gpt-5.4") as Model, NOW)?.rates.input).toBe(2_500_000n);
  });
});

describe("a markup", () => {
  const peak = Date.parse("2026-11-16T02:00:00Z");

  test("raises every shipped price, tier and hour, and names itself", () => {
    const deepseek = model("deepseek-v4-pro", 'markup_percent: "12.5"');
    expect(priceAt(deepseek, peak)).toMatchObject({ version: "2026-08-16/peak+12.5%" });
    expect(priceAt(deepseek, peak)?.rates.input).toBe(1_485_000n);
    const gpt = priceAt(model("gpt-5.4", "markup_percent: 20"), NOW);
    if (!gpt) throw new Error("no price");
    expect(gpt.rates.webSearch).toBe(12_000_000_000n);
    expect(ratesFor(gpt, 300_000).output).toBe(27_000_000n);
  });

  test("does not touch the file's own prices", () => {
    const lines = [
      "markup_percent: 20",
      "models: [{ id: gpt-5.4, price: { input: 3, output: 18 } }]",
    ];
    const priced = priceAt(model("gpt-5.4", ...lines), NOW);
    expect([priced?.version, priced?.rates.input]).toEqual(["faregate.yaml", 3_000_000n]);
  });
});

test("the example of the documents fits the shipped catalogue", async () => {
  const path = join(import.meta.dir, "..", "..", "docs", "faregate-yaml.md");
  const example = /```yaml\n([\s\S]*?)```/.exec(await Bun.file(path).text())?.[1] ?? "";
  const names = [...example.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, "sk-1"]);
  const file = parseConfigFile(example, "faregate.yaml", Object.fromEntries(names));
  const catalogue = shipped.withOverrides(file);
  expect(catalogue.find("campus-7.1")?.capabilities).toEqual(["tools", "stream"]);
  expect(catalogue.find("llama-3.3")?.upstream).toEqual({ home: "llama3.3:70b" });
  expect(catalogue.find("gpt-5.4")?.fallbacks).toEqual(["gpt-5.2", "claude-sonnet-5.5"]);
});
