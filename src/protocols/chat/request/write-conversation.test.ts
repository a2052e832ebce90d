import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Conversation, Item, Part } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import type { Dialect, UpstreamOptions } from "../../wire.ts";
import { chatWire } from "../wire.ts";

const wire = chatWire(readConfig({}).limits);
const OPENAI: Dialect = { developerRole: true, customTools: true };
const OPTIONS: UpstreamOptions = { ...UPSTREAM_OPTIONS, model: "vendor-name", dialect: OPENAI };
const text = (said: string): Part => ({ type: "text", text: said });
const user = (...parts: Part[]): Item => ({ type: "message", role: "user", parts });
const assistant = (...parts: Part[]): Item => ({ type: "message", role: "assistant", parts });
const call = (callId: string, more = {}): Item => ({
  ...{ type: "call", callId, name: "f", custom: false, arguments: `{"of":"${callId}"}` },
  ...more,
});
const result = (callId: string, ...parts: Part[]): Item => ({
  ...{ type: "result", callId, custom: false, parts },
});
const BASE: Conversation = {
  items: [user(text("hi"))],
  tools: [],
  stop: [],
  choices: 1,
  stream: false,
  lost: [],
};

function write(conversation: Partial<Conversation>, options: Partial<UpstreamOptions> = {}) {
  const written = wire.writeConversation({ ...BASE, ...conversation }, { ...OPTIONS, ...options });
  return { body: JSON.parse(written.text), dropped: written.dropped };
}

const messages = (items: Item[], dialect: Dialect = OPENAI) =>
  write({ items }, { dialect }).body.messages;
const sentCall = (id: string) => ({
  id,
  type: "function",
  function: { name: "f", arguments: `{"of":"${id}"}` },
});
const calling = (...ids: string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map(sentCall),
});
const returned = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });

