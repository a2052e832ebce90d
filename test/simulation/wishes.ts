import type { Customer } from "./customers.ts";
import type { Dice } from "./dice.ts";
import { WIRE_NAMES, type WireName } from "./frames.ts";
import { MODELS, type SimModel } from "./models.ts";

/** When a client goes away before its answer is there. */
type Leaving =
  | { readonly how: "never" }
  | { readonly how: "after_ms"; readonly ms: number }
  | { readonly how: "after_chunks"; readonly chunks: number }
  /** It stays connected and takes no more. */
  | { readonly how: "stops_reading"; readonly chunks: number };

/** What one client wants and how it behaves. */
export interface Wish {
  readonly id: string;
  readonly customer: Customer;
  readonly wire: WireName;
  readonly model: SimModel;
  readonly stream: boolean;
  readonly prompt: string;
  readonly maxOutput: number | undefined;
  readonly fallbacks: readonly string[] | undefined;
  readonly stickyTo: string | undefined;
  readonly wantsUsage: boolean;
  readonly leaving: Leaving;
  readonly readPauseMs: number;
}

function leavingOf(dice: Dice): Leaving {
  if (dice.chance(0.65)) return { how: "never" };
  const how = dice.pick(["after_ms", "after_ms", "after_chunks", "stops_reading"] as const);
  if (how !== "after_ms") return { how, chunks: dice.between(0, 8) };
  // Some leave at once, some while they wait in line, some in the middle, some near the end.
  return { how, ms: dice.pick([0, 1, 3, dice.between(0, 60), dice.between(0, 4_000)]) };
}

export function drawWish(id: string, customer: Customer, dice: Dice): Wish {
  const wire = dice.pick(WIRE_NAMES);
  const [main, spare] = MODELS;
  const wantsFallback = wire === "chat" || wire === "responses";
  return {
    id,
    customer,
    wire,
    model: dice.chance(0.8) ? main : spare,
    stream: dice.chance(0.65),
    prompt: "Tell me of it. ".repeat(dice.between(1, 40)),
    // On this wire clients must say it.
    maxOutput: wire === "messages" || dice.chance(0.5) ? dice.between(16, 400) : undefined,
    fallbacks: wantsFallback && dice.chance(0.15) ? [spare.id] : undefined,
    stickyTo: wire === "responses" && dice.chance(0.3) ? `c${dice.between(1, 5)}` : undefined,
    wantsUsage: dice.chance(0.5),
    leaving: leavingOf(dice),
    readPauseMs: dice.chance(0.2) ? dice.between(100, 4_000) : 0,
  };
}

interface Sent {
  readonly path: string;
  readonly url: string;
  readonly params: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: object;
}

function common(wish: Wish) {
  const { model, stream, fallbacks } = wish;
  return { model: model.id, stream, ...(fallbacks ? { models: fallbacks } : {}) };
}

function openai(wish: Wish, path: string, body: object): Sent {
  const url = `http://gateway.invalid${path}`;
  const headers = { authorization: `Bearer ${wish.customer.secret}` };
  return { path, url, params: {}, headers, body: { ...common(wish), ...body } };
}

const REQUESTS: Readonly<Record<WireName, (wish: Wish) => Sent>> = {
  chat: (wish) =>
    openai(wish, "/v1/chat/completions", {
      messages: [{ role: "user", content: wish.prompt }],
      ...(wish.maxOutput === undefined ? {} : { max_completion_tokens: wish.maxOutput }),
      ...(wish.stream && wish.wantsUsage ? { stream_options: { include_usage: true } } : {}),
    }),
  responses: (wish) =>
    openai(wish, "/v1/responses", {
      input: wish.prompt,
      ...(wish.maxOutput === undefined ? {} : { max_output_tokens: wish.maxOutput }),
      ...(wish.stickyTo === undefined ? {} : { prompt_cache_key: wish.stickyTo }),
    }),
  messages: (wish) => ({
    path: "/v1/messages",
    url: "http://gateway.invalid/v1/messages",
    params: {},
    headers: { "x-api-key": wish.customer.secret, "anthropic-version": "2023-06-01" },
    body: {
      model: wish.model.id,
      stream: wish.stream,
      max_tokens: wish.maxOutput,
      messages: [{ role: "user", content: wish.prompt }],
    },
  }),
  gemini: (wish) => {
    const method = wish.stream ? "streamGenerateContent" : "generateContent";
    const call = `${wish.model.id}:${method}`;
    const config = { generationConfig: { maxOutputTokens: wish.maxOutput } };
    return {
      path: "/v1beta/models/:id",
      url: `http://gateway.invalid/v1beta/models/${call}${wish.stream ? "?alt=sse" : ""}`,
      params: { id: call },
      headers: { "x-goog-api-key": wish.customer.secret },
      body: {
        contents: [{ role: "user", parts: [{ text: wish.prompt }] }],
        ...(wish.maxOutput === undefined ? {} : config),
      },
    };
  },
};

/** The request as a client of its wire sends it. */
export function requestOf(wish: Wish): Sent {
  return REQUESTS[wish.wire](wish);
}
