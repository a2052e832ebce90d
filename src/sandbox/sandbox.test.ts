import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { createSandbox } from "./sandbox.ts";

const vendor = createSandbox();
let server: ReturnType<typeof Bun.serve>;
let client: OpenAI;

beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: vendor });
  client = new OpenAI({ baseURL: `${server.url}v1`, apiKey: "any", maxRetries: 0 });
});

afterAll(async () => {
  await server.stop(true);
});

const model = "sandbox-1.0";
const EMBEDDER = "sandbox-embedding-1.0";
const Ship = z.object({
  ship: z.string(),
  crew: z.array(z.object({ rank: z.enum(["mate", "cook"]), years: z.number().int().min(3) })),
  port: z.string().nullable(),
});
const berthTool = {
  type: "function" as const,
  name: "reserve_berth",
  description: "Reserves a berth in a harbour.",
  strict: true,
  parameters: {
    type: "object",
    properties: { harbour: { type: "string" }, nights: { type: "integer", minimum: 2 } },
    required: ["harbour", "nights"],
    additionalProperties: false,
  },
};

describe("the responses wire, read by the OpenAI SDK", () => {
  test("a plain answer and a streamed one say the same", async () => {
    const input = "How are the tides today?";
    const whole = await client.responses.create({ model, input });
    const streamed = await client.responses.stream({ model, input }).finalResponse();
    expect(whole.output_text).toContain("tides");
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.usage?.total_tokens).toBe(whole.usage?.total_tokens ?? 0);
    expect(whole.usage?.output_tokens).toBeGreaterThan(3);
  });

  test("a schema is parsed, streamed and not", async () => {
    const format = zodTextFormat(Ship, "ship");
    const request = { model, input: 'The ship is "Aurora".', text: { format } };
    const parsed = await client.responses.parse(request);
    expect(parsed.output_parsed?.ship).toBe("Aurora");
    const streamed = await client.responses.stream(request).finalResponse();
    expect(streamed.output_parsed).toEqual(parsed.output_parsed);
  });

  test("a tool call goes out and its result comes back in words", async () => {
    const input = "Please reserve a berth in Narvik for 4 nights";
    const first = await client.responses
      .stream({ model, input, tools: [berthTool] })
      .finalResponse();
    const call = first.output[0];
    if (call?.type !== "function_call") throw new Error(`no call but ${call?.type}`);
    expect(JSON.parse(call.arguments)).toEqual({ harbour: "Narvik", nights: 4 });
    const second = await client.responses.create({
      model,
      tools: [berthTool],
      input: [
        { role: "user", content: input },
        call,
        { type: "function_call_output", call_id: call.call_id, output: "berth 12 is yours" },
      ],
    });
    expect(second.output_text).toContain("berth 12 is yours");
  });

  test("reasoning comes first and is counted inside the output", async () => {
    const response = await client.responses
      .stream({
        model,
        input: "Think about ropes",
        reasoning: { effort: "high" },
        include: ["reasoning.encrypted_content"],
      })
      .finalResponse();
    expect(response.output.map((item) => item.type)).toEqual(["reasoning", "message"]);
    const usage = response.usage;
    expect(usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    expect(usage?.output_tokens).toBeGreaterThan(
      usage?.output_tokens_details.reasoning_tokens ?? 0,
    );
    const [reasoning] = response.output;
    expect(reasoning?.type === "reasoning" && reasoning.encrypted_content).toBeString();
  });

  test("a web search is done before the answer, which cites it", async () => {
    const response = await client.responses
      .stream({ model, input: "What is the latest news?", tools: [{ type: "web_search" }] })
      .finalResponse();
    expect(response.output[0]).toMatchObject({ type: "web_search_call", status: "completed" });
    const message = response.output[1];
    const part = message?.type === "message" ? message.content[0] : undefined;
    if (part?.type !== "output_text") throw new Error("no text");
    const [note] = part.annotations;
    if (note?.type !== "url_citation") throw new Error("no citation");
    expect(part.text.slice(note.start_index, note.end_index)).toContain(note.url);
  });

  test("a token limit from one up leaves the answer incomplete", async () => {
    for (const limit of [1, 2, 5]) {
      const response = await client.responses
        .stream({ model, input: "Write 100 words.", max_output_tokens: limit })
        .finalResponse();
      expect(response.status).toBe("incomplete");
      expect(response.incomplete_details?.reason).toBe("max_output_tokens");
      expect(response.output[0]).toMatchObject({ type: "message", status: "incomplete" });
      expect(response.usage?.output_tokens).toBe(limit);
    }
  });

  test("log probabilities cover the whole text", async () => {
    const response = await client.responses.create({ model, input: "Hm", top_logprobs: 2 });
    const [item] = response.output;
    const part = item?.type === "message" ? item.content[0] : undefined;
    if (part?.type !== "output_text") throw new Error("no text");
    expect(part.logprobs?.map((entry) => entry.token).join("")).toBe(part.text);
    expect(part.logprobs?.[0]?.top_logprobs).toHaveLength(2);
  });
});

