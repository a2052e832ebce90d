import { composed } from "../../bytes/written-body.ts";
import { type Conversation, type Format, type MessageItem, splitSystem } from "../../canon.ts";
import { type JsonObject, unsupported } from "../../fields.ts";
import type { UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { isNearestEffort, writeThinking } from "./thinking.ts";
import { writeContents } from "./write-contents.ts";
import { writeTools } from "./write-tools.ts";

function systemTexts(instructions: string | undefined, leading: readonly MessageItem[]): string[] {
  const texts = leading
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [instructions ?? "", ...texts].filter((text) => text !== "");
}

function writeFormat(format: Format | undefined): JsonObject {
  if (!format) return {};
  const responseMimeType = "application/json";
  if (format.type === "json_object") return { responseMimeType };
  return { responseMimeType, responseJsonSchema: format.schema };
}

/** The least of the maxima that there are. */
function maxOutputOf({ maxOutput }: Conversation, options: UpstreamOptions): number | undefined {
  const { outputClamp } = options;
  if (maxOutput === undefined) return outputClamp;
  return Math.min(maxOutput, options.maxOutput, outputClamp ?? maxOutput);
}

/** Settings by the names that the vendor has for them too, and those of the wires for what is left out. */
const SAMPLING = [
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["topK", "top_k"],
  ["presencePenalty", "presence_penalty"],
  ["frequencyPenalty", "frequency_penalty"],
] as const;

function writeSampling(
  conversation: Conversation,
  options: UpstreamOptions,
  dropped: string[],
): JsonObject {
  const refused = options.rules.includes("no_sampling");
  const written: Record<string, number> = {};
  for (const [name, clientName] of SAMPLING) {
    const value = conversation[name];
    // A penalty of nothing is none, and many models refuse the very member.
    if (value === undefined || (value === 0 && name.endsWith("Penalty"))) continue;
    if (refused) dropped.push(clientName);
    else written[name] = value;
  }
  return written;
}

function writeConfig(
  conversation: Conversation,
  options: UpstreamOptions,
  dropped: string[],
): JsonObject {
  const { seed, stop, topLogprobs } = conversation;
  const maxOutputTokens = maxOutputOf(conversation, options);
  const thinkingConfig = writeThinking(conversation, options);
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...writeSampling(conversation, options, dropped),
    ...(seed === undefined ? {} : { seed }),
    ...(stop.length > 0 ? { stopSequences: stop } : {}),
    ...writeFormat(conversation.format),
    ...(topLogprobs === undefined ? {} : { responseLogprobs: true }),
    ...(topLogprobs ? { logprobs: topLogprobs } : {}),
    ...(thinkingConfig ? { thinkingConfig } : {}),
  };
}

/** Settings that the vendor has no words for. */
function droppedSettings(conversation: Conversation, options: UpstreamOptions): string[] {
  return [
    ...(isNearestEffort(conversation, options) ? ["reasoning_effort"] : []),
    ...(conversation.parallelToolCalls === false ? ["parallel_tool_calls"] : []),
    ...(conversation.verbosity === undefined ? [] : ["verbosity"]),
    ...(conversation.user === undefined ? [] : ["user"]),
    ...(conversation.cacheKey === undefined ? [] : ["prompt_cache_key"]),
  ];
}

export function writeGeminiConversation(
  conversation: Conversation,
  options: UpstreamOptions,
): UpstreamBody {
  if (conversation.choices > 1) {
    throw unsupported("n", "This model answers once; ask for one choice ('n': 1).");
  }
  const dropped = droppedSettings(conversation, options);
  const { leading, rest } = splitSystem(conversation.items);
  const parts = systemTexts(conversation.instructions, leading).map((text) => ({ text }));
  const strict = options.rules.includes("thinking_level");
  const tools = writeTools(conversation, options, dropped);
  const config = writeConfig(conversation, options, dropped);
  // The vendor must be told something: instructions alone are what the user says.
  const isLone = rest.length === 0 && parts.length > 0;
  const written = isLone
    ? { contents: [{ role: "user", parts }], dropped: [] }
    : writeContents(rest, strict);
  const body = {
    ...(parts.length > 0 && !isLone ? { systemInstruction: { parts } } : {}),
    contents: written.contents,
    ...tools,
    ...(Object.keys(config).length > 0 ? { generationConfig: config } : {}),
  };
  const used = { maxOutput: maxOutputOf(conversation, options) };
  return composed(body, [...dropped, ...written.dropped], used);
}
