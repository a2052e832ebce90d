import type { TestServer } from "../../server.ts";

export type JsonObject = { readonly [name: string]: unknown };

/** The two endpoints that generate, and how the same thing is said on each. */
export interface TestWire {
  readonly path: "/responses" | "/chat/completions";
  /** Where the conversation stands in a request. */
  readonly inputName: "input" | "messages";
  readonly maxOutputName: "max_output_tokens" | "max_tokens";
  /** A request that is fine. */
  request(text: string, more?: JsonObject): JsonObject;
}

export const MODEL = "sandbox-1.0";

export const RESPONSES: TestWire = {
  path: "/responses",
  inputName: "input",
  maxOutputName: "max_output_tokens",
  request: (text, more = {}) => ({ model: MODEL, input: text, ...more }),
};

export const CHAT: TestWire = {
  path: "/chat/completions",
  inputName: "messages",
  maxOutputName: "max_tokens",
  request: (text, more = {}) => ({
    model: MODEL,
    messages: [{ role: "user", content: text }],
    ...more,
  }),
};

export const WIRES: readonly TestWire[] = [RESPONSES, CHAT];

/** An event of a stream: its name where it has one, and its data, parsed unless it is the end. */
export interface SseEvent {
  readonly name: string | undefined;
  readonly data: string;
  readonly json: JsonObject | undefined;
}

/** Whole events of a text; what follows the last blank line is not one yet. */
export function readEvents(text: string): SseEvent[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .map((block) => {
      const lines = block.split("\n");
      const name = lines.find((line) => line.startsWith("event: "))?.slice("event: ".length);
      const data = lines
        .filter((line) => line.startsWith("data: "))
        .map((line) => line.slice("data: ".length))
        .join("\n");
      const json = data.startsWith("{") ? (JSON.parse(data) as JsonObject) : undefined;
      return { name, data, json };
    });
}

/** The text that a stream of either wire has generated so far. */
export function textOf(events: readonly SseEvent[]): string {
  return events.map(({ json }) => deltaOf(json)).join("");
}

function deltaOf(json: JsonObject | undefined): string {
  if (json?.type === "response.output_text.delta") return String(json.delta);
  const [choice] = (json?.choices ?? []) as { delta?: { content?: string | null } }[];
  return choice?.delta?.content ?? "";
}

/** A client that reads a stream piece by piece and may leave at any time. */
export class StreamReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #leave: AbortController;
  readonly #decoder = new TextDecoder();
  text = "";
  ended = false;

  private constructor(response: Response, leave: AbortController) {
    this.response = response;
    this.#leave = leave;
    this.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  }

  static async open(
    server: TestServer,
    path: string,
    key: string,
    body: JsonObject,
    headers: Record<string, string> = {},
  ): Promise<StreamReader> {
    const leave = new AbortController();
    const request = { ...body, stream: true };
    const response = await server.post(path, key, request, headers, leave.signal);
    return new StreamReader(response, leave);
  }

  get events(): SseEvent[] {
    return readEvents(this.text);
  }

  get requestId(): string {
    return this.response.headers.get("x-request-id") ?? "";
  }

  /** Reads until the condition holds or the stream is over. */
  async readUntil(reached: (reader: StreamReader) => boolean): Promise<void> {
    while (!this.ended && !reached(this)) {
      const { value, done } = await this.#reader.read();
      if (value) this.text += this.#decoder.decode(value, { stream: true });
      this.ended = done;
    }
  }

  async readAll(): Promise<void> {
    await this.readUntil(() => false);
  }

  leave(): void {
    this.#leave.abort();
  }
}
