import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Conversation, Item, Tool } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { FREE_TEXT_PARAMETERS } from "../../translation/tool-names.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { messagesWire } from "../wire.ts";

const wire = messagesWire(readConfig({}).limits);
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "claude-vendor",
  keepReasoning: true,
  maxOutput: 64_000,
  webSearch: true,
};

const user = (text: string): Item => ({
  type: "message",
  role: "user",
  parts: [{ type: "text", text }],
});
const assistant = (text: string): Item => ({
  type: "message",
  role: "assistant",
  parts: [{ type: "text", text }],
});
const system = (text: string): Item => ({
  type: "message",
  role: "developer",
  parts: [{ type: "text", text }],
});
const call = (callId: string, args = "{}"): Item => ({
  type: "call",
  callId,
  name: "f",
  custom: false,
  arguments: args,
});
const result = (callId: string, text: string): Item => ({
  type: "result",
  callId,
  custom: false,
  parts: [{ type: "text", text }],
});
const thought = (origin: "messages" | "gemini"): Item => ({
  type: "reasoning",
  summary: ["hm"],
  sealed: seal(origin, { thinking: "hm", signature: "sig" }),
});

function write(change: Partial<Conversation>, options: Partial<UpstreamOptions> = {}) {
  const conversation: Conversation = {
    items: [user("hi")],
    tools: [],
    stop: [],
    choices: 1,
    stream: false,
    lost: [],
    ...change,
  };
  const written = wire.writeConversation(conversation, { ...OPTIONS, ...options });
  return { body: JSON.parse(written.text), dropped: written.dropped };
}

const turns = (...items: Item[]) => write({ items }).body.messages;
const TOOL = {
  type: "function",
  name: "f",
  parameters: { type: "object", properties: {} },
} as const;

