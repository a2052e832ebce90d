// A vendor of the chat wire that writes as many tokens as a test says, and counts them as it likes.
import type { plainChannel } from "../../src/upstream/channels/channels.ts";
import { sentText } from "../support/vendors/sent-text.ts";

type Send = Parameters<typeof plainChannel>[0]["send"];

/** What an answer is like. It travels in the request's text, so that a vendor needs no memory. */
export interface Script {
  /** Tokens that it would write, had it no maximum: one for each word. */
  readonly words: number;
  /** Tokens that it counts as thought, which nobody sees. */
  readonly thoughts: number;
  readonly counts: "honest" | "none" | "empty" | "too much output" | "too much input" | "negative";
  /** Whether it stops at a maximum that it is told. */
  readonly obeys: boolean;
  readonly searches: boolean;
  /** Tokens that it reads, where that is known. */
  readonly input?: number;
  /** Words in one event of a stream. */
  readonly step: number;
}

const WORD = " the";
const INPUT = 12;
const MANY = 150_000;
const SOURCES = [{ type: "url_citation", url_citation: { url: "https://a.test", title: "a" } }];

interface Asked {
  readonly stream?: boolean;
  readonly n?: number;
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
}

function usageOf(script: Script, written: number): object | undefined {
  const honest = { prompt_tokens: script.input ?? INPUT, completion_tokens: written };
  switch (script.counts) {
    case "none":
      return undefined;
    case "empty":
      return {};
    case "too much output":
      return { ...honest, completion_tokens: written + MANY };
    case "too much input":
      return { ...honest, prompt_tokens: MANY };
    case "negative":
      return { prompt_tokens: -5, completion_tokens: -7 };
    default:
      return honest;
  }
}

function scriptIn(body: string): Script {
  const found = /<<(.*?)>>/.exec(body)?.[1];
  if (found === undefined) throw new Error("a request without a script");
  return JSON.parse(Buffer.from(found, "base64").toString()) as Script;
}

/** The text of a request that is answered so. */
export function promptOf(script: Script): string {
  return `Write. <<${Buffer.from(JSON.stringify(script)).toString("base64")}>>`;
}

function event(value: unknown): Uint8Array {
  return Buffer.from(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
}

function* eventsOf(script: Script, choices: number, words: number, total: number) {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "v" };
  const chunk = (index: number, delta: object, finish_reason: string | null = null) =>
    event({ ...head, choices: [{ index, delta, finish_reason }] });
  for (let index = 0; index < choices; index++) yield chunk(index, { role: "assistant" });
  for (let written = 0; written < words; written += script.step) {
    const content = WORD.repeat(Math.min(script.step, words - written));
    for (let index = 0; index < choices; index++) yield chunk(index, { content });
  }
  if (script.searches) yield chunk(0, { annotations: SOURCES });
  const reason = words < script.words ? "length" : "stop";
  for (let index = 0; index < choices; index++) yield chunk(index, {}, reason);
  const usage = usageOf(script, total);
  if (usage) yield event({ ...head, choices: [], usage });
  yield event("[DONE]");
}

function whole(script: Script, choices: number, words: number, total: number): Response {
  const message = {
    role: "assistant",
    content: WORD.repeat(words),
    ...(script.searches ? { annotations: SOURCES } : {}),
  };
  const all = Array.from({ length: choices }, (_, index) => ({
    ...{ index, message },
    finish_reason: words < script.words ? "length" : "stop",
  }));
  const usage = usageOf(script, total);
  const head = { id: "chatcmpl-1", object: "chat.completion", created: 1, model: "v" };
  return Response.json({ ...head, choices: all, ...(usage ? { usage } : {}) });
}

/** Answers as the script in the request says, an event at a time. */
export const playScript: Send = async (call, _key, signal) => {
  const asked = JSON.parse(sentText(call)) as Asked;
  const script = scriptIn(sentText(call));
  const choices = asked.n ?? 1;
  const told = asked.max_completion_tokens ?? asked.max_tokens ?? Number.POSITIVE_INFINITY;
  const most = script.obeys ? told : Number.POSITIVE_INFINITY;
  // It thinks first, and what it may write is what is left of its maximum.
  const thoughts = Math.min(script.thoughts, most);
  const words = Math.max(0, Math.min(script.words, most - thoughts));
  const total = (words + thoughts) * choices;
  await Bun.sleep(0);
  signal.throwIfAborted();
  if (!asked.stream) return whole(script, choices, words, total);
  const events = eventsOf(script, choices, words, total);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      await Bun.sleep(0);
      if (signal.aborted) return;
      const { value, done } = events.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};
