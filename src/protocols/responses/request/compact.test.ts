import { describe, expect, test } from "bun:test";
import { readText, textOf } from "../../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { NO_USAGE } from "../../usage.ts";
import { readResponseResult } from "../answer/result.ts";
import { responsesWire } from "../wire.ts";
import { asCompaction, readCompactRequest, writeCompaction } from "./compact.ts";

const { limits } = readConfig({});
const BASE = {
  model: "m-1.0",
  instructions: "Be brief.",
  prompt_cache_key: "k",
  input: [
    { role: "developer", content: "Rules." },
    { role: "user", content: "Paint it." },
    { role: "assistant", content: "Which colour?" },
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: "ok" },
    {
      type: "message",
      id: "msg_7",
      role: "user",
      content: [
        { type: "input_text", text: "Blue." },
        { type: "input_image", image_url: "data:image/png;base64,AA" },
      ],
    },
  ],
};

function read(body: unknown) {
  return readCompactRequest(body, JSON.stringify(body), limits);
}

function refusal(body: unknown) {
  try {
    read(body);
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.status, thrown.code, thrown.param];
    throw thrown;
  }
  return undefined;
}

describe("asking for a compaction", () => {
  test.each([
    ["no model", { model: undefined }, "missing_required_parameter", "model"],
    ["no input", { input: undefined }, "missing_required_parameter", "input"],
    ["an empty input", { input: [] }, "empty_array", "input"],
    ["an input of no kind", { input: 5 }, "invalid_type", "input"],
    ["a broken item", { input: ["x"] }, "invalid_type", "input[0]"],
  ])("with %s is refused", (_name, change, code, param) => {
    expect(refusal({ ...BASE, ...change })).toEqual([400, code, param]);
  });

  test("is a request for a summary, without tools and without keeping anything", () => {
    const tools = [{ type: "function", name: "f" }];
    const holder = { type: "additional_tools", role: "developer", tools };
    const more = { tools, tool_choice: "required", stream: true, store: true, text: {}, odd: 1 };
    const request = read({ ...BASE, ...more, input: [holder, ...BASE.input] });
    const { input, ...members } = JSON.parse(request.json.text);
    expect(members).toEqual({
      model: "m-1.0",
      instructions: "Be brief.",
      prompt_cache_key: "k",
      max_output_tokens: limits.compact_output_tokens_max,
      store: false,
      stream: false,
    });
    expect(request.stream).toBe(false);
    expect(input.slice(0, -1)).toEqual(BASE.input);
    expect(input.at(-1)).toMatchObject({ type: "message", role: "user" });
    expect(request.body).toEqual({ ...members, input });
  });

  test("may be about one text, or about an earlier response alone", () => {
    expect(read({ ...BASE, input: "Paint it." }).body.input).toMatchObject([
      { role: "user", content: "Paint it." },
      { role: "user" },
    ]);
    const continued = read({ model: "m-1.0", previous_response_id: "resp_1" });
    expect(continued.body.previous_response_id).toBe("resp_1");
    expect(continued.body.input).toHaveLength(1);
  });
});

describe("a compaction", () => {
  const content = [{ type: "output_text", text: "They chose blue." }];
  const vendor = {
    id: "resp_v",
    status: "completed",
    output: [{ type: "message", content }],
    usage: { input_tokens: 9, output_tokens: 3 },
  };
  const end = { cost: "0.01", usage: { ...NO_USAGE, fresh: 9, output: 3 }, echo: {} };
  const options = { model: "m-1.0", echo: {} };
  const result = readText(readResponseResult, JSON.stringify(vendor));
  const written = JSON.parse(JSON.stringify(writeCompaction(result, read(BASE), end)));

  test("keeps what was said to the model and seals the rest as a summary", () => {
    expect(written).toMatchObject({
      object: "response.compaction",
      usage: {
        input_tokens: 9,
        output_tokens: 3,
        total_tokens: 12,
        cost: 0.01,
        cost_exact: "0.01",
      },
    });
    expect(written.output).toMatchObject([
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Rules." }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Paint it." }] },
      {
        id: "msg_7",
        role: "user",
        status: "completed",
        content: [
          { type: "input_text", text: "Blue." },
          { type: "input_image", image_url: "data:image/png;base64,AA", detail: "auto" },
        ],
      },
      { type: "compaction" },
    ]);
    expect(JSON.stringify(written)).not.toContain("They chose blue.");
    expect(written.output.at(-1).id).toStartWith("cmp_");
  });

  test("is understood when it comes back as input", () => {
    const wire = responsesWire(limits);
    const body = { model: "m-1.0", input: written.output };
    const request = wire.readRequest(body, JSON.stringify(body));
    expect(JSON.stringify(wire.readConversation(request).items.at(-1))).toContain("blue");
    const again = read(body);
    expect(again.body.input).toHaveLength(5);
  });

  test("without a summary says what to ask for instead, and is no fault of the vendor", () => {
    const empty = readText(readResponseResult, JSON.stringify({ ...vendor, output: [] }));
    const { failure } = asCompaction(empty, read(BASE));
    expect([failure?.status, failure?.param]).toEqual([400, "max_output_tokens"]);
    const whole = asCompaction(result, read(BASE));
    expect([whole.failure, whole.usage]).toEqual([undefined, result.usage]);
    expect(JSON.parse(textOf(whole.write(options, end))).object).toBe("response.compaction");
  });
});
