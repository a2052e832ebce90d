import type { Conversation } from "../../canon.ts";
import {
  isObject,
  type JsonObject,
  optionalNumber,
  optionalString,
  wrongType,
} from "../../fields.ts";
import { hasUnpricedTier } from "../../unpriced.ts";
import type { ClientRequest } from "../../wire.ts";
import { readMessages } from "./read-messages.ts";
import { readFormat, readToolChoice, readTools } from "./read-tools.ts";
import { isOlderForm } from "./request.ts";

/** Members that have a place in the shared conversation. */
const KEPT = [
  ...["model", "messages", "stream", "n", "max_completion_tokens", "max_tokens", "stop", "seed"],
  ...["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"],
  ...["temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty"],
  ...["response_format", "reasoning_effort", "reasoning", "verbosity", "logprobs", "top_logprobs"],
  ...["user", "safety_identifier", "prompt_cache_key", "web_search_options", "max_tool_calls"],
];

/** Members that lose nothing by their absence: ours to obey, or for what a vendor would keep. */
const SILENT = ["stream_options", "store", "metadata", "modalities", "service_tier"];

const KNOWN = new Set([...KEPT, ...SILENT]);
const ANY_NUMBER = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

function lostMembers(body: JsonObject): string[] {
  const lost = Object.keys(body).filter((name) => !KNOWN.has(name) && body[name] !== null);
  if (hasUnpricedTier(body)) lost.push("service_tier");
  return lost;
}

function readStop(body: JsonObject): string[] {
  const { stop } = body;
  if (stop === undefined || stop === null) return [];
  const all = Array.isArray(stop) ? stop : [stop];
  for (const each of all) {
    if (typeof each !== "string") throw wrongType("stop", "a string or an array of strings", stop);
  }
  return all;
}

/** How much to think and whether to show it, in OpenAI's word and in the object of others. */
function readThinking(body: JsonObject) {
  const more: JsonObject = isObject(body.reasoning) ? body.reasoning : {};
  const isOff = more.enabled === false ? "none" : undefined;
  const effort = optionalString(more, "effort", "reasoning.effort") ?? isOff;
  const { max_tokens: budget } = more;
  return {
    effort: optionalString(body, "reasoning_effort") ?? effort,
    thinkingBudget: typeof budget === "number" ? Math.trunc(budget) : undefined,
    summary: optionalString(more, "summary", "reasoning.summary"),
  };
}

function readSampling(body: JsonObject) {
  const number = (name: string) => optionalNumber(body, name, ANY_NUMBER);
  return {
    temperature: number("temperature"),
    topP: number("top_p"),
    topK: number("top_k"),
    presencePenalty: number("presence_penalty"),
    frequencyPenalty: number("frequency_penalty"),
    seed: number("seed"),
    stop: readStop(body),
    topLogprobs: body.logprobs === true ? (number("top_logprobs") ?? 0) : undefined,
  };
}

/** A client's body as the conversation that every wire knows. */
export function readChatConversation(request: ClientRequest): Conversation {
  const { body } = request;
  // The older form has room for one call.
  const parallel = isOlderForm(body) ? false : body.parallel_tool_calls;
  return {
    items: readMessages(body.messages as readonly unknown[]),
    tools: readTools(body),
    toolChoice: readToolChoice(body),
    parallelToolCalls: typeof parallel === "boolean" ? parallel : undefined,
    maxOutput: request.maxOutput,
    ...readSampling(body),
    ...readThinking(body),
    format: readFormat(body),
    verbosity: optionalString(body, "verbosity"),
    choices: request.choices,
    user: optionalString(body, "safety_identifier") ?? optionalString(body, "user"),
    cacheKey: optionalString(body, "prompt_cache_key"),
    stream: request.stream,
    lost: lostMembers(body),
  };
}
