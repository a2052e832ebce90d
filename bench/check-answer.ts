// Every answer of a bench run is read in full: a fast wrong answer must not count as a fast one.
import { PROMPT_TOKENS, WORD } from "./answer.ts";
import type { ReceivedResponse } from "./response-reader.ts";

export interface Expected {
  /** The name that every answer bears; null where a server may choose one. */
  model: string | null;
  tokens: number;
}

interface Chunk {
  model?: string;
  choices?: { delta?: { content?: string }; finish_reason?: string | null }[];
  usage?: Usage | null;
}

interface Completion {
  model?: string;
  choices?: { message?: { content?: string }; finish_reason?: string }[];
  usage?: Usage;
}

interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
}

function demand(holds: boolean, what: string, response: ReceivedResponse): void {
  if (holds) return;
  throw new Error(`${what}; status ${response.status}, body ${response.body.slice(0, 400)}`);
}

function hasModel(model: string | undefined, expected: Expected): boolean {
  return expected.model === null || model === expected.model;
}

function hasUsage(usage: Usage | null | undefined, tokens: number): boolean {
  return usage?.prompt_tokens === PROMPT_TOKENS && usage.completion_tokens === tokens;
}

/** Throws unless the response is the mock's whole non-stream answer. */
export function checkCompletion(response: ReceivedResponse, expected: Expected): void {
  demand(response.status === 200, "status is not 200", response);
  const body = JSON.parse(response.body) as Completion;
  const choice = body.choices?.[0];
  demand(choice?.message?.content === WORD.repeat(expected.tokens), "wrong text", response);
  demand(choice?.finish_reason === "stop", "wrong finish reason", response);
  demand(hasModel(body.model, expected), "wrong model", response);
  demand(hasUsage(body.usage, expected.tokens), "wrong usage", response);
}

interface MessageEvent {
  type?: string;
  message?: { model?: string };
  delta?: { text?: string; stop_reason?: string };
  usage?: { input_tokens?: number; output_tokens?: number };
}

/** Throws unless the response is the mock's whole stream as a Messages client gets it. */
export function checkMessageStream(response: ReceivedResponse, expected: Expected): void {
  demand(response.status === 200, "status is not 200", response);
  let words = 0;
  let last: MessageEvent = {};
  let end: MessageEvent = {};
  for (const block of response.body.split("\n\n").filter((text) => text !== "")) {
    const event = JSON.parse(block.slice(block.indexOf("data: ") + 6)) as MessageEvent;
    if (event.type === "message_start") {
      demand(hasModel(event.message?.model, expected), "wrong model", response);
    }
    if (event.delta?.text) words += event.delta.text === WORD ? 1 : Number.NaN;
    if (event.type === "message_delta") end = event;
    last = event;
  }
  demand(last.type === "message_stop", "the stream does not end with message_stop", response);
  demand(words === expected.tokens, `${words} of ${expected.tokens} content events`, response);
  demand(end.delta?.stop_reason === "end_turn", "wrong stop reason", response);
  const { input_tokens, output_tokens } = end.usage ?? {};
  const counted = input_tokens === PROMPT_TOKENS && output_tokens === expected.tokens;
  demand(counted, "wrong usage", response);
}

/** Throws unless the response is the mock's whole stream, chunk for chunk, up to `[DONE]`. */
export function checkStream(response: ReceivedResponse, expected: Expected): void {
  demand(response.status === 200, "status is not 200", response);
  const events = response.body.split("\n\n").filter((event) => event !== "" && event[0] !== ":");
  demand(events.pop() === "data: [DONE]", "the stream does not end with [DONE]", response);
  let words = 0;
  let finish: string | null | undefined;
  let usage: Usage | null | undefined;
  for (const event of events) {
    demand(event.startsWith("data: "), "an event without data", response);
    const chunk = JSON.parse(event.slice(6)) as Chunk;
    demand(hasModel(chunk.model, expected), "wrong model in a chunk", response);
    const choice = chunk.choices?.[0];
    if (choice?.delta?.content) words += choice.delta.content === WORD ? 1 : Number.NaN;
    finish = choice?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  demand(words === expected.tokens, `${words} of ${expected.tokens} content chunks`, response);
  demand(finish === "stop", "wrong finish reason", response);
  demand(hasUsage(usage, expected.tokens), "wrong usage", response);
}
