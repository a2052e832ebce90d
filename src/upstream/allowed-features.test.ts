import { expect, test } from "bun:test";
import { parseUsd } from "../catalogue/money.ts";
import { channelFeatures } from "./allowed-features.ts";

const ALLOWED = {
  search_parameters: "0.10",
  "tools.code_interpreter": "0.03",
  "tools.codeExecution": "0.05",
  speechConfig: "0.02",
  deferred: "0",
};
const features = channelFeatures(ALLOWED, false);

test.each([
  ["nothing of it", {}, "0"],
  ["a member", { search_parameters: { mode: "on" } }, "0.10"],
  ["a member that asks for the vendor's defaults", { search_parameters: {} }, "0.10"],
  ["a member that asks for nothing", { search_parameters: null, deferred: false }, "0"],
  ["what costs nothing", { deferred: true }, "0"],
  ["a tool", { tools: [{ type: "code_interpreter" }] }, "0.03"],
  ["a tool in a group", { tools: [{ tools: [{ type: "code_interpreter" }] }] }, "0.03"],
  ["a tool among the input", { input: [{ tools: [{ type: "code_interpreter" }] }] }, "0.03"],
  ["a tool that is the name of a member", { tools: [{ codeExecution: {} }] }, "0.05"],
  ["the same beside a type", { tools: [{ type: "x", codeExecution: {} }] }, "0.05"],
  ["a setting of Gemini", { generationConfig: { speechConfig: { a: 1 } } }, "0.02"],
  ["two of them", { search_parameters: {}, tools: [{ type: "code_interpreter" }] }, "0.13"],
])("a request with %s", (_what, body, dollars) => {
  expect(features.fee(body)).toBe(parseUsd(dollars) ?? -1n);
});

test("a channel without prices of its own has nothing to look for", () => {
  expect(channelFeatures({ deferred: "0" }, false).hasFees).toBe(false);
  expect(features.hasFees).toBe(true);
});