describe("the chat wire, read by the OpenAI SDK", () => {
  const messages = [{ role: "user" as const, content: 'The ship is "Aurora".' }];

  test("a plain answer and a streamed one say the same, usage included", async () => {
    const whole = await client.chat.completions.create({ model, messages });
    const stream = client.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    });
    expect(await stream.finalContent()).toBe(whole.choices[0]?.message.content ?? "");
    expect(await stream.totalUsage()).toMatchObject({ ...whole.usage });
    expect(whole.choices[0]?.finish_reason).toBe("stop");
  });

  test("a schema is parsed, streamed and not", async () => {
    const request = { model, messages, response_format: zodResponseFormat(Ship, "ship") };
    const parsed = await client.chat.completions.parse(request);
    expect(parsed.choices[0]?.message.parsed?.ship).toBe("Aurora");
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(parsed.choices[0]?.message.parsed ?? null);
  });

  test("parallel tool calls stream by index", async () => {
    const { name, description, parameters } = berthTool;
    const completion = await client.chat.completions
      .stream({
        model: "lantern-2.1",
        messages: [{ role: "user", content: "Reserve a berth in Oslo and Kiel" }],
        tools: [{ type: "function", function: { name, description, parameters } }],
      })
      .finalChatCompletion();
    const [choice] = completion.choices;
    const places = choice?.message.tool_calls?.map((call) =>
      call.type === "function" ? JSON.parse(call.function.arguments).harbour : null,
    );
    expect(places).toEqual(["Oslo", "Kiel"]);
    expect(choice?.finish_reason).toBe("tool_calls");
  });

  test("n, stop, logprobs and the token limit are obeyed", async () => {
    const count = [{ role: "user" as const, content: "Count from 1 to 9" }];
    const many = await client.chat.completions.create({ model, messages: count, n: 3, stop: "5" });
    expect(many.choices.map((choice) => choice.message.content)).toEqual(
      Array(3).fill("1, 2, 3, 4, "),
    );
    const short = await client.chat.completions.create({
      model,
      messages: count,
      max_completion_tokens: 1,
      logprobs: true,
      top_logprobs: 3,
    });
    expect(short.choices[0]).toMatchObject({ finish_reason: "length", message: { content: "1" } });
    expect(short.choices[0]?.logprobs?.content?.[0]?.top_logprobs).toHaveLength(3);
    expect(short.usage?.completion_tokens).toBe(1);
  });

  test("a picture is described", async () => {
    const url = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
    const completion = await client.chat.completions.create({
      model,
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
    });
    expect(completion.choices[0]?.message.content).toContain("image/png of 1×1 pixels");
  });
});

