import { describe, expect, test } from "bun:test";
import type { OperatorModel, Price } from "../../../src/console/operator/contract/models.ts";
import { checkModel, EMPTY_MODEL, newModel, readUpstream } from "./model-form.ts";
import { checkPrice, priceForm, priceInForce, valuesOf } from "./price-form.ts";

const t = ((key: string) => key) as never;

const price = (change: Partial<Price> = {}): Price => ({
  id: null,
  pending: false,
  version: "2026-11-01",
  effective_from: "2026-11-01T00:00:00.000Z",
  effective_to: null,
  source: "https://vendor.example/prices",
  checked_at: null,
  input: "1.25",
  output: "10.0",
  cache_read: "0.125",
  cache_write: "1.25",
  cache_write_long: "1.25",
  above: [],
  windows: [],
  ...change,
});

describe("the form of a price", () => {
  test("begins with what is charged now, as a person would type it", () => {
    expect(valuesOf(price())).toEqual({
      input: "1.25",
      output: "10",
      cache_read: "0.125",
      cache_write: "1.25",
      cache_write_long: "1.25",
      web_search_per_thousand: "",
      effective_from: "",
    });
  });

  test("keeps the prices of long prompts, which it does not show", () => {
    const tier = {
      ...price(),
      prompt_tokens: 200_000,
      input: "2.5",
      web_search_per_thousand: "10",
    };
    const former = price({ above: [tier] });
    expect(priceForm({ ...valuesOf(former), input: "2" }, former)).toEqual({
      input: "2",
      output: "10",
      cache_read: "0.125",
      cache_write: "1.25",
      cache_write_long: "1.25",
      above: [
        {
          prompt_tokens: 200_000,
          input: "2.5",
          output: "10",
          cache_read: "0.125",
          cache_write: "1.25",
          cache_write_long: "1.25",
        },
      ],
    });
  });

  test("leaves out what is empty, and says a day only where there is one", () => {
    const values = { ...valuesOf(undefined), input: "1", output: "2" };
    expect(priceForm(values, undefined)).toEqual({ input: "1", output: "2" });
    expect(priceForm({ ...values, effective_from: "2027-01-31" }, undefined)).toMatchObject({
      effective_from: "2027-01-31",
    });
  });

  test("lets nothing be free by accident", () => {
    const values = { ...valuesOf(price()), input: "0", output: "", cache_read: "-1" };
    expect(checkPrice(values, t, true)).toEqual({
      input: "prices.badRate",
      output: "errors.required",
      cache_read: "prices.badRate",
    });
    expect(checkPrice({ ...valuesOf(price()), output: "" }, t, false)).toEqual({});
  });

  test("knows the price in force between one that is over and one to come", () => {
    const prices = [
      price({ version: "next", pending: true }),
      price({ version: "now" }),
      price({ version: "old" }),
    ];
    expect(priceInForce({ prices } as unknown as OperatorModel, 0)?.version).toBe("now");
    const over = [price({ effective_to: "2026-01-01T00:00:00.000Z" })];
    expect(
      priceInForce({ prices: over } as unknown as OperatorModel, Date.parse("2026-02-01")),
    ).toBe(undefined);
  });
});

describe("the form of a model", () => {
  test("names the model by vendor", () => {
    expect(readUpstream("openai=gpt-x, azure=a=b")).toEqual({ openai: "gpt-x", azure: "a=b" });
    expect(readUpstream("openai")).toBeUndefined();
    expect(readUpstream(" ")).toBeUndefined();
  });

  test("asks for everything that has no sensible default", () => {
    expect(Object.keys(checkModel(EMPTY_MODEL, t))).toHaveLength(7);
    const values = {
      id: "team/model",
      owned_by: "team",
      context: "8000",
      max_output: "1000",
      upstream: "vllm=model",
      input: "1",
      output: "4.50",
    };
    expect(checkModel(values, t)).toEqual({});
    expect(newModel(values)).toEqual({
      id: "team/model",
      owned_by: "team",
      context: 8000,
      max_output: 1000,
      upstream: { vllm: "model" },
      price: { input: "1", output: "4.5" },
    });
  });
});
