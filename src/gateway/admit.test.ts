import { expect, test } from "bun:test";
import type { PresentedKey } from "../accounts/account.ts";
import { type Model, type PriceVersion, shippedCatalogue } from "../catalogue/models.ts";
import { readConfig } from "../config.ts";
import { openWires } from "../protocols/wires.ts";
import { size } from "./admit.ts";

const { limits } = readConfig({});
const wires = openWires(limits);
const key = { hard: false, accountHard: false } as PresentedKey;

function holdFor(more: object): bigint {
  const model = shippedCatalogue().find("claude-sonnet-5.5") as Model;
  const body = {
    model: model.id,
    max_tokens: 100,
    messages: [{ role: "user", content: "What is new?" }],
    tools: [{ type: "web_search_20250305", name: "web_search" }],
    ...more,
  };
  const request = wires.messages.readRequest(body, JSON.stringify(body));
  const candidates = [{ model, priced: model.prices[0] as PriceVersion }];
  return size({ limits }, wires.messages, key, request, candidates).hold;
}

test.each([-1_000_000, 0, 1.5, "abc", null, {}])(
  "a number of searches that makes no sense (%p) does not shrink the hold",
  (max_tool_calls) => {
    expect(holdFor({ max_tool_calls })).toBe(holdFor({}));
  },
);

test("a number of searches that does is held for, within bounds", () => {
  expect(holdFor({ max_tool_calls: 5 })).toBeGreaterThan(holdFor({}));
  expect(holdFor({ max_tool_calls: 1e300 })).toBe(holdFor({ max_tool_calls: 10_000 }));
});