describe("the turns for a Messages vendor", () => {
  test("begin with the system, whose later words are the user's", () => {
    const { body } = write({ instructions: "A", items: [system("B"), user("x"), system("C")] });
    expect(body.system).toBe("A\n\nB");
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "x" },
          { type: "text", text: "<system>\nC\n</system>" },
        ],
      },
    ]);
  });

  test("a system alone is the user", () => {
    const { body } = write({ items: [system("only")] });
    expect(body).not.toHaveProperty("system");
    expect(body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "only" }] }]);
  });

  test("alternate, beginning with the user, without empty texts and space at the end", () => {
    expect(turns(assistant("a"), assistant("b "), user(""), user("  "))).toEqual([
      {
        role: "user",
        content: [{ type: "text", text: "(The conversation begins with the assistant.)" }],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  test("have all results of a turn first in the next, wherever they stood", () => {
    const [, assistantTurn, next] = turns(
      user("go"),
      thought("messages"),
      assistant("I look."),
      call("a", '{"x":1}'),
      call("b", ""),
      user("meanwhile"),
      result("b", "B"),
      result("a", "A"),
    );
    expect(assistantTurn.content).toEqual([
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
      { type: "tool_use", id: "b", name: "f", input: {} },
    ]);
    expect(next.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "A" },
      { type: "tool_result", tool_use_id: "b", content: "B" },
      { type: "text", text: "meanwhile" },
    ]);
  });

  test("call after call are turns of their own", () => {
    const roles = turns(user("go"), call("a"), result("a", "A"), call("b"), result("b", "B"));
    expect(roles.map(({ role }: { role: string }) => role)).toEqual([
      ...["user", "assistant", "user", "assistant", "user"],
    ]);
  });

  test("a call without result was aborted, a result without call is told", () => {
    const [, , aborted] = turns(user("go"), call("a"));
    expect(aborted.content[0]).toMatchObject({ tool_use_id: "a", is_error: true });
    const [told] = turns(result("gone", "R"));
    expect(told.content).toEqual([
      { type: "text", text: "Result of the tool call gone:" },
      { type: "text", text: "R" },
    ]);
  });

  test("have ids that the vendor takes, each once, the same for call and result", () => {
    const [, first, firstResults, second, secondResults] = turns(
      user("go"),
      call("functions.f:0"),
      result("functions.f:0", "1"),
      call("functions.f:0"),
      result("functions.f:0", "2"),
    );
    const ids = [first.content[0].id, second.content[0].id];
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(new Set(ids).size).toBe(2);
    expect(firstResults.content[0]).toMatchObject({ tool_use_id: ids[0], content: "1" });
    expect(secondResults.content[0]).toMatchObject({ tool_use_id: ids[1], content: "2" });
  });

  test("have an id each, also where one is called as another was renamed", () => {
    const named = ["a", "a", "a_2", "a_2", "a"];
    const { content } = turns(user("go"), ...named.map((id) => call(id)))[1];
    expect(new Set(content.map(({ id }: { id: string }) => id)).size).toBe(named.length);
  });

  test("leave out other wires' thoughts, and thoughts that lead to nothing, by name", () => {
    const left = [
      [user("go"), thought("gemini"), thought("gemini"), assistant("a")],
      [user("go"), { type: "reasoning", summary: ["hm"] }, assistant("a")],
      [user("go"), assistant("a"), thought("messages")],
    ] satisfies Item[][];
    for (const items of left) {
      const { body, dropped } = write({ items });
      expect(body.messages[1].content).toEqual([{ type: "text", text: "a" }]);
      expect(dropped).toEqual(["reasoning"]);
    }
    const kept = write({ items: [user("go"), thought("messages"), assistant("a")] });
    expect(kept.dropped).toEqual([]);
  });

  test("restore what was hidden", () => {
    const hidden: Item = {
      type: "reasoning",
      summary: [],
      sealed: seal("messages", { data: "d" }),
    };
    expect(turns(user("go"), hidden, call("a"))[1].content[0]).toEqual({
      type: "redacted_thinking",
      data: "d",
    });
  });

  test("carry pictures and files, also as what a tool returned", () => {
    const parts = [
      { type: "image", url: "data:image/jpg;base64,AAAA" },
      { type: "image", url: "https://a.test/x.png" },
      { type: "file", name: "p.pdf", url: "data:application/pdf;base64,JVBE" },
      { type: "file", name: "n.txt", url: "data:text/markdown;base64,bsOp" },
    ] as const;
    const blocks = [
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAA" } },
      { type: "image", source: { type: "url", url: "https://a.test/x.png" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
        title: "p.pdf",
      },
      {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "né" },
        title: "n.txt",
      },
    ];
    expect(turns({ type: "message", role: "user", parts })[0].content).toEqual(blocks);
    const returned: Item = { type: "result", callId: "a", custom: false, parts, failed: true };
    expect(turns(user("go"), call("a"), returned)[2].content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: blocks, is_error: true },
    ]);
  });

  test.each([
    ["a picture of an odd type", { type: "image", url: "data:image/bmp;base64,AA" }],
    ["a picture that is no address", { type: "image", url: "file-123" }],
    ["a file of an odd type", { type: "file", url: "data:application/zip;base64,AA" }],
    ["data that is not base64", { type: "file", url: "data:text/plain,hi" }],
  ] as const)("refuse %s", (_name, part) => {
    expect(() => turns({ type: "message", role: "user", parts: [part] })).toThrow(Fault);
  });

  test("name what only another wire knows", () => {
    const { dropped } = write({
      items: [user("x"), { type: "foreign", raw: { type: "shell_call" } }],
    });
    expect(dropped).toEqual(["input.shell_call"]);
  });
});

