import { describe, expect, test } from "bun:test";
import { seal } from "../../envelope.ts";
import { readChatAnswer } from "./read-answer.ts";

/** Written by hand after what vendors of this wire document. */
function body(message: object, finish: string | null = "stop", more: object = {}): object {
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  return { id: "chatcmpl-1", object: "chat.completion", choices, usage, ...more };
}

const SAID = { role: "assistant", content: "yes", refusal: null };

describe("a hand-written whole answer of a chat vendor", () => {
  test("of text, with sources", () => {
    const url_citation = { url: "https://a.test", title: "t", start_index: 0, end_index: 3 };
    const annotations = [{ type: "url_citation", url_citation }];
    expect(readChatAnswer(body({ ...SAID, annotations }))).toEqual({
      id: "chatcmpl-1",
      status: "completed",
      items: [
        {
          type: "message",
          role: "assistant",
          parts: [
            {
              type: "text",
              text: "yes",
              annotations: [{ type: "url_citation", ...url_citation }],
            },
          ],
        },
      ],
      usage: expect.objectContaining({ fresh: 7, output: 3, webSearches: 1 }),
    });
  });

  test("of thinking and parallel calls", () => {
    const tool_calls = [
      { id: "", type: "function", function: { name: "f", arguments: "" } },
      {
        id: "c2",
        type: "function",
        function: { name: "g", arguments: '{"a":1}' },
        extra_content: { google: { thought_signature: "s" } },
      },
    ];
    const message = { role: "assistant", content: null, reasoning_content: "hm", tool_calls };
    const { items } = readChatAnswer(body(message, "tool_calls"));
    expect(items).toEqual([
      { type: "reasoning", summary: [], text: "hm" },
      {
        type: "call",
        callId: expect.stringMatching(/^call_/),
        name: "f",
        custom: false,
        arguments: "{}",
      },
      { type: "reasoning", summary: [], sealed: seal("gemini", { signature: "s", call: "c2" }) },
      { type: "call", callId: "c2", name: "g", custom: false, arguments: '{"a":1}' },
    ]);
  });

  test("of a call in the older form", () => {
    const function_call = { name: "f", arguments: "{}" };
    const { items } = readChatAnswer(body({ content: null, function_call }, "function_call"));
    expect(items).toMatchObject([{ type: "call", name: "f" }]);
  });

  test("of a refusal", () => {
    const { items, status } = readChatAnswer(body({ ...SAID, content: null, refusal: "no" }));
    expect(items).toMatchObject([{ parts: [{ type: "refusal", text: "no" }] }]);
    expect(status).toBe("completed");
  });

  test.each([
    ["length", "max_output_tokens"],
    ["content_filter", "content_filter"],
  ] as const)("that ends by %s", (finish, reason) => {
    expect(readChatAnswer(body(SAID, finish))).toMatchObject({ status: "incomplete", reason });
  });

  test("without a finish reason is whole all the same", () => {
    expect(readChatAnswer(body(SAID, null)).status).toBe("completed");
  });

  test("that is a failure", () => {
    const refused = readChatAnswer({ error: { message: "m", code: 400 } });
    expect(refused).toMatchObject({ items: [], failure: { status: 400, message: "m" } });
    expect(readChatAnswer({ error: "overloaded" }).failure?.status).toBe(503);
    const broken = readChatAnswer(body(SAID, "error"));
    expect(broken.failure?.status).toBe(503);
    expect(broken.usage).toMatchObject({ output: 3 });
  });

  test.each(["[]", "{}", '{"choices":[]}', '{"choices":[{}]}', '"text"'])("%p is none", (text) => {
    expect(() => readChatAnswer(JSON.parse(text))).toThrow();
  });
});
