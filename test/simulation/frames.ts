// What vendors of each wire write, by their documented shapes, cut down to plain text answers.
import type { Counts, Script } from "./scripts.ts";

export const WIRE_NAMES = ["chat", "responses", "messages", "gemini"] as const;
export type WireName = (typeof WIRE_NAMES)[number];

/** One piece of a stream, and what whoever has read it knows from it. */
export interface Frame {
  readonly text: string;
  readonly says?: string;
  readonly counts?: Counts;
  /** The counts are as of now, and more is to come. */
  readonly isPartial?: boolean;
  /** Nothing of the answer is missing from here on. */
  readonly ends?: boolean;
  readonly fails?: boolean;
}

interface VendorWire {
  opening(usage: Counts | undefined): Frame[];
  saying(text: string, soFar: Counts | undefined): Frame;
  /** Everything behind the text but the marker of the end. */
  closing(whole: string, usage: Counts | undefined): Frame[];
  /** The end marker; nothing on a wire that ends with the connection. */
  marker(whole: string, usage: Counts | undefined): Frame[];
  /** Whether the answer counts as whole without its marker. */
  readonly markerOptional: boolean;
  error(usage?: Counts): Frame;
  body(whole: string, usage: Counts | undefined): string;
  /** A whole answer that says of itself that it failed. */
  failedBody(usage: Counts | undefined): { text: string; counts?: Counts };
}

