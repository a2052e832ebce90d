import { describe, expect, spyOn, test } from "bun:test";
import { MODELS } from "../../fixtures/models.ts";
import { PLAYGROUND_FIXTURES } from "../../fixtures/playground.ts";
import { type Endpoint, NO_ANSWER, readEvent } from "./answer.ts";
import { bodyOf, type Call, stream } from "./call.ts";
import { costOf, guessTokens, ratesAt } from "./estimate.ts";
import { SseReader } from "./sse.ts";
import { turnCost } from "./turn-cost.ts";

const CHAT = "/api/accounts/:account/playground/chat/completions";

const read = (endpoint: Endpoint, ...events: readonly unknown[]) =>
  events.reduce<typeof NO_ANSWER>(
    (answer, event) =>
      readEvent(answer, endpoint, typeof event === "string" ? event : JSON.stringify(event)),
    NO_ANSWER,
  );

describe("server-sent events", () => {
  test("are whole wherever the pieces end", () => {
    const text = 'event: a\r\ndata: {"n":1}\r\n\r\n: ping\n\ndata:{"n":2}\n\ndata: [DONE]\n\n';
    for (let cut = 0; cut <= text.length; cut++) {
      const reader = new SseReader();
      const found = [...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))];
      expect(found).toEqual(['{"n":1}', '{"n":2}', "[DONE]"]);
    }
  });
});

describe("a refusal", () => {
  const call: Call = {
    account: "/api/accounts/acct_1",
    endpoint: "chat",
    model: "m",
    instructions: "",
    temperature: undefined,
    maxOutput: undefined,
    before: [],
    prompt: "Hello",
  };

  test("for money is told with what helps", async () => {
    const answer = PLAYGROUND_FIXTURES[`POST ${CHAT}`]?.({} as never) as Response;
    const fetched = spyOn(globalThis, "fetch").mockImplementation((async () => answer) as never);
    try {
      const { signal } = new AbortController();
      const refused = stream(call, signal, { onStart() {}, onAnswer() {} });
      const { message } = await refused.then(
        () => new Error("it was answered"),
        (thrown: Error) => thrown,
      );
      expect(message).toBe(
        "Budget has been exceeded! Current cost: 50.01, Max budget: 50.0. Raise the key's monthly budget.",
      );
    } finally {
      fetched.mockRestore();
    }
  });
});

describe("an answer", () => {
  test("grows out of the events of responses", () => {
    const usage = {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 3,
      cost: 0.000024,
      cost_exact: "0.000024",
    };
    const answer = read(
      "responses",
      { type: "response.created", response: { id: "resp_1" } },
      { type: "response.reasoning_summary_text.delta", delta: "hm" },
      { type: "response.output_text.delta", delta: "Hel" },
      { type: "response.output_text.delta", delta: "lo" },
      { type: "response.completed", response: { usage } },
    );
    expect(answer).toEqual({
      text: "Hello",
      reasoning: "hm",
      usage: { input: 12, cached: 4, output: 3, cost: "0.000024" },
      failure: undefined,
    });
  });

  test("grows out of the chunks of chat", () => {
    const answer = read(
      "chat",
      { choices: [{ delta: { role: "assistant", content: "" } }] },
      { choices: [{ delta: { content: "你" } }] },
      { choices: [{ delta: { content: "好" } }] },
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
      "[DONE]",
    );
    expect(answer.text).toBe("你好");
    expect(answer.usage).toEqual({ input: 5, cached: 0, output: 2, cost: undefined });
  });

  test("keeps what came before a failure, and does not mind what is no JSON", () => {
    const failed = { type: "response.failed", response: { error: { message: "Vendor down." } } };
    const delta = { type: "response.output_text.delta", delta: "Hel" };
    expect(read("responses", delta, "{broken", failed)).toMatchObject({
      text: "Hel",
      failure: "Vendor down.",
    });
    expect(read("chat", { error: { message: "Too long." } }).failure).toBe("Too long.");
    expect(read("responses", { type: "error", message: "Gone." }).failure).toBe("Gone.");
  });
});

describe("the body of a call", () => {
  const call: Call = {
    account: "/api/accounts/acct_1",
    endpoint: "responses",
    model: "m-1",
    instructions: " Be brief. ",
    temperature: 0,
    maxOutput: 100,
    before: [{ prompt: "Hi", answer: "Hello" }],
    prompt: "And?",
  };
  const said = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "And?" },
  ];

  test("has the members of its endpoint", () => {
    expect(bodyOf(call)).toEqual({
      model: "m-1",
      input: said,
      instructions: "Be brief.",
      temperature: 0,
      max_output_tokens: 100,
      stream: true,
      store: false,
    });
    expect(bodyOf({ ...call, endpoint: "chat" })).toEqual({
      model: "m-1",
      messages: [{ role: "system", content: "Be brief." }, ...said],
      temperature: 0,
      max_completion_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("leaves out what was not wished", () => {
    const plain = bodyOf({
      ...{ ...call, instructions: " ", before: [] },
      ...{ temperature: undefined, maxOutput: undefined },
    });
    expect(Object.keys(plain)).toEqual(["model", "input", "stream", "store"]);
  });
});

describe("the cost of a turn", () => {
  const find = (id: string) => MODELS.find((model) => model.id === id)?.price;
  const price = find("gpt-5.6");
  const turn = { prompt: "a".repeat(400), answer: NO_ANSWER, receipt: undefined } as const;
  const sizes = { sent: "", nowMs: Date.parse("2026-11-15T09:30:00Z") };

  test("counts Chinese characters one by one and Latin ones by four", () => {
    expect(guessTokens("")).toBe(0);
    expect(guessTokens("你好，世界")).toBe(5);
    expect(guessTokens("abcde")).toBe(2);
  });

  test("is exact for its counts, and dearer for long prompts", () => {
    if (!price) throw new Error("no price");
    const { nowMs } = sizes;
    expect(costOf(ratesAt(price, 100, nowMs), { input: 100, output: 10 })).toBe("0.0008");
    expect(ratesAt(price, 300_000, nowMs).input).toBe("10");
  });

  test("goes by the hour where the price does", () => {
    const hourly = find("deepseek-v4-pro");
    if (!hourly) throw new Error("no price");
    const at = (time: string) => ratesAt(hourly, 1, Date.parse(time)).input;
    expect(at("2026-11-16T02:00:00Z")).not.toBe(at("2026-11-16T12:00:00Z"));
  });

  test("is guessed, then reported, then read from the receipt", () => {
    const guess = turnCost({ ...turn, state: "running" }, price, sizes);
    expect(guess).toMatchObject({ input: 100, output: 0, cost: "0.0005", source: "estimated" });
    const usage = { input: 90, cached: 0, output: 9, cost: "0.00072" };
    const answer = { ...NO_ANSWER, text: "x", usage };
    const reported = turnCost({ ...turn, answer, state: "done" }, price, sizes);
    expect(reported).toEqual({ ...usage, source: "reported" });
    const receipt = {
      id: "req_1",
      ...{ cost: "0.00073", input: 91, cached: 1, output: 9 },
    };
    expect(turnCost({ ...turn, answer, receipt, state: "done" }, price, sizes)).toEqual({
      input: 91,
      cached: 1,
      output: 9,
      cost: "0.00073",
      source: "receipt",
    });
  });

  test("is nothing to speak of for a refusal", () => {
    const refused = turnCost({ ...turn, state: "failed" }, price, sizes);
    expect(refused).toMatchObject({ input: 0, output: 0, cost: undefined });
  });
});
