import { composed } from "../../bytes/written-body.ts";
import type { Conversation } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { nearestEffort } from "../../nearest-effort.ts";
import type { UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { writeMessages } from "./write-messages.ts";
import {
  allowedTools,
  withSchema,
  writeFormat,
  writeSearch,
  writeTool,
  writeToolChoice,
} from "./write-tools.ts";

/** What models without sampling refuse. */
export const SAMPLING = ["temperature", "top_p", "presence_penalty", "frequency_penalty"];

/** Members that no client asked for: their absence is not worth a word. */
export const UNASKED = ["stream_options", "store", "metadata"];

type Body = Record<string, unknown>;

function outputMax(conversation: Conversation, options: UpstreamOptions): number | undefined {
  const { outputClamp } = options;
  const asked = conversation.maxOutput;
  if (asked === undefined && outputClamp === undefined) return undefined;
  return Math.min(asked ?? options.maxOutput, options.maxOutput, outputClamp ?? options.maxOutput);
}

function toolMembers(conversation: Conversation, options: UpstreamOptions, dropped: string[]) {
  const { dialect } = options;
  const choice = conversation.toolChoice;
  const tools = allowedTools(conversation.tools, choice, dialect);
  const written = tools.flatMap((tool) => writeTool(tool, dialect) ?? []);
  for (const tool of tools) if (tool.type === "foreign") dropped.push(tool.path);
  const search = tools.find((tool) => tool.type === "web_search");
  if (search && !options.webSearch) dropped.push("tools.web_search");
  const members: Body =
    search && options.webSearch ? { web_search_options: writeSearch(search) } : {};
  if (written.length === 0) return members;
  const tool_choice = writeToolChoice(choice, tools, dialect);
  if (choice && tool_choice === undefined) dropped.push("tool_choice");
  return {
    ...members,
    tools: written,
    tool_choice,
    parallel_tool_calls: conversation.parallelToolCalls,
  };
}

function plainMembers(conversation: Conversation, options: UpstreamOptions): Body {
  const { topLogprobs, choices, stop, stream } = conversation;
  return {
    [options.dialect.maxTokensName ?? "max_completion_tokens"]: outputMax(conversation, options),
    temperature: conversation.temperature,
    top_p: conversation.topP,
    presence_penalty: conversation.presencePenalty,
    frequency_penalty: conversation.frequencyPenalty,
    seed: conversation.seed,
    stop: stop.length > 0 ? stop : undefined,
    n: choices > 1 ? choices : undefined,
    verbosity: conversation.verbosity,
    logprobs: topLogprobs === undefined ? undefined : true,
    // Zero alternatives is what a vendor gives unasked.
    top_logprobs: topLogprobs || undefined,
    user: conversation.user,
    prompt_cache_key: conversation.cacheKey,
    stream: stream || undefined,
    stream_options: stream ? { include_usage: true } : undefined,
  };
}

/** Takes out what the vendor or the model refuses and returns the names worth telling. */
function refuse(body: Body, options: UpstreamOptions): string[] {
  const sampling = options.rules.includes("no_sampling") ? SAMPLING : [];
  const thinking = options.rules.includes("never_thinks") ? ["reasoning_effort"] : [];
  // Who asks it not to think has what was asked for.
  if (thinking.length > 0 && body.reasoning_effort === "none") body.reasoning_effort = undefined;
  const refused = [...(options.dialect.refuses ?? []), ...sampling, ...thinking];
  const found = refused.filter((name) => body[name] !== undefined);
  for (const name of found) body[name] = undefined;
  if (body.tools === undefined) {
    body.tool_choice = undefined;
    body.parallel_tool_calls = undefined;
  }
  return found.filter((name) => !UNASKED.includes(name));
}

function formatMembers(
  conversation: Conversation,
  messages: readonly JsonObject[],
  options: UpstreamOptions,
  dropped: string[],
): Body {
  const { format } = conversation;
  if (!format) return { messages };
  const response_format = writeFormat(format, options.dialect);
  if (response_format.type === format.type) return { messages, response_format };
  dropped.push("response_format.json_schema");
  return { messages: withSchema(messages, format), response_format };
}

/** The shared conversation as the body of a request to a chat vendor. */
export function writeChatConversation(
  conversation: Conversation,
  options: UpstreamOptions,
): UpstreamBody {
  const { messages, dropped } = writeMessages(conversation, options.dialect);
  const { effort, isOther } = nearestEffort(conversation, options.rules);
  const body: Body = {
    model: options.model,
    ...formatMembers(conversation, messages, options, dropped),
    ...toolMembers(conversation, options, dropped),
    ...plainMembers(conversation, options),
    reasoning_effort: effort,
  };
  if (isOther) dropped.push("reasoning_effort");
  if (conversation.topK !== undefined) dropped.push("top_k");
  dropped.push(...refuse(body, options));
  const used = {
    maxOutput: outputMax(conversation, options),
    effort: isOther && body.reasoning_effort !== undefined ? effort : undefined,
  };
  return composed(body, [...new Set(dropped)], used);
}
