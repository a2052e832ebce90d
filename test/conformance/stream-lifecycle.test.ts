// Streams as they are on the wire, event by event, for every kind of answer.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance, type InventedTool } from "./chance.ts";
import { type Frame, framesOf, type Json, jsonOf, valuesOf } from "./frames.ts";
import { lifecycleProblems } from "./lifecycle.ts";
import { type Snapshot, snapshotShape, usageShape } from "./snapshot.ts";

const MODEL = "sandbox-1.0";
const chance = new Chance();
const { server } = await perFile(serve);

function toolOf({ name, description, schema }: InventedTool): Json {
  return { type: "function", name, description, parameters: z.toJSONSchema(schema) };
}

const single = chance.tool();
const several = chance.severalCalls();

interface Kind {
  readonly body: Json;
  /** The types of the items that must come, in order. */
  readonly items: readonly string[];
  readonly status?: "incomplete";
}

const KINDS: Readonly<Record<string, Kind>> = {
  text: { body: { input: `Describe ${chance.name()}.` }, items: ["message"] },
  "a tool call": {
    body: { input: single.message, tools: [toolOf(single)] },
    items: ["function_call"],
  },
  "parallel tool calls": {
    body: { input: several.message, tools: [toolOf(several)] },
    items: several.values.map(() => "function_call"),
  },
  "a custom tool call": {
    body: {
      input: `Please call ${single.name} with "${single.value}".`,
      tools: [{ type: "custom", name: single.name }],
    },
    items: ["custom_tool_call"],
  },
  reasoning: {
    body: { input: `Why ${chance.word()}?`, reasoning: { effort: "high", summary: "auto" } },
    items: ["reasoning", "message"],
  },
  "reasoning and a tool call": {
    body: { input: single.message, tools: [toolOf(single)], reasoning: { effort: "low" } },
    items: ["reasoning", "function_call"],
  },
  "a web search": {
    body: { input: `Search the news about ${chance.name()}.`, tools: [{ type: "web_search" }] },
    items: ["web_search_call", "message"],
  },
  "a schema": {
    body: {
      input: `Describe ${chance.name()}.`,
      text: {
        format: {
          type: "json_schema",
          name: chance.word(),
          strict: true,
          schema: z.toJSONSchema(chance.schema()),
        },
      },
    },
    items: ["message"],
  },
  "a text cut off": {
    body: { input: `Tell a long story about ${chance.name()}.`, max_output_tokens: 7 },
    items: ["message"],
    status: "incomplete",
  },
  "a tool call cut off": {
    body: { input: single.message, tools: [toolOf(single)], max_output_tokens: 2 },
    items: ["function_call"],
    status: "incomplete",
  },
  "thoughts cut off": {
    body: { input: `Why ${chance.word()}?`, reasoning: { effort: "high" }, max_output_tokens: 3 },
    items: ["reasoning"],
    status: "incomplete",
  },
};

async function stream(path: string, body: Json, key = server.firstKey) {
  const response = await server.post(path, key, { model: MODEL, stream: true, ...body });
  expect(response.status).toBe(200);
  const text = await response.text();
  return { headers: response.headers, frames: framesOf(text) };
}

async function receiptOf(id: string, key = server.firstKey): Promise<Json> {
  const response = await server.fetch(`/generation?id=${id}`, key);
  return (await response.json()) as Json;
}

function lastSnapshot(frames: readonly Frame[]): Snapshot {
  return snapshotShape.parse(jsonOf(frames).at(-1)?.response);
}

