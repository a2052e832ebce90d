import { describe, expect, test } from "bun:test";
import { readText } from "../../../../test/support/vendors/whole-answers.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Answer, OutputItem } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { NO_USAGE } from "../../usage.ts";
import { readChatAnswer } from "./read-answer.ts";
import { readChatResult } from "./result.ts";
import { writeChatAnswer } from "./write-answer.ts";

const USAGE = { ...NO_USAGE, fresh: 7, output: 3 };

function answer(items: OutputItem[], more: Partial<Answer> = {}): Answer {
  return { id: "msg_1", items, usage: USAGE, status: "completed", ...more };
}

const write = (given: Answer) =>
  JSON.parse(JSON.stringify(writeChatAnswer(given, { model: "ours-1.0", echo: {} })));
const said = (text: string): OutputItem => ({
  ...{ type: "message", role: "assistant", parts: [{ type: "text", text }] },
});
const called: OutputItem = {
  ...{ type: "call", callId: "c1", name: "f", custom: false, arguments: '{"a":1}' },
};

describe("a whole answer for a client of this wire", () => {
  test("has every member that clients require", () => {
    expect(write(answer([said("yes")]))).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "ours-1.0",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "yes", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: expect.objectContaining({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }),
    });
  });

  test("carries thinking with its state, calls and free text", () => {
    const sealed = seal("gemini", { signature: "s", call: "c1" });
    const items: OutputItem[] = [
      { type: "reasoning", summary: ["a", "b"], sealed: "own" },
      { type: "reasoning", summary: [], sealed },
      called,
      { type: "call", callId: "c2", name: "g", custom: true, arguments: "free" },
      { type: "search", status: "completed" },
    ];
    const [choice] = write(answer(items)).choices;
    expect(choice.finish_reason).toBe("tool_calls");
    expect(choice.message).toEqual({
      role: "assistant",
      content: null,
      refusal: null,
      reasoning_content: "a\n\nb",
      reasoning_details: [
        { type: "reasoning.encrypted", data: "own" },
        { type: "reasoning.encrypted", data: sealed },
      ],
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "f", arguments: '{"a":1}' },
          extra_content: { google: { thought_signature: "s" } },
        },
        { id: "c2", type: "custom", custom: { name: "g", input: "free" } },
      ],
    });
  });

  test("carries sources at their place in the whole text, and log probabilities", () => {
    const annotations = [
      { type: "url_citation", url: "https://a.test", title: "t", start_index: 0, end_index: 1 },
    ];
    const logprobs = [{ token: "b", logprob: -1 }];
    const sourced: OutputItem = {
      type: "message",
      role: "assistant",
      parts: [{ type: "text", text: "b", annotations, logprobs }],
    };
    const [choice] = write(answer([said("aa"), sourced])).choices;
    expect(choice.message.content).toBe("aab");
    expect(choice.message.annotations[0].url_citation).toMatchObject({
      start_index: 2,
      end_index: 3,
    });
    expect(choice.logprobs).toEqual({ content: logprobs, refusal: null });
  });

  test("a refusal has no content", () => {
    const parts = [{ type: "refusal", text: "no" }] as const;
    const [choice] = write(answer([{ type: "message", role: "assistant", parts }])).choices;
    expect(choice.message).toEqual({ role: "assistant", content: null, refusal: "no" });
  });

  test.each([
    ["max_output_tokens", "length"],
    ["content_filter", "content_filter"],
  ] as const)("%s is %s", (reason, finish) => {
    const given = answer([said("yes")], { status: "incomplete", reason });
    expect(write(given).choices[0].finish_reason).toBe(finish);
  });

  test("reads back as it was", () => {
    const given = answer([{ type: "reasoning", summary: [], text: "hm" }, said("yes"), called]);
    const text = JSON.stringify(writeChatAnswer(given, { model: "ours-1.0", echo: {} }));
    const { id: _, ...read } = readChatAnswer(JSON.parse(text));
    const { id: __, ...written } = given;
    expect(read).toEqual(written);
    expect(readText(readChatResult, text)).toMatchObject({ usage: USAGE, failure: undefined });
  });

  test("a failure is an error, and nothing said of usage is no usage", () => {
    const failure = new Fault("upstream_unavailable", "gone");
    expect(write(answer([], { failure }))).toEqual({ error: failure.toJson() });
    expect(write(answer([said("a")], { usage: undefined }))).not.toHaveProperty("usage");
  });
});
