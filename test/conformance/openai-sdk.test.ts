// The official client of the wire, against a real server process and the embedded vendor.
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import {
  zodFunction,
  zodResponseFormat,
  zodResponsesFunction,
  zodTextFormat,
} from "openai/helpers/zod";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { count } from "../support/counts.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance, type InventedTool } from "./chance.ts";

const MODEL = "sandbox-1.0";
const chance = new Chance();
const { server } = await perFile(serve);
const client = new OpenAI({ baseURL: server.url, apiKey: server.firstKey, maxRetries: 0 });

type ResponseBody = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "model" | "stream">;
type ChatBody = Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, "model" | "stream">;
type How = "whole" | "stream";
const HOWS: readonly How[] = ["whole", "stream"];

function respond(how: How, body: ResponseBody): Promise<OpenAI.Responses.Response> {
  const whole = { model: MODEL, ...body };
  return how === "whole"
    ? client.responses.create(whole)
    : client.responses.stream(whole).finalResponse();
}

async function complete(how: How, body: ChatBody): Promise<OpenAI.Chat.ChatCompletionMessage> {
  const whole = { model: MODEL, ...body };
  const completion =
    how === "whole"
      ? await client.chat.completions.create(whole)
      : await client.chat.completions.stream(whole).finalChatCompletion();
  const message = completion.choices[0]?.message;
  if (!message) throw new Error("the completion has no choice");
  return message;
}

function functionTool(tool: InventedTool) {
  const { name, description, schema } = tool;
  return zodResponsesFunction({ name, description, parameters: schema });
}

function chatTool(tool: InventedTool) {
  const { name, description, schema } = tool;
  return zodFunction({ name, description, parameters: schema });
}

function callsOf(response: OpenAI.Responses.Response) {
  return response.output.filter((item) => item.type === "function_call");
}

function chatCallsOf(message: OpenAI.Chat.ChatCompletionMessage) {
  return (message.tool_calls ?? []).filter((call) => call.type === "function");
}