describe.each(Object.entries(KINDS))(`%s, seed ${chance.seed}`, (_, kind) => {
  test("keeps the order of events from the first to the end marker", async () => {
    const { frames, headers } = await stream("/responses", kind.body);
    expect(lifecycleProblems(frames)).toEqual([]);
    const final = lastSnapshot(frames);
    expect(final.status).toBe(kind.status ?? "completed");
    expect(final.output.map(({ type }) => type)).toEqual([...kind.items]);
    expect(new Set(valuesOf("model", jsonOf(frames)))).toEqual(new Set([MODEL]));
    expect(headers.get("content-type")).toStartWith("text/event-stream");
    expect(headers.get("cache-control")).toBe("no-cache, no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
  });

  test("ends with the counts and the cost of its receipt", async () => {
    const { frames, headers } = await stream("/responses", kind.body);
    const final = lastSnapshot(frames);
    const usage = usageShape.required({ cost_exact: true }).parse(final.usage);
    const receipt = await receiptOf(String(headers.get("x-request-id")));
    expect(receipt).toMatchObject({
      response_id: final.id,
      billing_reason: "completed",
      cost: usage.cost_exact,
      usage: { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens },
    });
    expect(await receiptOf(final.id)).toEqual(receipt);
  });

  test("says the same whole as in pieces, and keeps it", async () => {
    const { frames } = await stream("/responses", kind.body);
    const streamed = lastSnapshot(frames);
    const response = await server.post("/responses", server.firstKey, {
      model: MODEL,
      ...kind.body,
    });
    const whole = snapshotShape.parse(await response.json());
    expect(anonymous(whole)).toEqual(anonymous(streamed));
    const kept = await server.fetch(`/responses/${streamed.id}`, server.firstKey);
    expect(await kept.json()).toEqual(streamed);
  });
});

/** A response without what is new each time: ids and moments. */
function anonymous(response: Snapshot): Json {
  const times = { created_at: 0, completed_at: response.completed_at === null ? null : 0 };
  return JSON.parse(
    JSON.stringify({ ...response, ...times }).replace(
      /"(resp|msg|rs|fc|ctc|ws|call)_\w+"/g,
      '"$1"',
    ),
  );
}

describe(`the rules of the lifecycle, seed ${chance.seed}`, () => {
  test("notice any event that is missing or comes twice", async () => {
    const unnoticed: string[] = [];
    for (const { body } of Object.values(KINDS)) {
      const { frames } = await stream("/responses", body);
      for (const [i, frame] of frames.entries()) {
        const missing = lifecycleProblems(frames.toSpliced(i, 1));
        const twice = lifecycleProblems(frames.toSpliced(i, 0, frame));
        if (missing.length === 0) unnoticed.push(`missing: ${frame.data}`);
        if (twice.length === 0) unnoticed.push(`twice: ${frame.data}`);
      }
    }
    expect(unnoticed).toEqual([]);
  });
});

describe("a key that does not show costs", () => {
  test("sees counts without a cost, and has a receipt with one", async () => {
    const { key } = await server.command<{ key: string }>(
      ...["key", "create", "--name", "discreet", "--show-cost", "no"],
    );
    const input = `Describe ${chance.name()}.`;
    const { frames, headers } = await stream("/responses", { input }, key);
    expect(lastSnapshot(frames).usage).not.toHaveProperty("cost");
    expect(valuesOf("cost", jsonOf(frames))).toEqual([]);
    const receipt = await receiptOf(String(headers.get("x-request-id")), key);
    expect(Number(receipt.cost)).toBeGreaterThan(0);

    const messages = [{ role: "user", content: input }];
    const options = { messages, stream_options: { include_usage: true } };
    const chat = await stream("/chat/completions", options, key);
    expect(valuesOf("total_tokens", jsonOf(chat.frames))).toHaveLength(1);
    expect(valuesOf("cost", jsonOf(chat.frames))).toEqual([]);

    for (const [path, body] of [
      ["/responses", { input }],
      ["/chat/completions", { messages }],
    ] as const) {
      const whole = await server.post(path, key, { model: MODEL, ...body });
      expect(whole.headers.get("x-faregate-cost")).toBeNull();
      expect(valuesOf("cost", await whole.json())).toEqual([]);
    }
  });
});

type ChatDelta = { role?: string; content?: string; tool_calls?: ChatCall[] };
type ChatCall = {
  index: number;
  id?: string;
  function: { name?: string; arguments: string };
};
type ChatChoice = { index: number; delta: ChatDelta; finish_reason: string | null };

function choicesOf(chunk: Json): ChatChoice[] {
  return chunk.choices as ChatChoice[];
}

/** What holds for every chat stream: one identity, one finish reason, the end marker last. */
function checkChat(frames: readonly Frame[], finish: string): Json[] {
  expect(frames.at(-1)).toEqual({ event: undefined, data: "[DONE]" });
  expect(frames.filter(({ data }) => data === "[DONE]")).toHaveLength(1);
  const chunks = jsonOf(frames);
  const first = chunks[0] ?? {};
  expect(first.id).toStartWith("chatcmpl-");
  for (const chunk of chunks) {
    const { id, created } = first;
    expect(chunk).toMatchObject({ id, created, object: "chat.completion.chunk", model: MODEL });
  }
  expect(choicesOf(first)[0]?.delta.role).toBe("assistant");
  const reasons = chunks.flatMap(choicesOf).map((choice) => choice.finish_reason);
  expect(reasons.filter((reason) => reason !== null)).toEqual([finish]);
  return chunks;
}

describe(`chat, seed ${chance.seed}`, () => {
  const asked = { stream_options: { include_usage: true } };

  test.each([
    ["OpenAI's", asked],
    ["OpenRouter's", { usage: { include: true } }],
  ])("text ends with stop, then the counts and their cost, in %s words", async (_whose, asked) => {
    const messages = [{ role: "user", content: `Describe ${chance.name()}.` }];
    const { frames, headers } = await stream("/chat/completions", { messages, ...asked });
    const chunks = checkChat(frames, "stop");
    const last = chunks.at(-1) ?? {};
    expect(last.choices).toEqual([]);
    const receipt = await receiptOf(String(headers.get("x-request-id")));
    const { input_tokens, output_tokens } = receipt.usage as Json;
    expect(last.usage).toMatchObject({
      prompt_tokens: input_tokens,
      completion_tokens: output_tokens,
      cost: Number(receipt.cost),
      cost_exact: receipt.cost,
    });
    expect(headers.get("x-faregate-dropped")).toBeNull();
    const content = chunks.flatMap(choicesOf).map(({ delta }) => delta.content ?? "");
    const whole = await server.post("/chat/completions", server.firstKey, {
      model: MODEL,
      messages,
    });
    const body = (await whole.json()) as { choices: { message: ChatDelta }[]; usage: Json };
    expect(body.choices[0]?.message.content).toBe(content.join(""));
    expect(body.usage).toEqual(last.usage as Json);
    expect(whole.headers.get("x-faregate-cost")).toBe(String(receipt.cost));
  });

  test("nobody gets counts who has not asked for them", async () => {
    const messages = [{ role: "user", content: chance.word() }];
    const { frames } = await stream("/chat/completions", { messages });
    const chunks = checkChat(frames, "stop");
    expect(chunks.filter(({ usage }) => usage)).toEqual([]);
    expect(chunks.filter((chunk) => choicesOf(chunk).length === 0)).toEqual([]);
  });

  test("parallel tool calls come one after the other, each named once", async () => {
    const messages = [{ role: "user", content: several.message }];
    const { type, ...definition } = toolOf(several);
    const tools = [{ type, function: definition }];
    const { frames } = await stream("/chat/completions", { messages, tools });
    const calls = checkChat(frames, "tool_calls")
      .flatMap(choicesOf)
      .flatMap(({ delta }) => delta.tool_calls ?? []);
    const places = calls.map(({ index }) => index);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    several.values.forEach((value, index) => {
      const own = calls.filter((call) => call.index === index);
      expect(own.map(({ id }) => id).filter(Boolean)).toHaveLength(1);
      expect(own.map((call) => call.function.name ?? "").join("")).toBe(several.name);
      const text = own.map((call) => call.function.arguments).join("");
      expect(JSON.parse(text)).toEqual({ [several.property]: value });
    });
  });

  test("a token limit ends with length", async () => {
    const messages = [{ role: "user", content: `Tell a long story about ${chance.name()}.` }];
    const body = { messages, max_completion_tokens: 3, ...asked };
    const { frames } = await stream("/chat/completions", body);
    const last = checkChat(frames, "length").at(-1);
    expect(last?.usage).toMatchObject({ completion_tokens: 3 });
  });
});

test("the books agree after all of it", async () => {
  expect(await server.command("verify")).toMatchObject({ ok: true });
  const key = await (await server.fetch("/key", server.firstKey)).json();
  expect(key).toMatchObject({ held: "0.0" });
});
