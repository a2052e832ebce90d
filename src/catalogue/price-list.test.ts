import { describe, expect, test } from "bun:test";
import type { ConfigFile } from "../config/file.ts";
import { readModelConfig } from "../config/models.ts";
import { type Catalogue, shippedCatalogue } from "./models.ts";
import { priceChanges, priceTexts } from "./price-list.ts";

const AT_MS = Date.parse("2026-12-01T00:00:00Z");

function withModel(base: Catalogue, words: object): Catalogue {
  const models = [readModelConfig(words, "model")];
  const file: ConfigFile = { channels: [], models, markupPercent: undefined };
  return base.withOverrides(file);
}

const MODEL = { id: "m", owned_by: "t", context: 10, max_output: 10 };

describe("price changes", () => {
  const old = withModel(shippedCatalogue(), { ...MODEL, price: { input: "3", output: "4" } });

  test("name what is dearer, what is cheaper and by how much", () => {
    const next = withModel(old, { id: "m", price: { input: "4", cache_read: "1", output: "2" } });
    expect(priceChanges(old, next, AT_MS)).toEqual([
      {
        model: "m",
        old_version: "faregate.yaml",
        new_version: "faregate.yaml",
        effective_from: "2026-12-01T00:00:00.000Z",
        changes: [
          { rate: "input", old: "3.0", new: "4.0", percent: "33.33" },
          { rate: "cache_read", old: "3.0", new: "1.0", percent: "-66.66" },
          { rate: "cache_write", old: "3.0", new: "4.0", percent: "33.33" },
          { rate: "cache_write_long", old: "3.0", new: "4.0", percent: "33.33" },
          { rate: "output", old: "4.0", new: "2.0", percent: "-50.00" },
        ],
      },
    ]);
  });

  test("are none where everything costs the same", () => {
    const next = withModel(old, { id: "m", price: { input: "3", output: "4" } });
    expect(priceChanges(old, next, AT_MS)).toEqual([]);
  });

  test("tell of tiers too, and of models that come and go", () => {
    const above = [{ prompt_tokens: 5, input: "6", output: "8" }];
    const tiered = withModel(old, { id: "m", price: { input: "3", output: "4", above } });
    expect(priceChanges(old, tiered, AT_MS)).toMatchObject([{ model: "m", changes: [] }]);
    const [added] = priceChanges(shippedCatalogue(), old, AT_MS);
    expect(added).toMatchObject({ model: "m", old_version: null, new_version: "faregate.yaml" });
    expect(added?.changes[0]).toEqual({ rate: "input", old: null, new: "3.0", percent: null });
  });

  test("of a price that begins later are none before", () => {
    const price = { input: "9", output: "9", effective_from: "2026-12-02" };
    const next = withModel(old, { id: "m", price });
    expect(priceChanges(old, next, AT_MS)).toEqual([]);
    expect(priceChanges(old, next, AT_MS + 86_400_000)).toHaveLength(1);
  });
});

test("a price is worded per million tokens, with its tiers and hours", () => {
  const model = shippedCatalogue().find("sandbox-1.0");
  const [listed] = model?.prices ?? [];
  if (!listed) throw new Error("it has no price");
  expect(priceTexts(listed)).toMatchObject({
    version: "2026-11-01",
    input: "1.0",
    cache_read: "0.1",
    output: "4.0",
    web_search_per_thousand: "5.0",
    above: [],
    windows: [],
  });
});