/** Whole answers and streams leave the same kind of object behind; both are held to the same. */
describe.each(HOWS)(`responses, %s, seed ${chance.seed}`, (how) => {
  test("says what it is asked to say", async () => {
    const phrase = `${chance.word()} ${chance.word()}`;
    const response = await respond(how, { input: `Reply with exactly "${phrase}".` });
    expect(response).toMatchObject({ object: "response", status: "completed", model: MODEL });
    expect(response.output_text).toBe(phrase);
    const { usage } = response;
    expect(usage?.input_tokens).toBeGreaterThan(0);
    expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
  });

  test("calls an invented tool with arguments of its schema and uses the result", async () => {
    const tool = chance.tool();
    const tools = [functionTool(tool)];
    const input: ResponseInputItem[] = [{ role: "user", content: tool.message }];
    const first = await respond(how, { input, tools });
    const [call] = callsOf(first);
    expect(call).toMatchObject({ name: tool.name, status: "completed" });
    const given = JSON.parse(call?.arguments ?? "");
    expect(tool.schema.strict().safeParse(given).error).toBeUndefined();
    expect(given[tool.property]).toBe(tool.value);

    const result = chance.name();
    const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "" };
    const items = [...input, ...first.output, { ...output, output: result }] as ResponseInputItem[];
    const second = await respond(how, { input: items, tools });
    expect(second.output_text).toContain(result);

    const continued = await respond(how, {
      previous_response_id: first.id,
      input: [{ ...output, output: result }],
      tools,
    });
    expect(continued.output_text).toContain(result);
    expect(continued.previous_response_id).toBe(first.id);
  });

  test("calls one tool several times and several tools at once", async () => {
    const tool = chance.severalCalls();
    const response = await respond(how, { input: tool.message, tools: [functionTool(tool)] });
    const calls = callsOf(response);
    expect(calls.map((call) => JSON.parse(call.arguments)[tool.property])).toEqual([
      ...tool.values,
    ]);
    expect(new Set(calls.map((call) => call.call_id)).size).toBe(calls.length);

    const [left, right] = [chance.tool(), chance.tool()];
    const both = await respond(how, {
      input: `${left.message} ${right.message}`,
      tools: [functionTool(left), functionTool(right)],
    });
    const names = callsOf(both).map((call) => call.name);
    expect(names.toSorted()).toEqual([left.name, right.name].toSorted());

    const single = await respond(how, {
      input: tool.message,
      tools: [functionTool(tool)],
      parallel_tool_calls: false,
    });
    expect(callsOf(single)).toHaveLength(1);
  });

  test("obeys tool_choice", async () => {
    const [wanted, other] = [chance.tool(), chance.tool()];
    const tools = [functionTool(other), functionTool(wanted)];
    const forced = await respond(how, {
      input: `Good morning, ${chance.name()}.`,
      tools,
      tool_choice: { type: "function", name: wanted.name },
    });
    expect(callsOf(forced).map((call) => call.name)).toEqual([wanted.name]);
    const none = await respond(how, { input: other.message, tools, tool_choice: "none" });
    expect(callsOf(none)).toEqual([]);
    expect(none.output_text).not.toBe("");
  });

  test("recalls earlier turns by previous_response_id", async () => {
    const [thing, value, place] = [chance.word(), chance.name(), chance.name()];
    const first = await respond(how, { input: `My ${thing} is called ${value}.` });
    const second = await respond(how, {
      input: `I live in ${place}.`,
      previous_response_id: first.id,
    });
    const third = await respond(how, {
      input: `What is my ${thing} called?`,
      previous_response_id: second.id,
    });
    expect(third.output_text).toContain(value);
    const branch = await respond(how, {
      input: "Where do I live?",
      previous_response_id: first.id,
    });
    expect(branch.output_text).not.toContain(place);
  });

  test("resolves an item_reference to what was said", async () => {
    const phrase = `the ${chance.word()} weighs ${chance.name()}`;
    const first = await respond(how, { input: `Reply with exactly "${phrase}".` });
    const id = first.output[0]?.id ?? "";
    const noun = phrase.split(" ")[1];
    const second = await respond(how, {
      input: [
        { type: "item_reference", id },
        { role: "user", content: `What does the ${noun} weigh?` },
      ],
    });
    expect(second.output_text).toContain(phrase);
  });

  test("stops at max_output_tokens with status incomplete", async () => {
    const input = `Tell a long story about ${chance.name()} and ${chance.name()}.`;
    const response = await respond(how, { input, max_output_tokens: 16 });
    expect(response.status).toBe("incomplete");
    expect(response.incomplete_details).toEqual({ reason: "max_output_tokens" });
    expect(response.usage?.output_tokens).toBe(16);
  });

  test("thinks in summaries when asked to reason", async () => {
    const response = await respond(how, {
      input: `Why is ${chance.word()} better than ${chance.word()}?`,
      reasoning: { effort: "high", summary: "auto" },
    });
    const [reasoning, message] = response.output;
    expect(reasoning?.type).toBe("reasoning");
    expect(message?.type).toBe("message");
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  });

  test("parses a zod schema", async () => {
    for (let i = 0; i < count(2, 5); i++) {
      const name = chance.identifier();
      const schema = chance.schema();
      const format = zodTextFormat(schema, name);
      const body = { model: MODEL, input: `Describe ${chance.name()}.`, text: { format } };
      const parsed =
        how === "whole"
          ? await client.responses.parse(body)
          : await client.responses.stream(body).finalResponse();
      expect(schema.safeParse(parsed.output_parsed).error).toBeUndefined();
      expect(JSON.parse(parsed.output_text)).toEqual(parsed.output_parsed);
    }
  });
});