describe("the tools for a Messages vendor", () => {
  test("have flat names, an object for free text, and a search where it has a price", () => {
    const tools: Conversation["tools"] = [
      { ...TOOL, namespace: "ns", description: "d", strict: true },
      { type: "custom", name: "patch", description: "p", format: { definition: "start: X" } },
      { type: "web_search", settings: { filters: { allowed_domains: ["a.test"] } }, maxCalls: 2 },
      { type: "foreign", path: "tools[3]" },
    ];
    const { body, dropped } = write({ tools });
    expect(body.tools).toEqual([
      {
        name: "ns__f",
        description: "d",
        input_schema: { type: "object", properties: {}, additionalProperties: false },
        strict: true,
      },
      {
        name: "patch",
        description: "p\n\nThe input must follow this grammar:\nstart: X",
        input_schema: FREE_TEXT_PARAMETERS,
      },
      { type: "web_search_20250305", name: "web_search", max_uses: 2, allowed_domains: ["a.test"] },
    ]);
    expect(dropped).toEqual(["tools[3]"]);
    const many: Conversation["tools"] = [{ type: "web_search", settings: {}, maxCalls: 10 }];
    expect(write({ tools: many }).dropped).toEqual([]);
    expect(write({ tools }, { webSearch: false }).dropped).toEqual([
      "tools.web_search",
      "tools[3]",
    ]);
  });

  test("free text of an earlier call is wrapped", () => {
    const patch: Item = {
      type: "call",
      callId: "c",
      name: "patch",
      custom: true,
      arguments: "*** {",
    };
    expect(turns(user("go"), patch)[1].content[0].input).toEqual({ input: "*** {" });
  });

  test.each([
    [{ mode: "auto" }, undefined, { type: "auto" }],
    [{ mode: "required" }, false, { type: "any", disable_parallel_tool_use: true }],
    [{ mode: "none" }, false, { type: "none" }],
    [{ mode: "tool", name: "f" }, true, { type: "tool", name: "f" }],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [undefined, undefined, undefined],
    [{ mode: "allowed", names: ["f"], required: true }, undefined, { type: "any" }],
  ] as const)("are chosen by %p, parallel %p", (toolChoice, parallelToolCalls, expected) => {
    const { body } = write({ tools: [TOOL], toolChoice, parallelToolCalls });
    expect(body.tool_choice).toEqual(expected as never);
  });

  test("are chosen by the names that they were declared with, within a group too", () => {
    const tools = [{ ...TOOL, namespace: "box" }, { ...TOOL, name: "g" }, TOOL];
    const chosen = (name: string, declared: readonly Tool[]) =>
      write({ tools: declared, toolChoice: { mode: "tool", name } }).body.tool_choice;
    expect(chosen("f", tools.slice(0, 2))).toEqual({ type: "tool", name: "box__f" });
    expect(chosen("box__f", tools)).toEqual({ type: "tool", name: "box__f" });
    expect(chosen("f", tools)).toEqual({ type: "tool", name: "f" });
  });

  test("that are not there cannot be chosen, which is told", () => {
    const search: Tool = { type: "web_search", settings: {} };
    const asked = {
      tools: [TOOL, search],
      toolChoice: { mode: "tool", name: "web_search" },
    } as const;
    const { body, dropped } = write(asked, { webSearch: false });
    expect(body).not.toHaveProperty("tool_choice");
    expect(dropped).toEqual(["tools.web_search", "tool_choice"]);
    const searching = write(asked, { webSearch: true });
    expect(searching.body.tool_choice).toEqual({ type: "tool", name: "web_search" });
    expect(searching.dropped).toEqual([]);
  });

  test("are only those that are allowed", () => {
    const tools = [TOOL, { ...TOOL, name: "g" }];
    const toolChoice = { mode: "allowed", names: ["g"], required: false } as const;
    expect(write({ tools, toolChoice }).body.tools).toMatchObject([{ name: "g" }]);
  });

  test("without any, choice and parallel calls are left out; earlier calls keep their tools", () => {
    const { body } = write({ toolChoice: { mode: "required" }, parallelToolCalls: false });
    expect(body).not.toHaveProperty("tool_choice");
    const later = write({ items: [user("go"), call("a"), result("a", "A")] }).body;
    expect(later.tools).toEqual([{ name: "f", input_schema: { type: "object" } }]);
    expect(later.tool_choice).toEqual({ type: "none" });
  });
});

test("answers that would lack what was asked for are refused", () => {
  expect(() => write({ choices: 2 })).toThrow("one choice");
  expect(() => write({ topLogprobs: 0 })).toThrow("log probabilities");
});
