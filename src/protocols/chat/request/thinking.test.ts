import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { chatWire } from "../wire.ts";
import { readThinking } from "./thinking.ts";

const wire = chatWire(readConfig({}).limits);
const BASE = { model: "m", messages: [{ role: "user", content: "hi" }] };

function write(more: object, options: Partial<UpstreamOptions> = {}) {
  const text = JSON.stringify({ ...BASE, ...more });
  const request = wire.readRequest(JSON.parse(text), text);
  const written = wire.writeRequest(request, { ...UPSTREAM_OPTIONS, ...options });
  return { body: JSON.parse(written.text) as Record<string, unknown>, dropped: written.dropped };
}

describe("how much to think", () => {
  test.each([
    [{ reasoning_effort: "low" }, { effort: "low" }],
    [{ reasoning: { effort: "high" } }, { effort: "high", summary: "auto" }],
    [{ reasoning: { effort: "high", exclude: true } }, { effort: "high" }],
    [{ reasoning: { effort: "none" } }, { effort: "none" }],
    [{ reasoning: { max_tokens: 2_000 } }, { thinkingBudget: 2_000, summary: "auto" }],
    [{ reasoning: { enabled: true } }, { thinkingBudget: -1, summary: "auto" }],
    [{ reasoning: { enabled: false } }, { effort: "none" }],
    [{ include_reasoning: true }, { summary: "auto" }],
    [{ include_reasoning: false }, {}],
    [{ thinking: { type: "enabled", budget_tokens: 3_000 } }, { thinkingBudget: 3_000 }],
    [{ thinking: { type: "adaptive" } }, { thinkingBudget: -1 }],
    [{ thinking: { type: "disabled" } }, { effort: "none" }],
    [{}, {}],
  ])("is read from the words of every client: %j", (body, thinking) => {
    const { effort, thinkingBudget, summary } = readThinking(body);
    expect(JSON.parse(JSON.stringify({ effort, thinkingBudget, summary }))).toEqual(thinking);
  });

  test.each([
    [{ reasoning: { effort: "high" } }, "high"],
    [{ reasoning: { max_tokens: 500 } }, "low"],
    [{ thinking: { type: "enabled", budget_tokens: 30_000 } }, "high"],
    [{ thinking: { type: "disabled" } }, "none"],
    [{ include_reasoning: true }, undefined],
    [{ reasoning: { effort: "high" }, reasoning_effort: "low" }, "low"],
  ])("is said to a vendor that knows the effort alone: %j", (more, effort) => {
    const { body, dropped } = write(more);
    expect([body.reasoning_effort, dropped]).toEqual([effort, []]);
    for (const name of ["reasoning", "thinking", "include_reasoning"])
      expect(body).not.toHaveProperty(name);
  });

  test("is left in the client's words where its vendor knows them", () => {
    const reasoning = { effort: "high", exclude: true };
    const { body } = write({ reasoning }, { dialect: { takes: ["reasoning"] } });
    expect([body.reasoning, body.reasoning_effort]).toEqual([reasoning, undefined]);
  });

  test("is named where the model does not think, and the nearest where it has others", () => {
    const high = { reasoning: { effort: "xhigh" } };
    expect(write(high, { rules: ["never_thinks"] })).toMatchObject({
      dropped: ["reasoning_effort"],
    });
    expect(write({ reasoning: { enabled: false } }, { rules: ["never_thinks"] }).dropped).toEqual(
      [],
    );
    expect(write(high, { rules: ["no_effort_xhigh"] }).body.reasoning_effort).toBe("max");
  });
});

test.each([
  ["reasoning", { reasoning: "high" }],
  ["reasoning.effort", { reasoning: { effort: 5 } }],
  ["reasoning.max_tokens", { reasoning: { max_tokens: "many" } }],
  ["reasoning.exclude", { reasoning: { exclude: "yes" } }],
  ["include_reasoning", { include_reasoning: "yes" }],
  ["thinking", { thinking: true }],
  ["thinking.budget_tokens", { thinking: { type: "enabled", budget_tokens: "many" } }],
])("a wish that cannot be read is refused at %s", (param, more) => {
  expect(() => write(more)).toThrow(expect.objectContaining({ param }));
});
