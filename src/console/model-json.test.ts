import { describe, expect, test } from "bun:test";
import { shippedCatalogue } from "../catalogue/models.ts";
import { readModel } from "../catalogue/read-model.ts";
import { modelToJson } from "./model-json.ts";

const ROW = {
  id: "m-1",
  display_name: "M 1",
  owned_by: "maker",
  endpoints: ["chat"],
  context: 1000,
  max_output: 100,
  modalities: { input: ["text"], output: ["text"] },
  capabilities: ["stream", "web_search"],
  rules: [],
  upstream: { openai: "m" },
  deprecates_on: "2027-01-01",
  replacement: "m-2",
  prices: [
    {
      version: "2",
      effective_from: "2027-01-01",
      checked_at: "2026-01-01",
      source: "list",
      per_million: { input: "2.5", output: "10" },
      web_search_per_thousand: "12.5",
    },
    {
      version: "1",
      effective_from: "2026-01-01",
      checked_at: "2026-01-01",
      source: "list",
      per_million: { input: "0.07", cache_read: "0.007", output: "1.25" },
      web_search_per_thousand: "10",
      above: [{ prompt_tokens: 500, per_million: { input: "1", output: "2" } }],
    },
  ],
};

describe("a model on the page", () => {
  const model = readModel(ROW, "here");

  test("has the price in force as decimals per million, and what is announced", () => {
    const json = modelToJson(model, Date.parse("2026-06-01"), false);
    expect(json).toMatchObject({ id: "m-1", deprecates_on: "2027-01-01", replacement: "m-2" });
    expect(json.price).toMatchObject({
      version: "plan/1",
      input: "0.07",
      cache_read: "0.007",
      cache_write: "0.07",
      output: "1.25",
      web_search_per_thousand: "10.0",
      above: [{ prompt_tokens: 500, input: "1.0", output: "2.0" }],
      windows: [],
    });
    expect(json.upcoming).toMatchObject([
      { effective_from: "2027-01-01T00:00:00.000Z", input: "2.5", web_search_per_thousand: "12.5" },
    ]);
  });

  test("moves on when the announced price begins", () => {
    const json = modelToJson(model, Date.parse("2027-01-01"), false);
    expect([json.price?.input, json.upcoming]).toEqual(["2.5", []]);
    expect(modelToJson(model, 0, false).price).toBeNull();
  });

  test("has its price's own name for operators alone", () => {
    const nowMs = Date.parse("2026-06-01");
    const versions = [true, false].map((operator) => modelToJson(model, nowMs, operator).price);
    expect(versions.map((price) => price?.version)).toEqual(["1", "plan/1"]);
  });

  test("can be told of every model that ships", () => {
    const nowMs = Date.parse("2026-12-01");
    for (const shipped of shippedCatalogue().all()) {
      const json = modelToJson(shipped, nowMs, false);
      expect(json.price === null || /^\d+\.\d+$/.test(json.price.input)).toBe(true);
    }
  });
});
