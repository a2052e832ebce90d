// What vendors of the four wires send, written by hand from their documented shapes.

import type { JsonObject } from "../samples/wires.ts";
import type { RawCall } from "./scripted-vendor.ts";

export type VendorWireName = "responses" | "chat" | "messages" | "gemini";

/** Counts as a test thinks of them; each wire writes them in its own words. */
export interface Counts {
  readonly input: unknown;
  readonly output: unknown;
}

export interface VendorWire {
  readonly name: VendorWireName;
  /** The key that came with a call. */
  keyOf(call: RawCall): string;
  wantsStream(call: RawCall): boolean;
  /** A whole answer; without counts the vendor does not say what it used. */
  whole(text: string, counts: Counts | undefined): JsonObject;
  /** The first events of a stream, with what this wire already counts there. */
  opening(counts: Counts | undefined): string[];
  delta(text: string): string;
  /** The events before the last one. */
  ending(text: string, counts: Counts | undefined): string[];
  /** The last event of a stream that ended well. */
  marker(text: string, counts: Counts | undefined): string;
  /** Whether a stream is known to be whole without its last event. */
  readonly needsMarker: boolean;
  /** What a stream has counted when it stops before its ending; nothing where that comes last. */
  countedEarly(counts: Counts): Counts | undefined;
  /** A failure as the body of a refusal, or of a 200 that is none. */
  errorBody(message: string, culprit: "vendor" | "client"): JsonObject;
  /** The same as an event. */
  errorEvent(message: string, culprit: "vendor" | "client"): string;
}

const CREATED = 1_790_000_000;
export const VENDOR_NAME = "vendor-model-2026-11-01";

const event = (type: string, data: JsonObject) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const frame = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const bearer = ({ headers }: RawCall) => (headers.authorization ?? "").replace(/^Bearer /, "");
const ERROR_TYPES = { vendor: "server_error", client: "invalid_request_error" } as const;

function openaiError(message: string, culprit: "vendor" | "client"): JsonObject {
  return { error: { message, type: ERROR_TYPES[culprit], param: null, code: null } };
}

const ITEM = "msg_0123";
const PLACE = { item_id: ITEM, output_index: 0, content_index: 0 };

function responseItem(text: string): JsonObject {
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return { id: ITEM, type: "message", role: "assistant", status: "completed", content };
}

function response(status: string, text: string | undefined, counts: Counts | undefined) {
  const usage = counts && {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: counts.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: Number(counts.input) + Number(counts.output),
  };
  return {
    id: "resp_0123",
    object: "response",
    created_at: CREATED,
    status,
    error: null,
    model: VENDOR_NAME,
    output: text === undefined ? [] : [responseItem(text)],
    usage: usage ?? null,
    store: false,
  };
}

const responses: VendorWire = {
  name: "responses",
  keyOf: bearer,
  wantsStream: ({ json }) => json.stream === true,
  whole: (text, counts) => response("completed", text, counts),
  opening: () => [
    event("response.created", {
      sequence_number: 0,
      response: response("in_progress", undefined, undefined),
    }),
    event("response.output_item.added", {
      sequence_number: 1,
      output_index: 0,
      item: { id: ITEM, type: "message", role: "assistant", status: "in_progress", content: [] },
    }),
    event("response.content_part.added", {
      sequence_number: 2,
      ...PLACE,
      part: { type: "output_text", text: "", annotations: [] },
    }),
  ],
  delta: (delta) => event("response.output_text.delta", { sequence_number: 3, ...PLACE, delta }),
  ending: (text) => [
    event("response.output_text.done", { sequence_number: 4, ...PLACE, text }),
    event("response.content_part.done", {
      sequence_number: 5,
      ...PLACE,
      part: { type: "output_text", text, annotations: [] },
    }),
    event("response.output_item.done", {
      sequence_number: 6,
      output_index: 0,
      item: responseItem(text),
    }),
  ],
  marker: (text, counts) =>
    event("response.completed", {
      sequence_number: 7,
      response: response("completed", text, counts),
    }),
  needsMarker: true,
  countedEarly: () => undefined,
  errorBody: openaiError,
  errorEvent: (message, culprit) =>
    event("error", { sequence_number: 4, code: ERROR_TYPES[culprit], message, param: null }),
};

const CHUNK = { id: "chatcmpl-0123", created: CREATED, model: VENDOR_NAME };

function chatUsage({ input, output }: Counts): JsonObject {
  const total_tokens = Number(input) + Number(output);
  return { prompt_tokens: input, completion_tokens: output, total_tokens };
}

