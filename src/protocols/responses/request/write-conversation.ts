import { createHash } from "node:crypto";
import { composed } from "../../bytes/written-body.ts";
import type { Conversation } from "../../canon.ts";
import { type JsonObject, unsupported } from "../../fields.ts";
import { nearestEffort } from "../../nearest-effort.ts";
import { present } from "../../optional.ts";
import type { UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { LOGPROBS } from "./read-conversation.ts";
import { ENCRYPTED_REASONING } from "./request.ts";
import { writeItems } from "./write-item.ts";
import { writeToolChoice, writeTools } from "./write-tools.ts";

/** Vendors of this wire refuse to write less. */
const MAX_OUTPUT_MIN = 16;
/** Vendors of this wire refuse longer names of users and caches. */
const NAME_CHARS_MAX = 64;

/** What the wire has no word for and a different answer would follow from leaving it out. */
function refuseUnsayable({ stop, choices }: Conversation): void {
  if (stop.length > 0) {
    throw unsupported("stop", "The model behind this name does not take stop sequences.");
  }
  if (choices > 1) {
    throw unsupported("n", "The model behind this name writes one answer at a time.");
  }
}

/** A name in the length that vendors take, still one for each. */
function shortName(name: string | undefined): string | undefined {
  if (name === undefined || name.length <= NAME_CHARS_MAX) return name;
  return createHash("sha256").update(name).digest("hex").slice(0, NAME_CHARS_MAX);
}

function maxOutputOf(conversation: Conversation, options: UpstreamOptions): number | undefined {
  const limits = [conversation.maxOutput, options.outputClamp].filter((n) => n !== undefined);
  if (limits.length === 0) return undefined;
  return Math.max(MAX_OUTPUT_MIN, Math.min(...limits, options.maxOutput));
}

function writeText({ format, verbosity }: Conversation): JsonObject | undefined {
  const members = present({ format, verbosity });
  return Object.keys(members).length > 0 ? members : undefined;
}

function writeReasoning(
  conversation: Conversation,
  { rules }: UpstreamOptions,
  dropped: Set<string>,
): JsonObject | undefined {
  const { effort, isOther } = nearestEffort(conversation, rules);
  const members = present({ effort, summary: conversation.summary });
  if (Object.keys(members).length === 0) return undefined;
  if (rules.includes("never_thinks")) {
    if (effort !== "none") dropped.add("reasoning");
    return undefined;
  }
  if (isOther) dropped.add("reasoning_effort");
  return members;
}

function writeInclude(
  { topLogprobs }: Conversation,
  keepReasoning: boolean,
): readonly string[] | undefined {
  const include = [
    ...(keepReasoning ? [ENCRYPTED_REASONING] : []),
    ...(topLogprobs === undefined ? [] : [LOGPROBS]),
  ];
  return include.length > 0 ? include : undefined;
}

/** Settings that the wire does not know, or the model refuses. They guide an answer, no more. */
function writeSampling(
  conversation: Conversation,
  { rules }: UpstreamOptions,
  dropped: Set<string>,
): JsonObject {
  const { seed, topK, presencePenalty, frequencyPenalty, temperature, topP } = conversation;
  if (seed !== undefined) dropped.add("seed");
  if (topK !== undefined) dropped.add("top_k");
  if (presencePenalty) dropped.add("presence_penalty");
  if (frequencyPenalty) dropped.add("frequency_penalty");
  const sampling = present({ temperature, top_p: topP });
  if (!rules.includes("no_sampling")) return sampling;
  for (const name of Object.keys(sampling)) dropped.add(name);
  return {};
}

/** Nothing about tools may be said where none is left. */
function writeToolMembers(
  conversation: Conversation,
  { webSearch, searchesMax }: UpstreamOptions,
  dropped: Set<string>,
): JsonObject {
  const tools = writeTools(conversation.tools, webSearch, dropped);
  if (tools.length === 0) return {};
  const toolChoice = writeToolChoice(conversation, webSearch);
  if (toolChoice === undefined && conversation.toolChoice) dropped.add("tool_choice");
  const search = webSearch && conversation.tools.find((tool) => tool.type === "web_search");
  return {
    tools,
    ...present({
      tool_choice: toolChoice,
      parallel_tool_calls: conversation.parallelToolCalls,
      max_tool_calls: search ? Math.min(search.maxCalls ?? searchesMax, searchesMax) : undefined,
    }),
  };
}

export function writeResponsesConversation(
  conversation: Conversation,
  options: UpstreamOptions,
): UpstreamBody {
  refuseUnsayable(conversation);
  const dropped = new Set<string>();
  const reasoning = writeReasoning(conversation, options, dropped);
  const thinks = reasoning !== undefined && reasoning.effort !== "none";
  const maxOutput = maxOutputOf(conversation, options);
  if (maxOutput !== undefined && maxOutput > (conversation.maxOutput ?? maxOutput)) {
    dropped.add("max_output_tokens");
  }
  const body = {
    model: options.model,
    ...present({ instructions: conversation.instructions }),
    input: writeItems(conversation.items, dropped),
    ...writeToolMembers(conversation, options, dropped),
    ...writeSampling(conversation, options, dropped),
    ...present({
      max_output_tokens: maxOutput,
      text: writeText(conversation),
      reasoning,
      include: writeInclude(conversation, options.keepReasoning || thinks),
      top_logprobs: conversation.topLogprobs,
      user: shortName(conversation.user),
      prompt_cache_key: shortName(conversation.cacheKey),
    }),
    store: false,
    stream: conversation.stream,
  };
  return composed(body, [...dropped], { maxOutput });
}
