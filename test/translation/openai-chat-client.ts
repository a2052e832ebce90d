import OpenAI from "openai";
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { JsonObject } from "../support/samples/wires.ts";
import {
  type Access,
  ALL_BUCKETS,
  type Ask,
  type Client,
  NotingFetch,
  type Prompt,
  type Report,
  type ReportedHeaders,
  type ToolResult,
} from "./client.ts";

type Message = ChatCompletionMessageParam;

function writePrompt({ text, image, pdf }: Prompt): Message {
  const file = { filename: "a.pdf", file_data: pdf ?? "" };
  return {
    role: "user",
    content: [
      { type: "text", text },
      ...(image ? [{ type: "image_url", image_url: { url: image } } as const] : []),
      ...(pdf ? [{ type: "file", file } as const] : []),
    ],
  };
}

/** The documents know only text here; vendors and clients go beyond them. */
function writeResult({ call, text, image }: ToolResult): Message {
  const content = image
    ? [
        { type: "text", text },
        { type: "image_url", image_url: { url: image } },
      ]
    : text;
  return { role: "tool", tool_call_id: call.id, content } as Message;
}

function writeRequest(ask: Ask): ChatCompletionCreateParamsNonStreaming {
  const { system, maxOutput, schema, thinks, mustCall, searches, stop } = ask;
  const messages = ask.turns.flatMap((turn): Message[] => {
    if (turn.kind === "prompt") return [writePrompt(turn)];
    if (turn.kind === "results") return turn.results.map(writeResult);
    return [turn.answer.own as Message];
  });
  const tools = ask.tools?.map(({ name, description, schema: parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));
  return {
    model: ask.model,
    messages: [
      ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
      ...messages,
    ],
    ...(tools ? { tools } : {}),
    ...(mustCall ? { tool_choice: "required" } : {}),
    ...(maxOutput === undefined ? {} : { max_completion_tokens: maxOutput }),
    ...(thinks ? { reasoning_effort: "high" } : {}),
    ...(stop === undefined ? {} : { stop: [stop] }),
    ...(searches ? { web_search_options: {} } : {}),
    ...(schema
      ? { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }
      : {}),
  };
}

/** Members of a message that the client knows nothing of. */
interface Thinking {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly JsonObject[];
}

/** A message as it was sent: without what the client adds when it reads a stream. */
function sentMessage(message: ChatCompletionMessage): ChatCompletionMessage {
  return JSON.parse(
    JSON.stringify(message, (name, value) =>
      name === "parsed" || name === "parsed_arguments" ? undefined : value,
    ),
  );
}

/**
 * Of members that it does not know, the client keeps the last piece of a stream. Whoever uses them
 * puts them together, in the way that the vendors document.
 */
class ThinkingPieces {
  #thought = "";
  readonly #details: JsonObject[] = [];

  add({ reasoning_content, reasoning, reasoning_details = [] }: Thinking): void {
    this.#thought += reasoning_content ?? reasoning ?? "";
    for (const piece of reasoning_details) {
      const at = this.#details.findIndex(
        ({ index }) => index !== undefined && index === piece.index,
      );
      const before = this.#details[at];
      if (!before) this.#details.push(piece);
      else {
        const text = `${before.text ?? ""}${piece.text ?? ""}`;
        this.#details[at] = { ...before, ...piece, text };
      }
    }
  }

  complete(completion: ChatCompletion): ChatCompletion {
    const [choice] = completion.choices;
    if (!choice || this.#thought === "") return completion;
    const reasoning_details = this.#details.length > 0 ? this.#details : undefined;
    const { reasoning: _, ...message } = choice.message as ChatCompletionMessage & Thinking;
    const whole = { ...message, reasoning_content: this.#thought, reasoning_details };
    return { ...completion, choices: [{ ...choice, message: whole as ChatCompletionMessage }] };
  }
}

const FINISHES: Readonly<Record<string, Report["finish"]>> = {
  stop: "done",
  tool_calls: "calls",
  length: "limit",
  content_filter: "safety",
};

function readCompletion({ choices, usage }: ChatCompletion, headers: ReportedHeaders): Report {
  const [choice] = choices;
  if (!choice) throw new Error("the answer has no choice");
  const { message, finish_reason } = choice;
  const { reasoning_content, reasoning } = message as Thinking;
  const calls = (message.tool_calls ?? []).map((call) => {
    if (call.type !== "function") throw new Error("the client knows only functions");
    const { name, arguments: text } = call.function;
    return { id: call.id, name, arguments: JSON.parse(text) };
  });
  const written = usage?.prompt_tokens_details as { cache_write_tokens?: number } | undefined;
  return {
    text: message.content ?? "",
    thought: reasoning_content ?? reasoning ?? "",
    refusal: message.refusal ?? "",
    calls,
    finish: FINISHES[finish_reason] ?? "done",
    usage: {
      input: usage?.prompt_tokens,
      cached: usage?.prompt_tokens_details?.cached_tokens,
      cacheWrite: written?.cache_write_tokens,
      output: usage?.completion_tokens,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens,
    },
    sources: (message.annotations ?? []).map(({ url_citation }) => url_citation.url),
    headers,
    own: sentMessage(message),
  };
}

/** The official client of the chat wire. */
export function openaiChatClient({ root, key }: Access): Client {
  const noting = new NotingFetch();
  const baseURL = `${root}/v1`;
  const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, fetch: noting.fetch });

  async function stream(ask: Ask): Promise<Report> {
    const chunks = client.chat.completions.stream({
      ...writeRequest(ask),
      stream: true,
      stream_options: { include_usage: true },
    });
    const thinking = new ThinkingPieces();
    for await (const { choices } of chunks) {
      const delta = choices[0]?.delta ?? {};
      ask.onText?.(delta.content ?? "");
      thinking.add(delta as Thinking);
    }
    const completion = thinking.complete(await chunks.finalChatCompletion());
    return readCompletion(completion, noting.headers);
  }

  return {
    name: "openai chat",
    wire: "chat",
    abilities: ["refusal", "stop", "image address", "image in result", "search"],
    buckets: ALL_BUCKETS,
    showsThoughts: true,
    carries: () => true,
    async ask(ask) {
      if (ask.stream) return stream(ask);
      const completion = await client.chat.completions.create(writeRequest(ask));
      return readCompletion(completion, noting.headers);
    },
    faultOf: (thrown) => (thrown instanceof OpenAI.APIError ? thrown : undefined),
  };
}