function event(data: unknown, name?: string): string {
  const lead = name === undefined ? "" : `event: ${name}\n`;
  return `${lead}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

function typed(type: string, members: object = {}): string {
  return event({ type, ...members }, type);
}

const ERROR_BODY = JSON.stringify({ error: { message: "out of order", type: "server_error" } });

function chatUsage(usage: Counts) {
  const total_tokens = usage.input + usage.output;
  return { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens };
}

function chatChunk(choices: unknown[], more: object = {}): string {
  const object = "chat.completion.chunk";
  return event({ id: "chatcmpl-1", object, created: 1, model: "up", choices, ...more });
}

const chat: VendorWire = {
  opening: () => [{ text: chatChunk([{ index: 0, delta: { role: "assistant", content: "" } }]) }],
  saying: (content) => ({
    text: chatChunk([{ index: 0, delta: { content }, finish_reason: null }]),
    says: content,
  }),
  closing: (_whole, usage) => [
    { text: chatChunk([{ index: 0, delta: {}, finish_reason: "stop" }]) },
    ...(usage ? [{ text: chatChunk([], { usage: chatUsage(usage) }), counts: usage }] : []),
  ],
  marker: () => [{ text: event("[DONE]"), ends: true }],
  markerOptional: true,
  error: () => ({ text: event(ERROR_BODY), fails: true }),
  body: (content, usage) =>
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "up",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      ...(usage ? { usage: chatUsage(usage) } : {}),
    }),
  failedBody: () => ({ text: ERROR_BODY }),
};

function responseObject(status: string, text: string | undefined, usage?: Counts): object {
  const part = { type: "output_text", text, annotations: [] };
  const item = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [part],
  };
  const error = status === "failed" ? { code: "server_error", message: "out of order" } : null;
  const counted = usage && {
    input_tokens: usage.input,
    output_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  };
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status,
    model: "up",
    output: text === undefined ? [] : [item],
    error,
    usage: counted ?? null,
  };
}

const AT_ITEM = { output_index: 0, item_id: "msg_1", content_index: 0 };
const EMPTY_PART = { type: "output_text", text: "", annotations: [] };

const responses: VendorWire = {
  opening: () => [
    { text: typed("response.created", { response: responseObject("in_progress", undefined) }) },
    {
      text: typed("response.output_item.added", {
        output_index: 0,
        item: { id: "msg_1", type: "message", role: "assistant", content: [] },
      }),
    },
    { text: typed("response.content_part.added", { ...AT_ITEM, part: EMPTY_PART }) },
  ],
  saying: (delta) => ({
    text: typed("response.output_text.delta", { ...AT_ITEM, delta }),
    says: delta,
  }),
  closing: (whole) => {
    const part = { ...EMPTY_PART, text: whole };
    const item = { id: "msg_1", type: "message", role: "assistant", content: [part] };
    return [
      { text: typed("response.output_text.done", { ...AT_ITEM, text: whole }) },
      { text: typed("response.content_part.done", { ...AT_ITEM, part }) },
      { text: typed("response.output_item.done", { output_index: 0, item }) },
    ];
  },
  marker: (whole, usage) => [
    {
      text: typed("response.completed", { response: responseObject("completed", whole, usage) }),
      ends: true,
      ...(usage ? { counts: usage } : {}),
    },
  ],
  markerOptional: false,
  error: (usage) => ({
    text: usage
      ? typed("response.failed", { response: responseObject("failed", undefined, usage) })
      : typed("error", { code: "server_error", message: "out of order", param: null }),
    fails: true,
    ...(usage ? { counts: usage } : {}),
  }),
  body: (whole, usage) => JSON.stringify(responseObject("completed", whole, usage)),
  failedBody: (usage) => ({
    text: JSON.stringify(responseObject("failed", undefined, usage)),
    ...(usage ? { counts: usage } : {}),
  }),
};

function messagesUsage(usage: Counts) {
  return { input_tokens: usage.input, output_tokens: usage.output };
}

function messageObject(content: unknown[], usage: Counts | undefined, stop: string | null) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "up",
    content,
    stop_reason: stop,
    stop_sequence: null,
    ...(usage ? { usage: messagesUsage(usage) } : {}),
  };
}

const MESSAGES_ERROR = { error: { type: "overloaded_error", message: "out of order" } };

const messages: VendorWire = {
  opening: (usage) => {
    // This wire counts at its beginning: the whole input, and of the output next to nothing.
    const begun = usage && { input: usage.input, output: 1 };
    const message = messageObject([], begun, null);
    return [
      {
        text: typed("message_start", { message }),
        ...(begun ? { counts: begun, isPartial: true } : {}),
      },
      {
        text: typed("content_block_start", {
          index: 0,
          content_block: { type: "text", text: "" },
        }),
      },
    ];
  },
  saying: (text) => ({
    text: typed("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
    says: text,
  }),
  closing: (_whole, usage) => [
    { text: typed("content_block_stop", { index: 0 }) },
    {
      text: typed("message_delta", {
        delta: { stop_reason: "end_turn", stop_sequence: null },
        ...(usage ? { usage: messagesUsage(usage) } : {}),
      }),
      ...(usage ? { counts: usage } : {}),
    },
  ],
  marker: () => [{ text: typed("message_stop"), ends: true }],
  markerOptional: true,
  error: () => ({ text: typed("error", MESSAGES_ERROR), fails: true }),
  body: (text, usage) => JSON.stringify(messageObject([{ type: "text", text }], usage, "end_turn")),
  failedBody: () => ({ text: JSON.stringify({ type: "error", ...MESSAGES_ERROR }) }),
};

function geminiChunk(text: string, usage: Counts | undefined, finishReason?: string): object {
  const content = { role: "model", parts: [{ text }] };
  const counted = usage && {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  };
  return {
    responseId: "r1",
    modelVersion: "up",
    candidates: [{ index: 0, content, ...(finishReason ? { finishReason } : {}) }],
    ...(counted ? { usageMetadata: counted } : {}),
  };
}

const GEMINI_ERROR = { error: { code: 503, message: "out of order", status: "UNAVAILABLE" } };

const gemini: VendorWire = {
  opening: () => [],
  saying: (text, soFar) => ({
    text: event(geminiChunk(text, soFar)),
    says: text,
    ...(soFar ? { counts: soFar, isPartial: true } : {}),
  }),
  closing: (_whole, usage) => [
    { text: event(geminiChunk("", usage, "STOP")), ...(usage ? { counts: usage } : {}) },
  ],
  marker: () => [],
  markerOptional: true,
  error: () => ({ text: event(GEMINI_ERROR), fails: true }),
  body: (text, usage) => JSON.stringify(geminiChunk(text, usage, "STOP")),
  failedBody: () => ({ text: JSON.stringify(GEMINI_ERROR) }),
};

const WIRES: Readonly<Record<WireName, VendorWire>> = { chat, responses, messages, gemini };

export function vendorWire(name: WireName): VendorWire {
  return WIRES[name];
}

export function refusalBody(): string {
  return ERROR_BODY;
}

export function wholeText(script: Script): string {
  return script.texts.join("");
}
