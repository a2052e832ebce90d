import type { Conversation } from "../../canon.ts";
import { type JsonObject, optionalNumber } from "../../fields.ts";
import { boolean, number, text } from "../../optional.ts";
import { hasUnpricedTier } from "../../unpriced.ts";
import type { ClientRequest } from "../../wire.ts";
import { readMessages } from "./read-messages.ts";
import { readFormat, readToolChoice, readTools } from "./read-tools.ts";
import { isOlderForm } from "./request.ts";
import { readThinking } from "./thinking.ts";

/** Members that have a place in the shared conversation. */
const KEPT = [
  ...["model", "messages", "stream", "n", "max_completion_tokens", "max_tokens", "stop", "seed"],
  ...["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"],
  ...["temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty"],
  ...["response_format", "verbosity", "logprobs", "top_logprobs"],
  ...["reasoning_effort", "reasoning", "include_reasoning", "thinking"],
  ...["user", "safety_identifier", "prompt_cache_key", "web_search_options", "max_tool_calls"],
];

/** Members that lose nothing by their absence: ours to obey, or for what a vendor would keep. */
const SILENT = ["stream_options", "usage", "store", "metadata", "modalities", "service_tier"];

const KNOWN = new Set([...KEPT, ...SILENT]);

function lostMembers(body: JsonObject): string[] {
  const lost = Object.keys(body).filter((name) => !KNOWN.has(name) && body[name] !== null);
  if (hasUnpricedTier(body)) lost.push("service_tier");
  return lost;
}

function readStop({ stop }: JsonObject): string[] {
  const all: unknown[] = Array.isArray(stop) ? stop : [stop];
  return all.filter((each) => typeof each === "string");
}

function readSampling(body: JsonObject) {
  return {
    temperature: number(body.temperature),
    topP: number(body.top_p),
    topK: optionalNumber(body, "top_k"),
    presencePenalty: number(body.presence_penalty),
    frequencyPenalty: number(body.frequency_penalty),
    seed: number(body.seed),
    stop: readStop(body),
    topLogprobs: body.logprobs === true ? (number(body.top_logprobs) ?? 0) : undefined,
  };
}

/** A client's body as the conversation that every wire knows. */
export function readChatConversation(request: ClientRequest): Conversation {
  const { body } = request;
  // The older form has room for one call.
  const parallel = isOlderForm(body) ? false : body.parallel_tool_calls;
  return {
    items: readMessages(body.messages),
    tools: readTools(body),
    toolChoice: readToolChoice(body),
    parallelToolCalls: boolean(parallel),
    maxOutput: request.maxOutput,
    ...readSampling(body),
    ...readThinking(body),
    format: readFormat(body),
    verbosity: text(body.verbosity),
    choices: request.choices,
    user: text(body.safety_identifier) ?? text(body.user),
    cacheKey: text(body.prompt_cache_key),
    stream: request.stream,
    lost: lostMembers(body),
  };
}
