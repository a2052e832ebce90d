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
export interface PlannedRequest {
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

export function drawRequest(id: string, customer: Customer, dice: Dice): PlannedRequest {
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

function common(planned: PlannedRequest) {
  const { model, stream, fallbacks } = planned;
  return { model: model.id, stream, ...(fallbacks ? { models: fallbacks } : {}) };
}

function openai(planned: PlannedRequest, path: string, body: object): Sent {
  const url = `http://gateway.invalid${path}`;
  const headers = { authorization: `Bearer ${planned.customer.secret}` };
  return { path, url, params: {}, headers, body: { ...common(planned), ...body } };
}

const REQUESTS: Readonly<Record<WireName, (planned: PlannedRequest) => Sent>> = {
  chat: (planned) =>
    openai(planned, "/v1/chat/completions", {
      messages: [{ role: "user", content: planned.prompt }],
      ...(planned.maxOutput === undefined ? {} : { max_completion_tokens: planned.maxOutput }),
      ...(planned.stream && planned.wantsUsage ? { stream_options: { include_usage: true } } : {}),
    }),
  responses: (planned) =>
    openai(planned, "/v1/responses", {
      input: planned.prompt,
      ...(planned.maxOutput === undefined ? {} : { max_output_tokens: planned.maxOutput }),
      ...(planned.stickyTo === undefined ? {} : { prompt_cache_key: planned.stickyTo }),
    }),
  messages: (planned) => ({
    path: "/v1/messages",
    url: "http://gateway.invalid/v1/messages",
    params: {},
    headers: { "x-api-key": planned.customer.secret, "anthropic-version": "2023-06-01" },
    body: {
      model: planned.model.id,
      stream: planned.stream,
      max_tokens: planned.maxOutput,
      messages: [{ role: "user", content: planned.prompt }],
    },
  }),
  gemini: (planned) => {
    const method = planned.stream ? "streamGenerateContent" : "generateContent";
    const call = `${planned.model.id}:${method}`;
    const config = { generationConfig: { maxOutputTokens: planned.maxOutput } };
    return {
      path: "/v1beta/models/:id",
      url: `http://gateway.invalid/v1beta/models/${call}${planned.stream ? "?alt=sse" : ""}`,
      params: { id: call },
      headers: { "x-goog-api-key": planned.customer.secret },
      body: {
        contents: [{ role: "user", parts: [{ text: planned.prompt }] }],
        ...(planned.maxOutput === undefined ? {} : config),
      },
    };
  },
};

/** The request as a client of its wire sends it. */
export function requestOf(planned: PlannedRequest): Sent {
  return REQUESTS[planned.wire](planned);
}
