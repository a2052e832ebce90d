import { expect } from "bun:test";
import type { VendorWireName } from "../vendors/vendor-bytes.ts";
import { type JsonObject, readEvents, type SseEvent } from "./wires.ts";

/** How one kind of client asks, and what it must find in the answer. */
export interface Face {
  readonly name: VendorWireName;
  /** Behind the server's root. */
  path(model: string, stream: boolean): string;
  body(model: string, stream: boolean, text: string): JsonObject;
  readonly keyHeader: "authorization" | "x-api-key" | "x-goog-api-key";
  /** The generated text of a whole answer. */
  textOf(answer: JsonObject): string;
  deltaOf(event: SseEvent): string;
  /** The answer is this refusal, in this face's words; resolves with its sentence. */
  expectRefusal(status: number, body: JsonObject): string;
  expectGoodEnd(events: readonly SseEvent[]): void;
  /** The stream failed after its first byte; returns the sentence it ended with. */
  expectFailedEnd(events: readonly SseEvent[], model: string): string;
}

const OPENAI_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  503: "service_unavailable_error",
};

function expectOpenaiRefusal(status: number, body: JsonObject): string {
  const error = body.error as JsonObject;
  expect(Object.keys(body)).toEqual(["error"]);
  expect(Object.keys(error).sort()).toEqual(["code", "message", "param", "type"]);
  expect(error.type).toBe(OPENAI_TYPES[status]);
  return String(error.message);
}

type Part = { text?: string };

const responses: Face = {
  name: "responses",
  path: () => "/v1/responses",
  body: (model, stream, input) => ({ model, input, stream }),
  keyHeader: "authorization",
  textOf: (answer) => {
    const output = answer.output as { content?: Part[] }[];
    return output.flatMap(({ content }) => content ?? []).reduce((all, p) => all + p.text, "");
  },
  deltaOf: ({ json }) => (json?.type === "response.output_text.delta" ? String(json.delta) : ""),
  expectRefusal: expectOpenaiRefusal,
  expectGoodEnd(events) {
    const names = events.map(({ name, data }) => name ?? data);
    expect(names.slice(-2)).toEqual(["response.completed", "[DONE]"]);
    expect(names).not.toContain("error");
  },
  expectFailedEnd(events, model) {
    const names = events.map(({ name, data }) => name ?? data);
    expect(names.slice(-3)).toEqual(["error", "response.failed", "[DONE]"]);
    expect(names).not.toContain("response.completed");
    const failed = events.at(-2)?.json?.response as JsonObject;
    expect(failed).toMatchObject({ status: "failed", model });
    return String((failed.error as JsonObject).message);
  },
};

const chat: Face = {
  name: "chat",
  path: () => "/v1/chat/completions",
  body: (model, stream, content) => ({ model, stream, messages: [{ role: "user", content }] }),
  keyHeader: "authorization",
  textOf: (answer) =>
    (answer.choices as { message: { content: string } }[])[0]?.message.content ?? "",
  deltaOf({ json }) {
    const [choice] = (json?.choices ?? []) as { delta?: { content?: string | null } }[];
    return choice?.delta?.content ?? "";
  },
  expectRefusal: expectOpenaiRefusal,
  expectGoodEnd(events) {
    expect(events.at(-1)?.data).toBe("[DONE]");
    expect(events.filter(({ json }) => json?.error)).toEqual([]);
  },
  expectFailedEnd(events) {
    const last = events.at(-1)?.json ?? {};
    expect(Object.keys(last)).toEqual(["error"]);
    expect(events.map(({ data }) => data)).not.toContain("[DONE]");
    return String((last.error as JsonObject).message);
  },
};

const MESSAGES_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  503: "overloaded_error",
};

const messages: Face = {
  name: "messages",
  path: () => "/v1/messages",
  body: (model, stream, content) => ({
    model,
    stream,
    max_tokens: 500,
    messages: [{ role: "user", content }],
  }),
  keyHeader: "x-api-key",
  textOf: (answer) => (answer.content as Part[]).map(({ text }) => text ?? "").join(""),
  deltaOf({ json }) {
    const delta = json?.delta as Part | undefined;
    return json?.type === "content_block_delta" ? (delta?.text ?? "") : "";
  },
  expectRefusal(status, body) {
    const error = body.error as JsonObject;
    expect(body).toMatchObject({ type: "error", error: { type: MESSAGES_TYPES[status] } });
    return String(error.message);
  },
  expectGoodEnd(events) {
    const names = events.map(({ name }) => name);
    expect(names.slice(-2)).toEqual(["message_delta", "message_stop"]);
    expect(names).not.toContain("error");
  },
  expectFailedEnd(events) {
    const names = events.map(({ name }) => name);
    expect(names.at(-1)).toBe("error");
    expect(names).not.toContain("message_stop");
    const last = events.at(-1)?.json ?? {};
    expect(last).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    return String((last.error as JsonObject).message);
  },
};

const GEMINI_STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  503: "UNAVAILABLE",
};

function geminiParts(json: JsonObject | undefined): Part[] {
  const [candidate] = (json?.candidates ?? []) as { content?: { parts?: Part[] } }[];
  return candidate?.content?.parts ?? [];
}

function geminiError(body: JsonObject, status: number): string {
  expect(body).toMatchObject({ error: { code: status, status: GEMINI_STATUSES[status] } });
  return String((body.error as JsonObject).message);
}

const gemini: Face = {
  name: "gemini",
  path: (model, stream) =>
    stream
      ? `/v1beta/models/${model}:streamGenerateContent?alt=sse`
      : `/v1beta/models/${model}:generateContent`,
  body: (_model, _stream, text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
  keyHeader: "x-goog-api-key",
  textOf: (answer) => geminiParts(answer).reduce((all, { text }) => all + (text ?? ""), ""),
  deltaOf: ({ json }) => geminiParts(json).reduce((all, { text }) => all + (text ?? ""), ""),
  expectRefusal: (status, body) => geminiError(body, status),
  expectGoodEnd(events) {
    const [candidate] = (events.at(-1)?.json?.candidates ?? []) as { finishReason?: string }[];
    expect(candidate?.finishReason).toBe("STOP");
    expect(events.filter(({ json }) => json?.error)).toEqual([]);
  },
  expectFailedEnd: (events) => geminiError(events.at(-1)?.json ?? {}, 503),
};

export const FACES: readonly Face[] = [responses, chat, messages, gemini];

/** What a client received, in full. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly requestId: string;
}

/** One call of a client, read to its end. `onText` is told all of the body that has come so far. */
export async function callAs(
  face: Face,
  root: string,
  key: string,
  model: string,
  stream: boolean,
  more: JsonObject = {},
  onText: (text: string) => void = () => {},
): Promise<Heard> {
  const shown = face.keyHeader === "authorization" ? `Bearer ${key}` : key;
  const response = await fetch(root + face.path(model, stream), {
    method: "POST",
    headers: { "content-type": "application/json", [face.keyHeader]: shown },
    body: JSON.stringify({ ...face.body(model, stream, "Tell me about foxes."), ...more }),
  });
  const { status, headers } = response;
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    onText(text);
  }
  text += decoder.decode();
  return { status, headers, text, requestId: headers.get("x-request-id") ?? "" };
}

/** The text that a client got by an answer that ended well. */
export function goodText(face: Face, heard: Heard, stream: boolean): string {
  expect(heard.status).toBe(200);
  if (!stream) return face.textOf(JSON.parse(heard.text));
  const events = readEvents(heard.text);
  face.expectGoodEnd(events);
  return events.map((event) => face.deltaOf(event)).join("");
}