describe("what is said", () => {
  test("a plain question is a plain body", () => {
    expect(write({}).body).toEqual({
      model: "vendor-name",
      messages: [{ role: "user", content: "hi" }],
    });
  });

  test("instructions come first, other words of the system where they stood", () => {
    const later: Item = { type: "message", role: "developer", parts: [text("a"), text("b")] };
    const items = [user(text("hi")), later];
    const said = (dialect: Dialect) =>
      write({ instructions: "be", items }, { dialect }).body.messages;
    expect(said(OPENAI)).toEqual([
      { role: "system", content: "be" },
      { role: "user", content: "hi" },
      { role: "developer", content: "a\n\nb" },
    ]);
    expect(said({})[2].role).toBe("system");
  });

  test("images and files go as parts", () => {
    const pdf = "data:application/pdf;base64,AA==";
    const parts: Part[] = [
      text("see"),
      { type: "image", url: "https://a.test/b.png", detail: "original" },
      { type: "image", url: "data:image/png;base64,AA==" },
      { type: "file", url: pdf, name: "a.pdf" },
    ];
    expect(messages([user(...parts)])[0].content).toEqual([
      { type: "text", text: "see" },
      { type: "image_url", image_url: { url: "https://a.test/b.png", detail: "high" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
      { type: "file", file: { filename: "a.pdf", file_data: pdf } },
    ]);
  });

  test("a file by its address is refused: leaving it out would change the question", () => {
    const items = [user({ type: "file", url: "https://a.test/b.pdf" })];
    expect(() => write({ items })).toThrow(Fault);
  });

  test("a refusal has its own member at OpenAI and is text elsewhere", () => {
    const items = [user(text("hi")), assistant({ type: "refusal", text: "no" })];
    const said = { role: "assistant", content: null, refusal: "no" };
    expect(messages(items)[1]).toEqual(said);
    expect(messages(items, {})[1]).toEqual({ role: "assistant", content: "no" });
  });

  test("items of another wire are left out by name, searches without a word", () => {
    const items: Item[] = [
      { type: "foreign", raw: { type: "computer_call" } },
      { type: "search", status: "completed" },
      user(text("hi")),
    ];
    const { body, dropped } = write({ items });
    expect(body.messages).toHaveLength(1);
    expect(dropped).toEqual(["input.computer_call"]);
  });
});

describe("what is called", () => {
  test("calls in a row join the message before them, results follow in the order of the calls", () => {
    const items = [
      user(text("hi")),
      assistant(text("so")),
      call("c1"),
      call("c2"),
      result("c2", text("two")),
      result("c1", text("one"), text("more")),
      user(text("go on")),
    ];
    expect(messages(items)).toEqual([
      { role: "user", content: "hi" },
      { ...calling("c1", "c2"), content: "so" },
      returned("c1", "one\nmore"),
      returned("c2", "two"),
      { role: "user", content: "go on" },
    ]);
  });

  test("a result that comes late is brought behind its call", () => {
    const items = [call("c1"), user(text("wait")), result("c1", text("one"))];
    expect(messages(items)).toEqual([
      calling("c1"),
      returned("c1", "one"),
      { role: "user", content: "wait" },
    ]);
  });

  test("calls with results between them are turns of their own, repeated ids included", () => {
    const items = [
      call("c1"),
      result("c1", text("one")),
      call("c1"),
      result("c1", text("two")),
      assistant(text("so")),
    ];
    expect(messages(items)).toEqual([
      calling("c1"),
      returned("c1", "one"),
      calling("c1"),
      returned("c1", "two"),
      { role: "assistant", content: "so" },
    ]);
  });

  test("a call without a result gets one that says so", () => {
    const [, , third] = messages([user(text("hi")), call("c1")]);
    expect(third).toMatchObject({ role: "tool", tool_call_id: "c1" });
    expect(third.content).toContain("aborted");
  });

  test("a result without a call is told by the user", () => {
    expect(messages([result("c9", text("r"))])).toEqual([
      { role: "user", content: "Result of the tool call c9:\nr" },
    ]);
  });

  test("no arguments are an empty object", () => {
    const [first] = messages([call("c1", { arguments: "" })]);
    expect(first.tool_calls[0].function.arguments).toBe("{}");
  });

  test("images that a tool returned go where the vendor takes them", () => {
    const image: Part = { type: "image", url: "data:image/png;base64,AA==" };
    const sent = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const items = [
      ...[call("c1"), call("c2")],
      ...[result("c1", text("one"), image), result("c2", image)],
    ];
    const moved = messages(items);
    expect(moved.map(({ role }: { role: string }) => role)).toEqual([
      ...["assistant", "tool", "tool", "user"],
    ]);
    expect(moved[1].content).toBe("one");
    expect(moved[2].content).not.toBe("");
    expect(moved[3].content).toEqual([sent, sent]);
    const kept = messages(items, { imagesInResults: true });
    expect(kept).toHaveLength(3);
    expect(kept[1].content).toEqual([{ type: "text", text: "one" }, sent]);
  });
});

describe("what was thought", () => {
  const thought: Item = { type: "reasoning", summary: ["a", "b"] };
  const items = [user(text("hi")), thought, assistant(text("so")), call("c1"), result("c1")];

  test("is left out by name where the vendor takes none", () => {
    const { body, dropped } = write({ items });
    expect(JSON.stringify(body)).not.toContain("reasoning");
    expect(dropped).toEqual(["reasoning"]);
    const empty: Item = { type: "reasoning", summary: [] };
    expect(write({ items: [empty, assistant(text("so"))] }).dropped).toEqual([]);
  });

  test("is left out by name where nothing of it can go back, or no turn follows it", () => {
    const dialect: Dialect = { reasoningBack: true };
    const dropped = (...given: Item[]) => write({ items: given }, { dialect }).dropped;
    const closed: Item = {
      type: "reasoning",
      summary: [],
      sealed: seal("responses", { encrypted_content: "gAA" }),
    };
    expect(dropped(closed, call("c1"), result("c1"))).toEqual(["reasoning"]);
    expect(dropped(thought, user(text("hi")))).toEqual(["reasoning"]);
    expect(dropped(...items)).toEqual([]);
    const signed: Item = { ...closed, sealed: seal("gemini", { signature: "g", call: "c1" }) };
    expect(dropped(signed, call("c1"), result("c1"))).toEqual([]);
    const own: Item = { ...closed, sealed: seal("chat", { details: [{ type: "x" }] }) };
    expect(dropped(own, call("c1"), result("c1"))).toEqual([]);
  });

  test("goes back to a vendor that wants it", () => {
    const back: Dialect = { reasoningBack: true };
    expect(messages(items, back)[1].reasoning_content).toBe("a\n\nb");
    const shown: Item = { type: "reasoning", summary: ["a"], text: "all of it" };
    expect(messages([shown, call("c1")], back)[0].reasoning_content).toBe("all of it");
    const between = messages([shown, call("c1"), thought, call("c2")], back);
    expect(between[0].reasoning_content).toBe("all of it\n\na\n\nb");
    expect(between[0].tool_calls).toHaveLength(2);
  });

  test("is never missing on a turn with calls, which such a vendor would refuse", () => {
    const back: Dialect = { reasoningBack: true };
    expect(messages([call("c1")], back)[0].reasoning_content).toBe(" ");
    expect(messages([assistant(text("so"))], back)[0]).not.toHaveProperty("reasoning_content");
    const late = messages([call("c1"), thought, call("c2")], back);
    expect(late[0].reasoning_content).toBe("a\n\nb");
  });

  test("brings back the state that this wire's vendors gave out", () => {
    const details = [{ type: "reasoning.text", text: "hm", signature: "s" }];
    const sealed = seal("chat", { details });
    const signed = seal("gemini", { signature: "g", call: "c1" });
    const state: Item[] = [
      { type: "reasoning", summary: [], text: "hm", sealed },
      { type: "reasoning", summary: [], sealed: signed },
      call("c1"),
    ];
    const [turn] = messages(state, { reasoningBack: true });
    expect(turn.reasoning_details).toEqual(details);
    expect(turn.tool_calls[0].extra_content).toEqual({ google: { thought_signature: "g" } });
    expect(messages(state)[0].tool_calls[0]).not.toHaveProperty("extra_content");
  });
});

describe("everything else", () => {
  test("has OpenAI's names", () => {
    const { body, dropped } = write({
      ...{ maxOutput: 5, temperature: 0, topP: 0.5, presencePenalty: 1, frequencyPenalty: -1 },
      ...{ topK: 3, seed: 4, stop: ["a"], choices: 2, effort: "high", verbosity: "low" },
      ...{ topLogprobs: 0, user: "u", cacheKey: "k", stream: true, summary: "auto" },
    });
    const { model: _, messages: __, ...rest } = body;
    expect(rest).toEqual({
      ...{ max_completion_tokens: 5, temperature: 0, top_p: 0.5, presence_penalty: 1 },
      ...{ frequency_penalty: -1, seed: 4, stop: ["a"], n: 2, reasoning_effort: "high" },
      ...{ verbosity: "low", logprobs: true, user: "u", prompt_cache_key: "k", stream: true },
      stream_options: { include_usage: true },
    });
    expect(dropped).toEqual(["top_k"]);
  });

  test.each([
    [{ maxOutput: 5 }, undefined, 5],
    [{ maxOutput: 5_000 }, undefined, 1_000],
    [{ maxOutput: 50 }, 20, 20],
    [{}, 20, 20],
    [{}, undefined, undefined],
  ])("output of %p under the clamp %p is %p", (conversation, outputClamp, sent) => {
    const dialect: Dialect = { maxTokensName: "max_tokens" };
    expect(write(conversation, { outputClamp, dialect }).body.max_tokens).toBe(sent);
    expect(write(conversation, { outputClamp }).body.max_completion_tokens).toBe(sent);
  });

  test.each([
    [0, "none"],
    [1_024, "low"],
    [1_025, "medium"],
    [8_192, "medium"],
    [8_193, "high"],
    [-1, undefined],
  ])("a budget of %p tokens is the effort %p", (thinkingBudget, effort) => {
    expect(write({ thinkingBudget }).body.reasoning_effort).toBe(effort);
  });

  test.each([
    ["none", []],
    ["high", ["reasoning_effort"]],
  ])("a model that never thinks is not told the effort %p", (effort, named) => {
    const { body, dropped } = write({ effort }, { rules: ["never_thinks"] });
    expect([body.reasoning_effort, dropped]).toEqual([undefined, named]);
  });

  test("an effort that the model does not have becomes the nearest, by name", () => {
    const rules: UpstreamOptions["rules"] = ["no_effort_max"];
    const { body, dropped } = write({ effort: "max" }, { rules });
    expect([body.reasoning_effort, dropped]).toEqual(["xhigh", ["reasoning_effort"]]);
    expect(write({ effort: "max" }).body.reasoning_effort).toBe("max");
    const refused = write({ effort: "max" }, { rules, dialect: { refuses: ["reasoning_effort"] } });
    expect([refused.body.reasoning_effort, refused.dropped]).toEqual([
      ...[undefined, ["reasoning_effort"]],
    ]);
  });

  test("a schema goes nested, or as JSON with instructions", () => {
    const format = {
      type: "json_schema",
      name: "n",
      schema: { type: "object" },
      strict: true,
    } as const;
    const { type: _, ...json_schema } = format;
    expect(write({ format }, { dialect: {} }).body.response_format).toEqual({
      type: "json_schema",
      json_schema,
    });
    const dialect: Dialect = { jsonSchema: false };
    const { body, dropped } = write({ instructions: "be", format }, { dialect });
    expect(body.response_format).toEqual({ type: "json_object" });
    expect(dropped).toEqual(["response_format.json_schema"]);
    expect(body.messages[0].content).toStartWith("be\n\n");
    expect(body.messages[0].content).toEndWith(JSON.stringify(format.schema));
    expect(write({ format: { type: "json_object" } }, { dialect }).dropped).toEqual([]);
  });

  test("what vendor or model refuses is left out by name", () => {
    const dialect: Dialect = { refuses: ["seed", "stream_options", "verbosity", "tools"] };
    const { body, dropped } = write(
      {
        ...{ seed: 1, stream: true, temperature: 1, topP: 1, toolChoice: { mode: "auto" } },
        tools: [{ type: "function", name: "f" }],
      },
      { dialect, rules: ["no_sampling"] },
    );
    expect(Object.keys(body)).toEqual(["model", "messages", "stream"]);
    expect(dropped).toEqual(["seed", "tools", "temperature", "top_p"]);
  });
});
