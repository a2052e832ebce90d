import { describe, expect, test } from "bun:test";
import type { MarginLine } from "../../../src/console/operator/contract/ledger.ts";
import { spanOf, totalsOf } from "./totals.ts";

const line = (change: Partial<MarginLine>): MarginLine => ({
  channel: "openai",
  requests: 1,
  failures: 0,
  charged: "0.1",
  list_cost: "0.05",
  loss: "0",
  overage: "0",
  margin: "0.05",
  unpriced: "0",
  unpriced_models: [],
  ...change,
});

describe("the totals of the margin", () => {
  test("are exact where floats are not", () => {
    const lines = [line({}), line({ charged: "0.2", margin: "-0.15", loss: "0.000000001" })];
    expect(totalsOf(lines)).toEqual({
      charged: "0.3",
      loss: "0.000000001",
      overage: "0",
      listCost: "0.1",
      margin: "-0.1",
      unpriced: "0",
      unpricedModels: [],
    });
  });

  test("have what is known, and how much they leave out", () => {
    const left = { unpriced: "0.1", unpriced_models: ["gpt-5.4"] };
    const lines = [line({}), line({ list_cost: null, margin: null, ...left }), line(left)];
    expect(totalsOf(lines)).toMatchObject({ charged: "0.3", listCost: "0.1", margin: "0.1" });
    expect(totalsOf(lines)).toMatchObject({ unpriced: "0.2", unpricedModels: ["gpt-5.4"] });
    const [unknown] = [line({ list_cost: null, margin: null, ...left })];
    expect(totalsOf([unknown])).toMatchObject({ listCost: null, margin: null });
  });

  test("are nothing where nothing was charged", () => {
    expect(totalsOf([])).toMatchObject({ charged: "0", margin: "0" });
  });
});

test("a span that is not offered is a week", () => {
  expect([spanOf("30"), spanOf("31"), spanOf(undefined)]).toEqual(["30", "7", "7"]);
});
