import { expect, test } from "bun:test";
import type { Model } from "../../../src/console/contract/models.ts";
import { MODELS } from "../../fixtures/models.ts";
import { defaultModel } from "./default-model.ts";
import { readTemperature } from "./settings.ts";

const [base] = MODELS;
const model = (
  id: string,
  rates: { input: string; output: string } | null,
  ends = false,
): Model => {
  if (!base?.price) throw new Error("the fixtures have no priced model");
  const price = rates && { ...base.price, ...rates };
  return { ...base, id, price, deprecates_on: ends ? "2026-12-31" : null };
};

const dear = model("dear", { input: "5", output: "25" });
const cheap = model("cheap", { input: "0.1", output: "0.4" });
const ending = model("ending", { input: "0.01", output: "0.01" }, true);
const unpriced = model("unpriced", null);

test("the model that is chosen for somebody is the cheapest that stays", () => {
  expect(defaultModel([dear, unpriced, ending, cheap])?.id).toBe("cheap");
  expect(defaultModel([unpriced, dear])?.id).toBe("dear");
  expect(defaultModel([ending])?.id).toBe("ending");
  expect(defaultModel([])).toBeUndefined();
});

test("a temperature is a number from 0 to 2, with a point or a comma", () => {
  expect(["0", "0.7", "1,25", " 2 "].map(readTemperature)).toEqual([0, 0.7, 1.25, 2]);
  for (const typed of ["", "-1", "2.1", "hot", "1e1", "."]) {
    expect(readTemperature(typed)).toBeUndefined();
  }
});