const chunk = (delta: JsonObject, finish_reason: string | null) =>
  frame({
    ...CHUNK,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });

const chat: VendorWire = {
  name: "chat",
  keyOf: bearer,
  wantsStream: ({ json }) => json.stream === true,
  whole: (content, counts) => ({
    ...CHUNK,
    object: "chat.completion",
    choices: [
      { index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: "stop" },
    ],
    ...(counts ? { usage: chatUsage(counts) } : {}),
  }),
  opening: () => [chunk({ role: "assistant", content: "" }, null)],
  delta: (content) => chunk({ content }, null),
  ending: (_text, counts) => [
    chunk({}, "stop"),
    ...(counts
      ? [
          frame({
            ...CHUNK,
            object: "chat.completion.chunk",
            choices: [],
            usage: chatUsage(counts),
          }),
        ]
      : []),
  ],
  marker: () => "data: [DONE]\n\n",
  needsMarker: false,
  countedEarly: () => undefined,
  errorBody: openaiError,
  errorEvent: (message, culprit) => frame(openaiError(message, culprit)),
};

const MESSAGE = { id: "msg_0123", type: "message", role: "assistant", model: VENDOR_NAME };
const MESSAGES_TYPES = { vendor: "overloaded_error", client: "invalid_request_error" } as const;

function messagesError(message: string, culprit: "vendor" | "client"): JsonObject {
  return {
    type: "error",
    error: { type: MESSAGES_TYPES[culprit], message },
    request_id: "req_0123",
  };
}

const messages: VendorWire = {
  name: "messages",
  keyOf: ({ headers }) => headers["x-api-key"] ?? "",
  wantsStream: ({ json }) => json.stream === true,
  whole: (text, counts) => ({
    ...MESSAGE,
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    ...(counts ? { usage: { input_tokens: counts.input, output_tokens: counts.output } } : {}),
  }),
  opening: (counts) => [
    event("message_start", {
      message: {
        ...MESSAGE,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...(counts ? { usage: { input_tokens: counts.input, output_tokens: 1 } } : {}),
      },
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("ping", {}),
  ],
  delta: (text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
  ending: (_text, counts) => [
    event("content_block_stop", { index: 0 }),
    event("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      ...(counts ? { usage: { output_tokens: counts.output } } : {}),
    }),
  ],
  marker: () => event("message_stop", {}),
  needsMarker: false,
  countedEarly: ({ input }) => ({ input, output: 1 }),
  errorBody: messagesError,
  errorEvent: (message, culprit) => event("error", messagesError(message, culprit)),
};

const GEMINI_ERRORS = {
  vendor: { code: 503, status: "UNAVAILABLE" },
  client: { code: 400, status: "INVALID_ARGUMENT" },
} as const;

function candidates(text: string, counts: Counts | undefined, finishReason?: string): JsonObject {
  const content = { role: "model", parts: text === "" ? [] : [{ text }] };
  const candidate = { index: 0, content, ...(finishReason ? { finishReason } : {}) };
  const usageMetadata = counts && {
    promptTokenCount: counts.input,
    candidatesTokenCount: counts.output,
    totalTokenCount: Number(counts.input) + Number(counts.output),
  };
  return {
    candidates: [candidate],
    ...(usageMetadata ? { usageMetadata } : {}),
    modelVersion: VENDOR_NAME,
    responseId: "gem0123",
  };
}

function geminiError(message: string, culprit: "vendor" | "client"): JsonObject {
  return { error: { ...GEMINI_ERRORS[culprit], message } };
}

const gemini: VendorWire = {
  name: "gemini",
  keyOf: ({ headers }) => headers["x-goog-api-key"] ?? "",
  wantsStream: ({ path }) => path.includes(":streamGenerateContent"),
  whole: (text, counts) => candidates(text, counts, "STOP"),
  // The vendor counts its prompt in every chunk.
  opening: (counts) => [frame(candidates("", counts && { ...counts, output: 0 }))],
  delta: (text) => frame(candidates(text, undefined)),
  ending: () => [],
  marker: (_text, counts) => frame(candidates("", counts, "STOP")),
  needsMarker: true,
  countedEarly: ({ input }) => ({ input, output: 0 }),
  errorBody: geminiError,
  errorEvent: (message, culprit) => frame(geminiError(message, culprit)),
};

export const VENDOR_WIRES: Readonly<Record<VendorWireName, VendorWire>> = {
  responses,
  chat,
  messages,
  gemini,
};
