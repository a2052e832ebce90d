import { describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { openWires } from "../../protocols/wires.ts";
import { finishReasonsOf } from "./finish-reasons.ts";

const wires = openWires(readConfig({}).limits);
const OPTIONS = { model: "m", inputTokens: 1, echo: {} };

const BODIES = {
  chat: { model: "m", messages: [{ role: "user", content: "x" }], stream: true },
  messages: {
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "x" }],
    stream: true,
  },
  gemini: { contents: [{ role: "user", parts: [{ text: "x" }] }] },
} as const;

/** What a stream of a wire says of its end once these events went through. */
function reasonsOf(wire: keyof typeof BODIES, ...events: object[]) {
  const body = BODIES[wire];
  const path = { model: "m", stream: true };
  const request = wires[wire].readRequest(body, JSON.stringify(body), path);
  const filter = wires[wire].openStream(request, OPTIONS);
  for (const event of events) filter.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  return filter.finishReasons;
}

describe("why a model stopped", () => {
  test.each([
    [{ choices: [{ finish_reason: "stop" }, { finish_reason: "length" }] }, ["stop", "length"]],
    [{ choices: [{ finish_reason: null }] }, []],
    [{ candidates: [{ finishReason: "STOP" }] }, ["STOP"]],
    [{ type: "message", stop_reason: "tool_use" }, ["tool_use"]],
    [{ object: "response", status: "completed", incomplete_details: null }, ["stop"]],
    [
      {
        object: "response",
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
      },
      ["max_output_tokens"],
    ],
    [{ object: "list", data: [] }, []],
  ])("is read from %j", (body, reasons) => {
    expect(finishReasonsOf(body)).toEqual(reasons);
  });

  test("is kept of a chat stream, for each of its choices", () => {
    const chunk = (index: number, finish_reason: string | null) => ({
      id: "c",
      choices: [{ index, delta: { content: "x" }, finish_reason }],
    });
    expect(reasonsOf("chat", chunk(0, null))).toEqual([]);
    expect(reasonsOf("chat", chunk(0, "stop"), chunk(1, "length"))).toEqual(["stop", "length"]);
  });

  test("is kept of a Messages stream", () => {
    const start = { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } };
    const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} };
    expect(reasonsOf("messages", start)).toEqual([]);
    expect(reasonsOf("messages", start, end)).toEqual(["end_turn"]);
  });

  test("is kept of a Gemini stream", () => {
    const chunk = {
      candidates: [{ index: 0, content: { parts: [] }, finishReason: "MAX_TOKENS" }],
    };
    expect(reasonsOf("gemini", chunk)).toEqual(["MAX_TOKENS"]);
  });
});
