import { describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import type { Endpoint, ModelRule } from "../wire.ts";
import { openWires } from "../wires.ts";
import { awkwardWire, detourFor } from "./wire-choice.ts";

const wires = openWires(readConfig({}).limits);
const PATCH = { type: "custom", custom: { name: "patch" } };

function chatRequest(more: object) {
  const body = { model: "ours-1.0", messages: [{ role: "user", content: "hi" }], ...more };
  return wires.chat.readRequest(body, JSON.stringify(body));
}

describe("what the Responses wire has no word for", () => {
  test.each([
    [{ stop: ["x"] }],
    [{ n: 2 }],
    [{ max_tokens: 8 }],
    [{ seed: 1 }],
    [{ logit_bias: { "1": 1 } }],
  ])("%j is better said on another", (more) => {
    expect(awkwardWire(wires.chat, chatRequest(more))).toBe("responses");
  });

  test("a maximum that its vendors refuse is, even where a client speaks it", () => {
    const ask = (max_output_tokens: number) => {
      const body = { model: "ours-1.0", input: "hi", max_output_tokens, seed: 1 };
      return wires.responses.readRequest(body, JSON.stringify(body));
    };
    expect(awkwardWire(wires.responses, ask(15))).toBe("responses");
    expect(awkwardWire(wires.responses, ask(16))).toBeUndefined();
  });

  test("most requests say nothing of the kind", () => {
    expect(awkwardWire(wires.chat, chatRequest({ max_tokens: 100, stop: null }))).toBeUndefined();
  });
});

describe("functions on the chat wire", () => {
  const f = { type: "function", function: { name: "f" } };
  const chat = (more: object, rules: readonly ModelRule[]) =>
    detourFor(wires.chat, chatRequest(more), rules)?.to;

  test("are refused by some models unless they are told not to think", () => {
    const rules = ["no_sampling", "tools_or_thinking"] as const;
    expect(chat({ tools: [f] }, rules)).toBe("responses");
    expect(chat({ tools: [f], reasoning_effort: "low" }, rules)).toBe("responses");
    expect(chat({ tools: [f], reasoning: { effort: "low" } }, rules)).toBe("responses");
    expect(chat({ functions: [{ name: "f" }] }, rules)).toBe("responses");
    expect(chat({ tools: [PATCH] }, rules)).toBe("responses");
    expect(chat({ tools: [f], reasoning_effort: "none" }, rules)).toBeUndefined();
    expect(chat({ tools: [], reasoning_effort: "low" }, rules)).toBeUndefined();
    expect(chat({ web_search_options: {} }, rules)).toBeUndefined();
  });

  test("are refused by others only beside an effort", () => {
    const rules = ["tools_or_effort"] as const;
    expect(chat({ tools: [f], reasoning_effort: "low" }, rules)).toBe("responses");
    expect(chat({ tools: [f] }, rules)).toBeUndefined();
    expect(chat({ tools: [f], reasoning_effort: null }, rules)).toBeUndefined();
    expect(chat({ tools: [f], reasoning_effort: "none" }, rules)).toBeUndefined();
  });

  test("are taken by all others", () => {
    expect(chat({ tools: [f], reasoning_effort: "low" }, ["no_sampling"])).toBeUndefined();
  });

  test("are not known of a request that cannot be read, which is not refused for that here", () => {
    const rules = ["tools_or_thinking"] as const;
    expect(chat({ tools: [f], top_k: "x" }, rules)).toBeUndefined();
  });

  test("are known in the words of every client", () => {
    const read = (wire: Endpoint, body: object) => {
      const path = { model: "m", stream: false };
      const request = wires[wire].readRequest(body, JSON.stringify(body), path);
      return detourFor(wires[wire], request, ["tools_or_thinking"])?.to;
    };
    const messages = [{ role: "user", content: "hi" }];
    const tool = { name: "f", input_schema: { type: "object" } };
    const asked = { model: "m", max_tokens: 9, messages, tools: [tool] };
    expect(read("messages", asked)).toBe("responses");
    expect(read("messages", { ...asked, thinking: { type: "disabled" } })).toBeUndefined();
    const declared = [{ functionDeclarations: [{ name: "f" }] }];
    const contents = [{ role: "user", parts: [{ text: "hi" }] }];
    const generationConfig = { thinkingConfig: { thinkingBudget: 0 } };
    expect(read("gemini", { contents, tools: declared })).toBe("responses");
    expect(read("gemini", { contents, tools: declared, generationConfig })).toBeUndefined();
    const named = { type: "function", name: "f", parameters: {} };
    expect(read("responses", { model: "m", input: "hi", tools: [named] })).toBe("responses");
  });
});
