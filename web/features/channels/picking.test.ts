import { describe, expect, test } from "bun:test";
import { channelChange, EMPTY_CHANNEL, fieldOf, newChannel, readModels } from "./channel-form.ts";
import { newModels, priceErrors, unpricedIn } from "./new-models.ts";
import { isPicked, picked } from "./picking.ts";

const t = ((key: string, { model = "" } = {}) => `${key} ${model}`.trim()) as never;

const OWN = { name: "gpt-5.2", model: "gpt-5.2" };
const RENAMED = { name: "deploy-1", model: "gpt-5.4" };
const UNPRICED = { name: "llama-x", model: null };

describe("models that are picked from the vendor's list", () => {
  test("stand in the form by our id, with the vendor's name where that is another", () => {
    const all = [OWN, RENAMED, UNPRICED].reduce((typed, row) => picked(typed, row, true), "");
    expect(all).toBe("gpt-5.2, gpt-5.4=deploy-1, llama-x");
    for (const row of [OWN, RENAMED, UNPRICED]) expect(isPicked(all, row)).toBe(true);
    expect(picked(all, RENAMED, false)).toBe("gpt-5.2, llama-x");
    expect(picked(all, OWN, true)).toBe("gpt-5.4=deploy-1, llama-x, gpt-5.2");
  });

  test("take the place of whatever the vendor lists, and give it back", () => {
    expect(picked("fetch", OWN, true)).toBe("gpt-5.2");
    expect(isPicked("fetch", OWN)).toBe(false);
    expect(picked("gpt-5.2", OWN, false)).toBe("");
  });
});

describe("models without a price", () => {
  const known = new Set(["gpt-5.2"]);
  const prices = { "llama-x": { input: "1", output: "2.5", context: "8000", max_output: "1000" } };

  test("are those that are named and that the catalogue does not have", () => {
    expect(unpricedIn(readModels("gpt-5.2, llama-x"), known)).toEqual(["llama-x"]);
    expect(unpricedIn(readModels("mine=llama-x"), known)).toEqual(["mine"]);
    for (const models of [null, "fetch"]) expect(unpricedIn(models, known)).toEqual([]);
    expect(unpricedIn(["llama-x"], undefined)).toEqual([]);
  });

  test("must all get one before anything is sent", () => {
    expect(priceErrors(prices, ["llama-x"], t)).toEqual({});
    const missing = { prices: "channels.priceMissing other" };
    expect(priceErrors(prices, ["llama-x", "other"], t)).toEqual(missing);
    for (const wrong of [{ input: "0" }, { output: "x" }, { context: "" }, { max_output: "1.5" }]) {
      const changed = { "llama-x": { ...prices["llama-x"], ...wrong } };
      expect(priceErrors(changed, ["llama-x"], t)).toHaveProperty("prices");
    }
  });

  test("go with the channel, and what is wrong with them stands at their prices", () => {
    const model = { id: "llama-x", owned_by: "custom", context: 8000, max_output: 1000 };
    const wanted = [{ ...model, price: { input: "1", output: "2.5" } }];
    expect(newModels({ vendor: "custom", prices }, ["llama-x"])).toEqual({ new_models: wanted });
    const values = { ...EMPTY_CHANNEL, vendor: "custom", models: "llama-x", prices };
    expect(newChannel(values, ["llama-x"])).toMatchObject({
      models: ["llama-x"],
      new_models: wanted,
    });
    expect(newChannel({ ...values, models: "" })).toMatchObject({ models: "fetch" });
    expect(channelChange(values, values, ["llama-x"])).toEqual({ new_models: wanted });
    expect(channelChange(values, values)).not.toHaveProperty("new_models");
    expect(fieldOf("new_models.0.price")).toBe("prices");
  });
});
