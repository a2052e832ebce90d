import type { JsonObject } from "../samples/wires.ts";

/** A call as the vendor received it. */
export interface VendorCall {
  readonly path: string;
  readonly headers: Headers;
  readonly body: JsonObject;
  readonly text: string;
  /** Fires when the gateway hangs up. */
  readonly signal: AbortSignal;
}

type Script = (call: VendorCall) => Response | Promise<Response>;

/** The vendor's own, dated name of whatever model it was asked for. */
export const VENDOR_MODEL = "vendor-model-2026-11-01";
export const VENDOR_KEY = "sk-vendorsecret0123456789";
export const VENDOR_TEXT = ["The ", "quick ", "brown ", "fox."];

/** A vendor on a port of its own that speaks the OpenAI wire and does what its script says. */
export class MockVendor {
  readonly calls: VendorCall[] = [];
  script: Script = answer;
  readonly #server: Bun.Server<undefined>;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch: async (request) => {
        const text = await request.text();
        const call: VendorCall = {
          path: new URL(request.url).pathname,
          headers: new Headers(request.headers),
          body: text ? JSON.parse(text) : {},
          text,
          signal: request.signal,
        };
        this.calls.push(call);
        return this.script(call);
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/v1`;
  }

  /** What a server needs to have it as OpenAI. */
  get settings() {
    return { OPENAI_API_KEY: VENDOR_KEY, OPENAI_BASE_URL: this.url };
  }

  get lastCall(): VendorCall {
    const call = this.calls.at(-1);
    if (!call) throw new Error("the vendor was not called");
    return call;
  }

  /** Does as told from now on, with no calls so far. */
  play(script: Script): void {
    this.calls.length = 0;
    this.script = script;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }
}

/** What a well-behaved vendor answers. */
export function answer(call: VendorCall): Response {
  const headers = { "x-request-id": "req_of_the_vendor" };
  if (call.body.stream) return streamOf(eventsFor(call), headers);
  return Response.json(isChat(call) ? completion() : response("completed"), { headers });
}

export function isChat(call: VendorCall): boolean {
  return call.path.endsWith("/chat/completions");
}

/** A body of these events, each sent when the one before it has been taken. */
export function streamOf(
  events: Iterable<string> | AsyncIterable<string>,
  headers: Record<string, string> = {},
): Response {
  async function* bytes() {
    const encoder = new TextEncoder();
    for await (const event of events) yield encoder.encode(event);
  }
  return new Response(bytes() as unknown as ReadableStream<Uint8Array>, {
    headers: { "content-type": "text/event-stream", ...headers },
  });
}

/** All events of a whole stream. The deltas stand between the opening and the ending. */
export function eventsFor(call: VendorCall): string[] {
  const pieces = piecesFor(call);
  return [...pieces.opening, ...pieces.deltas(VENDOR_TEXT), ...pieces.ending];
}

export interface StreamPieces {
  readonly opening: string[];
  deltas(texts: readonly string[]): string[];
  readonly ending: string[];
}

export function piecesFor(call: VendorCall): StreamPieces {
  return isChat(call) ? chatPieces(call) : responsesPieces();
}

const CHAT_USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const RESPONSE_USAGE = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };

function completion(): JsonObject {
  const message = { role: "assistant", content: VENDOR_TEXT.join(""), refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  return {
    id: `chatcmpl-${crypto.randomUUID()}`,
    object: "chat.completion",
    created: 1_790_000_000,
    model: VENDOR_MODEL,
    choices,
    usage: CHAT_USAGE,
  };
}

function chatPieces(call: VendorCall): StreamPieces {
  const head = {
    id: `chatcmpl-${crypto.randomUUID()}`,
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: VENDOR_MODEL,
  };
  const write = (more: JsonObject) => `data: ${JSON.stringify({ ...head, ...more })}\n\n`;
  const chunk = (delta: JsonObject, finish_reason: string | null) =>
    write({ choices: [{ index: 0, delta, finish_reason }] });
  const options = call.body.stream_options as JsonObject | undefined;
  const usage = options?.include_usage ? [write({ choices: [], usage: CHAT_USAGE })] : [];
  return {
    opening: [chunk({ role: "assistant", content: "" }, null)],
    deltas: (texts) => texts.map((content) => chunk({ content }, null)),
    ending: [chunk({}, "stop"), ...usage, "data: [DONE]\n\n"],
  };
}

const ITEM_ID = "msg_of_the_vendor";

export function messageItem(status: string, text = VENDOR_TEXT.join("")): JsonObject {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { id: ITEM_ID, type: "message", role: "assistant", status, content };
}

/** A response that has its whole output or nothing of it yet. */
export function response(
  status: "in_progress" | "completed",
  output: readonly JsonObject[] = [messageItem("completed")],
) {
  const done = status === "completed";
  return {
    id: `resp_${crypto.randomUUID()}`,
    object: "response",
    created_at: 1_790_000_000,
    status,
    model: VENDOR_MODEL,
    output: done ? output : [],
    usage: done ? RESPONSE_USAGE : null,
    store: false,
  };
}

function responsesPieces(): StreamPieces {
  const id = `resp_${crypto.randomUUID()}`;
  let sequence_number = 0;
  const write = (type: string, more: JsonObject) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...more })}\n\n`;
  const place = { item_id: ITEM_ID, output_index: 0, content_index: 0 };
  const item = { id: ITEM_ID, type: "message", role: "assistant", status: "in_progress" };
  const opening = [
    write("response.created", { response: { ...response("in_progress"), id } }),
    write("response.in_progress", { response: { ...response("in_progress"), id } }),
    write("response.output_item.added", { output_index: 0, item: { ...item, content: [] } }),
    write("response.content_part.added", { ...place, part: { type: "output_text", text: "" } }),
  ];
  return {
    opening,
    deltas: (texts) =>
      texts.map((delta) => write("response.output_text.delta", { ...place, delta })),
    // Numbered when it is asked for, which is after the deltas.
    get ending() {
      const text = VENDOR_TEXT.join("");
      return [
        write("response.output_text.done", { ...place, text }),
        write("response.output_item.done", { output_index: 0, item: messageItem("completed") }),
        write("response.completed", { response: { ...response("completed"), id } }),
      ];
    },
  };
}

/** The opening and some deltas at once, the rest when the gate opens, unless the caller leaves. */
export async function* pausedEvents(
  call: VendorCall,
  gate: Promise<void>,
  before = 2,
): AsyncGenerator<string, void> {
  const pieces = piecesFor(call);
  yield* pieces.opening;
  yield* pieces.deltas(VENDOR_TEXT.slice(0, before));
  await gate;
  yield* pieces.deltas(VENDOR_TEXT.slice(before));
  yield* pieces.ending;
}
