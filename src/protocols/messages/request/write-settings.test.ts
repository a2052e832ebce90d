import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import type { Conversation, Item } from "../../canon.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { writeMessagesConversation } from "./write-conversation.ts";

const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "claude-vendor",
  keepReasoning: true,
  maxOutput: 64_000,
};
const ADAPTIVE: Partial<UpstreamOptions> = { rules: ["adaptive_thinking"] };
const ALWAYS: Partial<UpstreamOptions> = { rules: ["adaptive_thinking", "always_thinking"] };
const SAY: Item = { type: "message", role: "user", parts: [{ type: "text", text: "hi" }] };

function write(change: Partial<Conversation>, options: Partial<UpstreamOptions> = {}) {
  const base = { items: [SAY], tools: [], stop: [], choices: 1, stream: false, lost: [] };
  const written = writeMessagesConversation({ ...base, ...change }, { ...OPTIONS, ...options });
  return { body: JSON.parse(written.text), dropped: written.dropped };
}

describe("the output maximum for a Messages vendor", () => {
  test.each([
    [undefined, undefined, 64_000],
    [500, undefined, 500],
    [90_000, undefined, 64_000],
    [undefined, 700, 700],
    [500, 700, 500],
  ])("asked %p, clamped %p: %p", (maxOutput, outputClamp, expected) => {
    expect(write({ maxOutput }, { outputClamp }).body.max_tokens).toBe(expected);
  });
});

describe("thinking on a model with a budget", () => {
  test.each([
    [{ effort: "high" }, 1_024 + Math.round(0.8 * (11_024 - 1_024))],
    [{ effort: "minimal" }, 1_274],
    [{ effort: "max" }, 11_023],
    [{ thinkingBudget: 3_000 }, 3_000],
    [{ thinkingBudget: 5 }, 1_024],
    [{ thinkingBudget: -1 }, 5_274],
  ])("%p", (asked, budget_tokens) => {
    const { body } = write({ ...asked, maxOutput: 11_024 });
    expect(body.thinking).toEqual({ type: "enabled", budget_tokens });
    expect(body).not.toHaveProperty("output_config");
  });

  test.each([[{}], [{ effort: "none" }], [{ thinkingBudget: 0 }], [{ summary: "auto" }]])(
    "is not asked for by %p",
    (asked) => {
      const { body, dropped } = write(asked);
      expect([body.thinking, dropped]).toEqual([undefined, []]);
    },
  );

  test("gives way to a call that must be made, to a small maximum and to a turn without thought", () => {
    const tools = [{ type: "function", name: "f" }] as const;
    const call = { type: "call", callId: "a", name: "f", custom: false, arguments: "{}" } as const;
    const result = { type: "result", callId: "a", custom: false, parts: [] } as const;
    for (const change of [
      { tools, toolChoice: { mode: "required" } as const },
      { maxOutput: 1_024 },
      { items: [SAY, call, result] },
    ]) {
      const { body, dropped } = write({ ...change, effort: "high" });
      expect([body.thinking, dropped]).toEqual([undefined, ["reasoning_effort"]]);
    }
  });
});

describe("thinking on a model that thinks as it sees fit", () => {
  test.each([
    [{}, undefined, undefined],
    [{ effort: "minimal" }, { type: "adaptive" }, { effort: "low" }],
    [
      { effort: "xhigh", summary: "auto" },
      { type: "adaptive", display: "summarized" },
      { effort: "xhigh" },
    ],
    [{ summary: "auto" }, { type: "adaptive", display: "summarized" }, undefined],
    [{ thinkingBudget: 8_000 }, { type: "adaptive" }, { effort: "medium" }],
    [{ thinkingBudget: -1 }, { type: "adaptive" }, undefined],
    [{ effort: "none" }, { type: "disabled" }, undefined],
  ])("%p", (asked, thinking, output_config) => {
    const { body } = write(asked, ADAPTIVE);
    expect(body.thinking).toEqual(thinking as never);
    expect(body.output_config).toEqual(output_config as never);
  });

  test("cannot be stopped where it always thinks", () => {
    const { body, dropped } = write({ effort: "none" }, ALWAYS);
    expect(body).not.toHaveProperty("thinking");
    expect([body.output_config, dropped]).toEqual([{ effort: "low" }, ["reasoning_effort"]]);
  });
});

describe("sampling for a Messages vendor", () => {
  test.each([
    [{ temperature: 1.7 }, {}, { temperature: 1 }, ["temperature"]],
    [{ temperature: 0.3, topP: 0.9 }, {}, { temperature: 0.3 }, ["top_p"]],
    [{ temperature: 1, topP: 0.9 }, {}, { top_p: 0.9 }, []],
    [{ topK: 5 }, {}, { top_k: 5 }, []],
    [
      { temperature: 0.3, topP: 1, topK: 5 },
      { rules: ["no_sampling"] },
      {},
      ["temperature", "top_k"],
    ],
    [{ temperature: 0.3, effort: "high" }, {}, {}, ["temperature"]],
    [{ temperature: 1, effort: "high" }, {}, {}, []],
    [{ temperature: 0.3 }, ALWAYS, {}, ["temperature"]],
  ] as const)("%p with %p", (asked, options, expected, left) => {
    const { body, dropped } = write(asked, options);
    const { temperature, top_p, top_k } = body;
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(expected);
    expect(dropped).toEqual([...left]);
  });
});

describe("other settings for a Messages vendor", () => {
  test("a schema is a format, other JSON is asked for in words", () => {
    const schema = { type: "object", properties: {} };
    const format = { type: "json_schema", name: "n", schema } as const;
    expect(write({ format }).body.output_config.format).toEqual({
      type: "json_schema",
      schema: { ...schema, additionalProperties: false },
    });
    const { body } = write({ instructions: "A", format: { type: "json_object" } });
    expect(body.system).toBe("A\n\nAnswer with one valid JSON object and nothing else.");
    expect(body).not.toHaveProperty("output_config");
  });

  test("what has no place is named, what is nothing is not", () => {
    const asked = { seed: 1, verbosity: "low", presencePenalty: 0.5, frequencyPenalty: 0 };
    expect(write(asked).dropped).toEqual(["seed", "verbosity", "presence_penalty"]);
    expect(write({ verbosity: "medium" }).dropped).toEqual([]);
  });

  test("stop sequences, the user, the cache and streaming have their places", () => {
    const asked = { stop: ["END", " "], user: "u", cacheKey: "k", stream: true };
    const { body, dropped } = write(asked);
    expect(body).toMatchObject({
      stop_sequences: ["END"],
      metadata: { user_id: "u" },
      cache_control: { type: "ephemeral" },
      stream: true,
    });
    expect(dropped).toEqual(["stop"]);
    expect(Object.keys(write({}).body)).toEqual(["model", "max_tokens", "messages"]);
  });
});
