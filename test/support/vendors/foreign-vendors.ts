// Vendors that do not speak the Responses wire. Their bytes are written by hand from the shapes that
// the two wires document; what they say depends on what they were asked, so nothing can be lost unseen.

import type { JsonObject } from "../samples/wires.ts";
import { streamOf, VENDOR_MODEL, type VendorCall } from "./mock-vendor.ts";

/** What such a vendor decides to answer. */
interface Plan {
  readonly text: string;
  /** A tool to call instead, with its one argument. */
  readonly call: { readonly name: string; readonly arguments: string } | undefined;
}

/** Every text of a request, in order, however deep it stands. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object" || value === null) return [];
  const { text, content } = value as JsonObject;
  return [...textsOf(text), ...textsOf(content)];
}

/** Calls the first tool for what was quoted, unless a result is there; then says all it was told. */
function planFor(body: JsonObject, tool: JsonObject | undefined, hasResult: boolean): Plan {
  const told = [...textsOf(body.system), ...textsOf(body.messages)].join(" ");
  const text = `I was told: ${told}`;
  if (!tool || hasResult) return { text, call: undefined };
  const schema = (tool.parameters ?? tool.input_schema) as JsonObject;
  const [property = ""] = Object.keys(schema.properties as JsonObject);
  const quoted = /"([^"]+)"/.exec(told)?.[1] ?? "";
  const call = { name: String(tool.name), arguments: JSON.stringify({ [property]: quoted }) };
  return { text, call };
}

/** Two pieces of a text, so that nobody takes the first for all of it. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

const CHAT_USAGE = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 };

/** A vendor of the chat wire. */
export function answerAsChat({ body }: VendorCall): Response {
  const [tool] = (body.tools ?? []) as { function: JsonObject }[];
  const messages = body.messages as JsonObject[];
  const plan = planFor(body, tool?.function, messages.at(-1)?.role === "tool");
  return body.stream ? streamOf(chatEvents(plan)) : Response.json(chatCompletion(plan));
}

function chatHead(object: string): JsonObject {
  const id = `chatcmpl-${crypto.randomUUID()}`;
  return { id, object, created: 1_790_000_000, model: VENDOR_MODEL };
}

function chatCompletion({ text, call }: Plan): JsonObject {
  const toolCall = { id: `call_${crypto.randomUUID()}`, type: "function", function: call };
  const message = call
    ? { role: "assistant", content: null, tool_calls: [toolCall] }
    : { role: "assistant", content: text };
  const choice = { index: 0, message, finish_reason: call ? "tool_calls" : "stop" };
  return { ...chatHead("chat.completion"), choices: [choice], usage: CHAT_USAGE };
}

function chatEvents({ text, call }: Plan): string[] {
  const head = chatHead("chat.completion.chunk");
  const write = (more: JsonObject) => `data: ${JSON.stringify({ ...head, ...more })}\n\n`;
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    write({ choices: [{ index: 0, delta, finish_reason }] });
  const begun = { name: call?.name, arguments: "" };
  const opening = { index: 0, id: `call_${crypto.randomUUID()}`, type: "function" };
  const called = (piece: JsonObject) => chunk({ tool_calls: [piece] });
  const pieces = call
    ? [
        called({ ...opening, function: begun }),
        ...halves(call.arguments).map((piece) =>
          called({ index: 0, function: { arguments: piece } }),
        ),
      ]
    : halves(text).map((content) => chunk({ content }));
  return [
    chunk({ role: "assistant", content: call ? null : "" }),
    ...pieces,
    chunk({}, call ? "tool_calls" : "stop"),
    write({ choices: [], usage: CHAT_USAGE }),
    "data: [DONE]\n\n",
  ];
}

const MESSAGES_USAGE = {
  input_tokens: 21,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** A vendor of the Anthropic wire. */
export function answerAsMessages({ body }: VendorCall): Response {
  const [tool] = (body.tools ?? []) as JsonObject[];
  const last = (body.messages as { content: unknown }[]).at(-1)?.content;
  const blocks = Array.isArray(last) ? (last as JsonObject[]) : [];
  const hasResult = blocks.some(({ type }) => type === "tool_result");
  const plan = planFor(body, tool, hasResult);
  return body.stream ? streamOf(messageEvents(plan)) : Response.json(wholeMessage(plan));
}

function messageHead(): JsonObject {
  return {
    id: `msg_${crypto.randomUUID()}`,
    type: "message",
    role: "assistant",
    model: VENDOR_MODEL,
  };
}

function toolUse({ name }: { name: string }, input: unknown): JsonObject {
  const id = `toolu_${crypto.randomUUID().replaceAll("-", "")}`;
  return { type: "tool_use", id, name, input };
}

function wholeMessage({ text, call }: Plan): JsonObject {
  const block = call ? toolUse(call, JSON.parse(call.arguments)) : { type: "text", text };
  return {
    ...messageHead(),
    content: [block],
    stop_reason: call ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { ...MESSAGES_USAGE, output_tokens: 9 },
  };
}

function messageEvents({ text, call }: Plan): string[] {
  const write = (type: string, more: JsonObject) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const block = call ? toolUse(call, {}) : { type: "text", text: "" };
  const deltas = call
    ? halves(call.arguments).map((piece) => ({ type: "input_json_delta", partial_json: piece }))
    : halves(text).map((piece) => ({ type: "text_delta", text: piece }));
  const start = { ...messageHead(), content: [], stop_reason: null, stop_sequence: null };
  const stop = { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null };
  return [
    write("message_start", {
      message: { ...start, usage: { ...MESSAGES_USAGE, output_tokens: 1 } },
    }),
    write("content_block_start", { index: 0, content_block: block }),
    write("ping", {}),
    ...deltas.map((delta) => write("content_block_delta", { index: 0, delta })),
    write("content_block_stop", { index: 0 }),
    write("message_delta", { delta: stop, usage: { output_tokens: 9 } }),
    write("message_stop", {}),
  ];
}