describe("embeddings, read by the OpenAI SDK", () => {
  const embed = (input: string | string[] | number[] | number[][]) =>
    client.embeddings.create({ model: EMBEDDER, input });
  const vectors = async (...texts: string[]) =>
    (await embed(texts)).data.map(({ embedding }) => embedding);
  const nearness = (left: readonly number[] = [], right: readonly number[] = []): number =>
    left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

  test("are the same for the same text, and near for a text that is alike", async () => {
    const [first, again, alike, other] = await vectors(
      "Gulls circle over the harbour at dawn",
      "Gulls circle over the harbour at dawn",
      "At dawn a gull circled the harbour",
      "Invoices are due within thirty days",
    );
    expect(first).toEqual(again ?? []);
    expect(nearness(first, alike)).toBeGreaterThan(0.5);
    expect(nearness(first, other)).toBeLessThan(0.3);
    const [rain, wet, tax] = await vectors("明天会下雨吗", "明天上海下雨", "公司税务报表");
    expect(nearness(rain, wet)).toBeGreaterThan(nearness(rain, tax) + 0.1);
  });

  test("have length one, whatever the text", async () => {
    for (const vector of await vectors("!", "a", "word ".repeat(5_000))) {
      expect(vector).toHaveLength(256);
      expect(nearness(vector, vector)).toBeCloseTo(1, 4);
    }
  });

  test("of tokens count them", async () => {
    expect((await embed([7, 8, 9])).usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
    const { data, usage } = await embed([[7, 8], [9]]);
    expect(data.map(({ index }) => index)).toEqual([0, 1]);
    expect(usage.total_tokens).toBe(3);
  });

  test("fail as they are asked to", async () => {
    const body = { model: EMBEDDER, input: "x" };
    expect((await post("/embeddings", body, "http_500")).status).toBe(500);
    expect(await (await post("/embeddings", body, "no_usage")).json()).not.toContainKey("usage");
    const cut = await (await post("/embeddings", body, "cut_after=1")).text();
    expect(() => JSON.parse(cut)).toThrow();
  });
});

function post(path: string, body: unknown, fault = "", signal?: AbortSignal): Promise<Response> {
  return vendor(
    new Request(`http://sandbox.invalid/v1${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "x-sandbox-fault": fault },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

describe("requests that cannot be answered", () => {
  const cases: [string, string, unknown, number, string | null][] = [
    ["broken JSON", "/responses", "{", 400, null],
    ["no object", "/responses", "[]", 400, null],
    ["no model", "/responses", { input: "x" }, 400, "model"],
    ["an unknown model", "/responses", { model: "x", input: "x" }, 404, "model"],
    ["a chat model elsewhere", "/responses", { model: "lantern-2.1", input: "x" }, 400, "model"],
    ["no input", "/responses", { model }, 400, "input"],
    ["empty input", "/responses", { model, input: [] }, 400, "input"],
    ["heat", "/responses", { model, input: "x", temperature: 2.1 }, 400, "temperature"],
    [
      "no tokens",
      "/responses",
      { model, input: "x", max_output_tokens: 0 },
      400,
      "max_output_tokens",
    ],
    ["a strange role", "/responses", { model, input: [{ role: "x" }] }, 400, "input[0].role"],
    ["no messages", "/chat/completions", { model }, 400, "messages"],
    [
      "nine choices",
      "/chat/completions",
      { model, messages: [{ role: "user", content: "x" }], n: 9 },
      400,
      "n",
    ],
    ["an unknown path", "/moderations", {}, 404, null],
    ["embeddings by a model that talks", "/embeddings", { model, input: "x" }, 400, "model"],
    ["nothing to embed", "/embeddings", { model: EMBEDDER, input: [] }, 400, "input"],
    [
      "a text that is too long to embed",
      "/embeddings",
      { model: EMBEDDER, input: ["x", "word ".repeat(9_000)] },
      400,
      "input",
    ],
    [
      "a vector that is too long",
      "/embeddings",
      { model: EMBEDDER, input: "x", dimensions: 513 },
      400,
      "dimensions",
    ],
    [
      "an unnamed tool",
      "/responses",
      { model, input: "x", tools: [{ type: "function" }] },
      400,
      "tools[0].name",
    ],
    [
      "a missing tool",
      "/responses",
      { model, input: "x", tool_choice: { type: "function", name: "x" } },
      400,
      "tool_choice",
    ],
  ];
  for (const [title, path, body, status, param] of cases) {
    test(`${title} is refused in the vendor's words`, async () => {
      const response = await post(path, body);
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ type: "invalid_request_error", param });
      expect(error.message).toBeString();
    });
  }
});

describe("scripted faults", () => {
  const body = { model, input: "Tell me about knots" };
  const streamed = { ...body, stream: true };

  test("errors come with their status, a busy one with a time to wait", async () => {
    expect((await post("/responses", body, "http_500")).status).toBe(500);
    const busy = await post("/responses", body, "http_429");
    expect(busy.status).toBe(429);
    expect(busy.headers.get("retry-after")).toBe("1");
    await expect(post("/responses", body, "reset")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await post("/responses", body, "nonsense")).status).toBe(400);
  });

  test("a stream is cut after so many events, a body in the middle", async () => {
    const text = await (await post("/responses", streamed, "cut_after=4")).text();
    expect(text.split("\n\n").filter((event) => event !== "")).toHaveLength(4);
    expect(text).not.toContain("[DONE]");
    const broken = await (await post("/responses", body, "cut_after=1")).text();
    expect(() => JSON.parse(broken)).toThrow();
  });

  test("usage is left out", async () => {
    expect(await (await post("/responses", body, "no_usage")).json()).toMatchObject({
      usage: null,
    });
    const messages = [{ role: "user", content: "x" }];
    const chat = { model, messages, stream: true, stream_options: { include_usage: true } };
    expect(await (await post("/chat/completions", chat, "no_usage")).text()).not.toContain(
      "tokens",
    );
  });

  test("a stall lasts until the caller gives up", async () => {
    const controller = new AbortController();
    const whole = post("/responses", body, "stall", controller.signal);
    const headers = await post("/responses", streamed, "stall", controller.signal);
    const outcomes = Promise.allSettled([whole, headers.text()]);
    const reason = new Error("gave up");
    controller.abort(reason);
    expect(await outcomes).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
  });
});