describe(`the events of responses.stream(), seed ${chance.seed}`, () => {
  test("add up to the final response", async () => {
    const tool = chance.tool();
    const stream = client.responses.stream({
      model: MODEL,
      input: `${tool.message}`,
      tools: [functionTool(tool)],
      reasoning: { effort: "low" },
    });
    const types: string[] = [];
    let given = "";
    stream.on("event", (event) => types.push(event.type));
    stream.on("response.function_call_arguments.delta", (event) => {
      given += event.delta;
      expect(event.snapshot).toBe(given);
    });
    const final = await stream.finalResponse();
    expect(given).toBe(callsOf(final)[0]?.arguments ?? "none");
    expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
    expect(types.at(-1)).toBe("response.completed");
  });

  test("carry the text piece by piece", async () => {
    const words = [chance.word(), chance.word(), chance.word()].join(" ");
    let text = "";
    const stream = client.responses.stream({ model: MODEL, input: `Repeat exactly: "${words}"` });
    for await (const event of stream) {
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    expect(text).toBe(words);
    expect((await stream.finalResponse()).output_text).toBe(words);
  });
});

describe.each(HOWS)(`chat completions, %s, seed ${chance.seed}`, (how) => {
  test("says what it is asked to say", async () => {
    const phrase = `${chance.word()} ${chance.word()}`;
    const message = await complete(how, {
      messages: [{ role: "user", content: `Reply with exactly "${phrase}".` }],
    });
    expect(message).toMatchObject({ role: "assistant", content: phrase });
  });

  test("calls an invented tool with arguments of its schema and uses the result", async () => {
    const tool = chance.tool();
    const tools = [chatTool(tool)];
    const messages: ChatCompletionMessageParam[] = [{ role: "user", content: tool.message }];
    const message = await complete(how, { messages, tools });
    const [call] = chatCallsOf(message);
    expect(call?.function.name).toBe(tool.name);
    const given = JSON.parse(call?.function.arguments ?? "");
    expect(tool.schema.strict().safeParse(given).error).toBeUndefined();
    expect(given[tool.property]).toBe(tool.value);
    const result = chance.name();
    messages.push(message, { role: "tool", tool_call_id: call?.id ?? "", content: result });
    const second = await complete(how, { messages, tools });
    expect(second.content).toContain(result);
  });

  test("calls one tool several times at once", async () => {
    const tool = chance.severalCalls();
    const message = await complete(how, {
      messages: [{ role: "user", content: tool.message }],
      tools: [chatTool(tool)],
    });
    const calls = chatCallsOf(message);
    const given = calls.map((call) => JSON.parse(call.function.arguments)[tool.property]);
    expect(given).toEqual([...tool.values]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
  });

  test("parses a zod schema", async () => {
    for (let i = 0; i < count(2, 5); i++) {
      const schema = chance.schema();
      const body = {
        model: MODEL,
        messages: [{ role: "user" as const, content: `Describe ${chance.name()}.` }],
        response_format: zodResponseFormat(schema, chance.identifier()),
      };
      const completion =
        how === "whole"
          ? await client.chat.completions.parse(body)
          : await client.chat.completions.stream(body).finalChatCompletion();
      const message = completion.choices[0]?.message;
      expect(schema.safeParse(message?.parsed).error).toBeUndefined();
      expect(JSON.parse(message?.content ?? "")).toEqual(message?.parsed);
    }
  });
});

describe(`chat completions, seed ${chance.seed}`, () => {
  test("runTools goes to the end by itself", async () => {
    const tool = chance.tool();
    const result = chance.name();
    const given: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model: MODEL,
      messages: [{ role: "user", content: tool.message }],
      tools: [
        zodFunction({
          name: tool.name,
          parameters: tool.schema,
          function: (value) => {
            given.push(value);
            return result;
          },
        }),
      ],
    });
    expect(await runner.finalContent()).toContain(result);
    expect(given).toHaveLength(1);
  });

  test("stream reports usage only to those who ask", async () => {
    const messages = [{ role: "user" as const, content: chance.word() }];
    const usages: unknown[] = [];
    for (const asked of [true, false]) {
      const stream = await client.chat.completions.create({
        model: MODEL,
        messages,
        stream: true,
        ...(asked ? { stream_options: { include_usage: true } } : {}),
      });
      const counted: unknown[] = [];
      for await (const chunk of stream) {
        expect(chunk.model).toBe(MODEL);
        if (chunk.usage) counted.push(chunk.usage);
      }
      usages.push(counted.length);
    }
    expect(usages).toEqual([1, 0]);
  });

  test("n gives as many choices", async () => {
    const messages = [{ role: "user" as const, content: chance.word() }];
    const completion = await client.chat.completions.create({ model: MODEL, messages, n: 3 });
    expect(completion.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
  });
});

describe(`embeddings on a fresh installation, seed ${chance.seed}`, () => {
  const model = "sandbox-embedding-1.0";
  const nearness = (left: readonly number[], right: readonly number[]): number =>
    left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

  test("lie the nearer to each other, the more their texts have in common", async () => {
    const [boat, harbour, bread] = [chance.word(), chance.word(), chance.word()];
    const input = [
      `The ${boat} sails from the harbour of ${harbour} in the morning.`,
      `In the morning a ${boat} left the ${harbour} harbour`,
      `Knead the dough of ${bread} and bake it.`,
    ];
    const { data, usage } = await client.embeddings.create({ model, input });
    const [first = [], second = [], third = []] = data.map(({ embedding }) => embedding);
    expect(nearness(first, first)).toBeCloseTo(1, 4);
    expect(nearness(first, second)).toBeGreaterThan(nearness(first, third) + 0.2);
    expect(usage.prompt_tokens).toBeGreaterThan(20);
  });

  test("are as long as asked, and the same as floats and in base64", async () => {
    const input = `A text about ${chance.name()}`;
    for (const dimensions of [8, 512]) {
      const body = { model, input, dimensions };
      const floats = await client.embeddings.create({ ...body, encoding_format: "float" });
      const decoded = await client.embeddings.create(body);
      const [given = [], again = []] = [floats, decoded].map(({ data }) => data[0]?.embedding);
      expect(given).toHaveLength(dimensions);
      expect(again).toHaveLength(dimensions);
      for (const [index, value] of given.entries()) expect(again[index]).toBeCloseTo(value, 5);
    }
  });
});
