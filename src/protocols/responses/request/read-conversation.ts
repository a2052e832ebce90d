import type { Conversation, Format, Item } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { boolean, number, objectOf, present, text } from "../../optional.ts";
import { hasUnpricedTier } from "../../unpriced.ts";
import type { ClientRequest } from "../../wire.ts";
import { readInputItem } from "./read-item.ts";
import { readToolChoice, readTools } from "./read-tools.ts";

/** Members that have their place in the conversation, or that mean nothing to a vendor. */
const PLACED = [
  ...["model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls"],
  ...["max_output_tokens", "max_tool_calls", "temperature", "top_p", "top_logprobs", "text"],
  ...["presence_penalty", "frequency_penalty", "reasoning", "stream", "stream_options"],
  ...["user", "safety_identifier", "prompt_cache_key", "store", "include", "metadata"],
  ...["truncation", "previous_response_id", "background", "client_metadata", "service_tier"],
];
const PLACED_TEXT = ["format", "verbosity"];
const PLACED_REASONING = ["effort", "summary", "generate_summary"];

export const LOGPROBS = "message.output_text.logprobs";

function unplaced(holder: JsonObject, placed: readonly string[], prefix = ""): string[] {
  return Object.keys(holder)
    .filter((name) => holder[name] !== undefined && holder[name] !== null && !placed.includes(name))
    .map((name) => prefix + name);
}

function readItems(body: JsonObject, lost: string[]): Item[] {
  const { input } = body;
  if (typeof input === "string") {
    return [{ type: "message", role: "user", parts: [{ type: "text", text: input }] }];
  }
  if (!Array.isArray(input)) return [];
  return input.flatMap((raw, i) => {
    // Such an item holds nothing but tools, which are read with the others.
    const holdsTools = isObject(raw) && Array.isArray(raw.tools) && raw.content === undefined;
    if (!isObject(raw) || holdsTools) return [];
    return readInputItem(raw, { path: `input[${i}]`, lost });
  });
}

function readFormat(format: unknown): Format | undefined {
  if (!isObject(format)) return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  if (format.type !== "json_schema" || !isObject(format.schema)) return undefined;
  return {
    type: "json_schema",
    name: text(format.name) ?? "answer",
    schema: format.schema,
    ...present({ strict: boolean(format.strict), description: text(format.description) }),
  };
}

function readTopLogprobs(body: JsonObject): number | undefined {
  const asked = Array.isArray(body.include) && body.include.includes(LOGPROBS);
  const alternatives = number(body.top_logprobs) ?? 0;
  return asked || alternatives > 0 ? alternatives : undefined;
}

/** What cannot be said in the shared conversation, by its place in the body. */
function lostMembers(body: JsonObject): string[] {
  return [
    ...unplaced(body, PLACED),
    ...unplaced(objectOf(body.text), PLACED_TEXT, "text."),
    ...unplaced(objectOf(body.reasoning), PLACED_REASONING, "reasoning."),
    ...(hasUnpricedTier(body) ? ["service_tier"] : []),
    // Only vendors of this wire shorten a conversation that is too long for them.
    ...(body.truncation === "auto" ? ["truncation"] : []),
  ];
}

export function readResponsesConversation({ body, stream }: ClientRequest): Conversation {
  const lost = lostMembers(body);
  const items = readItems(body, lost);
  const tools = readTools(body);
  const toolChoice = readToolChoice(body.tool_choice, tools);
  const said = body.tool_choice !== undefined && body.tool_choice !== null;
  if (said && !toolChoice) lost.push("tool_choice");
  const reasoning = objectOf(body.reasoning);
  const shape = objectOf(body.text);
  return {
    instructions: text(body.instructions),
    items,
    tools,
    toolChoice,
    parallelToolCalls: boolean(body.parallel_tool_calls),
    maxOutput: number(body.max_output_tokens),
    temperature: number(body.temperature),
    topP: number(body.top_p),
    presencePenalty: number(body.presence_penalty),
    frequencyPenalty: number(body.frequency_penalty),
    stop: [],
    format: readFormat(shape.format),
    effort: text(reasoning.effort),
    summary: text(reasoning.summary) ?? text(reasoning.generate_summary),
    verbosity: text(shape.verbosity),
    topLogprobs: readTopLogprobs(body),
    choices: 1,
    user: text(body.safety_identifier) ?? text(body.user),
    cacheKey: text(body.prompt_cache_key),
    stream,
    lost,
  };
}
