// The cases of the Open Responses compliance suite over HTTP, against a server with the embedded vendor.
import { describe, expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance } from "./chance.ts";
import type { Json } from "./frames.ts";
import { answerProblems, CASES, type CaseName, picture, textTool } from "./open-responses-cases.ts";
import { askStream, askWhole, type Gate, post } from "./open-responses-gate.ts";
import { compactionShape, responseShape } from "./open-responses-shapes.ts";

const chance = new Chance();
const { server } = await perFile((parts) => serve(parts, { books: true }));
const gate: Gate = { server, key: server.firstKey, model: "sandbox-1.0" };

describe.each(Object.keys(CASES) as CaseName[])(`%s, seed ${chance.seed}`, (name) => {
  test("is answered whole", async () => {
    const asked = CASES[name](chance);
    expect(answerProblems(asked, await askWhole(gate, asked.body))).toEqual([]);
  });

  test("is answered as a stream of documented events", async () => {
    const asked = CASES[name](chance);
    const { answer } = await askStream(gate, asked.body);
    expect(answerProblems(asked, answer)).toEqual([]);
  });
});

describe(`beside them, seed ${chance.seed}`, () => {
  test("image-input: the picture itself reaches the model", async () => {
    const [width, height] = [3 + chance.below(60), 3 + chance.below(60)];
    const content = [{ type: "input_image", image_url: picture(width, height) }];
    const answer = await askWhole(gate, { input: [{ role: "user", content }] });
    expect(answer.output_text).toContain(`${width}×${height}`);
  });

  test("response-output-phase-schema: a phase may stand on a message, and no odd one", () => {
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "x", annotations: [], logprobs: [] }],
    };
    const { output } = responseShape.shape;
    expect(output.safeParse([{ ...message, phase: "commentary" }]).success).toBe(true);
    expect(output.safeParse([{ ...message, phase: "final_answer" }]).success).toBe(true);
    expect(output.safeParse([{ ...message, phase: "afterthought" }]).success).toBe(false);
  });

  test("tool-calling-streaming: the call grows from nothing to its whole arguments", async () => {
    const { tool, message, name, property, value } = textTool(chance);
    const { events, answer } = await askStream(gate, { input: message, tools: [tool] });
    const types = events.map(({ type }) => type);
    const added = events.find(({ type }) => type === "response.output_item.added")?.item as Json;
    expect(added).toMatchObject({ type: "function_call", name, arguments: "" });
    expect(types).toContain("response.function_call_arguments.delta");
    expect(types).toContain("response.function_call_arguments.done");
    expect(types).toContain("response.output_item.done");
    const [call] = answer.output;
    expect(JSON.parse(String(call?.arguments))).toEqual({ [property]: value });
  });

  test("function-call-roundtrip: a forced call, then its result by previous_response_id", async () => {
    const { tool, name, message } = textTool(chance);
    const tool_choice = { type: "function", name };
    const first = await askWhole(gate, { input: message, tools: [tool], tool_choice });
    const [call] = first.output;
    expect(call).toMatchObject({ type: "function_call", name });
    const output = `${chance.name()} fathoms`;
    const second = await askWhole(gate, {
      previous_response_id: first.id,
      tools: [tool],
      input: [{ type: "function_call_output", call_id: call?.call_id, output }],
    });
    expect(second.previous_response_id).toBe(first.id);
    expect(second.output_text).toContain(output);
  });

  test("previous-response-id: an earlier turn is remembered without being sent again", async () => {
    const fruit = chance.name();
    const first = await askWhole(gate, { input: `The secret fruit is ${fruit}.` });
    const second = await askWhole(gate, {
      previous_response_id: first.id,
      input: "What is the secret fruit? Reply with only its name.",
    });
    expect(second.output_text).toContain(fruit);
  });

  test("file-input: a document with its name", async () => {
    const filename = `${chance.word()}.pdf`;
    const file_data = `data:application/pdf;base64,${btoa("%PDF-1.4\n%%EOF\n")}`;
    const content = [
      { type: "input_file", filename, file_data },
      { type: "input_text", text: "What is this?" },
    ];
    const answer = await askWhole(gate, { input: [{ role: "user", content }] });
    expect(answer.output_text).toContain(filename);
  });
});

describe(`compact, seed ${chance.seed}`, () => {
  const boat = chance.name();
  const conversation = [
    { role: "user", content: `My boat is called ${boat}.` },
    { role: "assistant", content: "A fine name." },
  ];

  async function compact(body: Json) {
    const response = await post(gate, "/responses/compact", body);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
    return { headers: response.headers, value: compactionShape.parse(await response.json()) };
  }

  test("compact-response: a compaction of the conversation, with its usage", async () => {
    const { value } = await compact({ input: conversation, prompt_cache_key: chance.word() });
    expect(value.output.filter(({ type }) => type === "compaction")).toHaveLength(1);
    expect(value.usage.output_tokens).toBeGreaterThan(0);
    expect(value.usage.total_tokens).toBe(value.usage.input_tokens + value.usage.output_tokens);
  });

  test("compact-missing-model: is refused", async () => {
    const response = await server.post("/responses/compact", gate.key, { input: conversation });
    await expectError(response, {
      status: 400,
      code: "missing_required_parameter",
      param: "model",
    });
  });

  test("is priced and has a receipt like any answer", async () => {
    const { value, headers } = await compact({ input: conversation });
    expect(value.usage.cost).toBeGreaterThan(0);
    const id = headers.get("x-request-id");
    const receipt = await server.fetch(`/generation?id=${id}`, gate.key);
    expect(await receipt.json()).toMatchObject({
      id,
      model: gate.model,
      billing_reason: "completed",
      cost: value.usage.cost_exact,
    });
    expect(headers.get("x-faregate-cost")).toBe(String(value.usage.cost_exact));
  });

  test("is the same with stream: true, which has no meaning for it", async () => {
    const { value } = await compact({ input: conversation, stream: true });
    expect(value.output.at(-1)).toMatchObject({ type: "compaction" });
  });

  test("is no stored response and refuses a conversation it cannot read", async () => {
    const { value } = await compact({ input: conversation, store: true });
    const stored = await server.fetch(`/responses/${value.id}`, gate.key);
    expect(stored.status).toBe(404);
    const unknown = await post(gate, "/responses/compact", { previous_response_id: "resp_none" });
    await expectError(unknown, {
      status: 400,
      code: "previous_response_not_found",
      param: "previous_response_id",
    });
  });

  test("its output begins a new conversation that knows the old one", async () => {
    const { value } = await compact({ input: conversation });
    const question = { role: "user", content: "What is my boat called?" };
    const answer = await askWhole(gate, { input: [...value.output, question] });
    expect(answer.output_text).toContain(boat);
  });

  test("reaches back over previous_response_id", async () => {
    const harbour = chance.name();
    const first = await askWhole(gate, { input: `The boat lies in the harbour of ${harbour}.` });
    const { value } = await compact({ previous_response_id: first.id });
    const question = { role: "user", content: "In which harbour lies the boat?" };
    const answer = await askWhole(gate, { input: [...value.output, question] });
    expect(answer.output_text).toContain(harbour);
  });
});
