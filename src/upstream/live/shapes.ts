// The shapes of vendors' answers, as their documentation gives them, and the comparison of an answer with one.
import { isObject } from "../../protocols/fields.ts";
import type { VendorEndpoint } from "../vendors.ts";

/**
 * The types of members by their path. `?` marks a member that an answer need not have. `[]` is any element of an array,
 * and `[text]` is an element whose member `type` is `text`. The contents of a member of type `object`, `array` or `any`
 * are not compared.
 */
type Shape = Readonly<Record<string, string>>;

/** The calls that a wire is tried with. */
export type LiveCallName = "models" | "whole" | "stream" | "tool";

function optional(...paths: readonly string[]): Shape {
  return Object.fromEntries(paths.map((path) => [`${path}?`, "any"]));
}

function under(prefix: string, shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([path, type]) => [prefix + path, type]));
}

const RESPONSE: Shape = {
  id: "string",
  object: "string",
  created_at: "number",
  status: "string",
  model: "string",
  "usage.input_tokens": "number",
  "usage.output_tokens": "number",
  ...optional(
    ...["usage.total_tokens", "usage.input_tokens_details", "usage.output_tokens_details"],
    ...["usage.num_sources_used", "usage.num_server_side_tools_used", "usage.cost_in_usd_ticks"],
    ...["background", "billing", "completed_at", "content_filters", "conversation", "error"],
    ...["frequency_penalty", "incomplete_details", "instructions", "max_output_tokens"],
    ...["max_tool_calls", "metadata", "parallel_tool_calls", "presence_penalty"],
    ...["previous_response_id", "prompt", "prompt_cache_key", "prompt_cache_retention"],
    ...["reasoning", "safety_identifier", "service_tier", "store", "temperature", "text"],
    ...["tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user"],
  ),
};
const RESPONSE_ITEMS: Shape = {
  ...RESPONSE,
  ...optional("output[reasoning]"),
};
const RESPONSE_PLACE = optional(
  ...["item_id", "output_index", "content_index", "sequence_number", "obfuscation", "logprobs"],
);

const CHAT: Shape = {
  id: "string",
  object: "string",
  created: "number",
  model: "string",
  "choices[].index": "number",
  "choices[].finish_reason": "string",
  "usage.prompt_tokens": "number",
  "usage.completion_tokens": "number",
  ...optional(
    ...["usage.total_tokens", "usage.prompt_tokens_details", "usage.completion_tokens_details"],
    ...["usage.prompt_cache_hit_tokens", "usage.prompt_cache_miss_tokens", "usage.cached_tokens"],
    ...["usage.cost", "usage.cost_details", "usage.is_byok", "usage.num_sources_used"],
    ...["usage.cost_in_usd_ticks", "usage.queue_time", "usage.prompt_time"],
    ...["usage.completion_time", "usage.total_time", "usage.prompt_audio_seconds"],
    ...["choices[].logprobs", "choices[].native_finish_reason", "choices[].content_filter_results"],
    ...["choices[].seed", "choices[].stop_reason", "choices[].token_ids"],
    ...["system_fingerprint", "service_tier", "request_id", "provider", "x_groq", "prompt"],
    ...["prompt_filter_results", "timings", "stats", "kv_transfer_params", "base_resp"],
  ),
};
const CHAT_MESSAGE: Shape = {
  ...CHAT,
  "choices[].message.role": "string",
  ...optional(
    ...["refusal", "annotations", "audio", "function_call", "reasoning", "reasoning_content"].map(
      (name) => `choices[].message.${name}`,
    ),
    ...["reasoning_details", "name", "prefix"].map((name) => `choices[].message.${name}`),
  ),
};

const MESSAGE: Shape = {
  id: "string",
  type: "string",
  role: "string",
  model: "string",
  "usage.input_tokens": "number",
  "usage.output_tokens": "number",
  ...optional(
    ...["usage.cache_creation_input_tokens", "usage.cache_read_input_tokens"],
    ...["usage.cache_creation", "usage.server_tool_use", "usage.service_tier"],
    ...["usage.inference_geo", "usage.output_tokens_details", "usage.iterations", "usage.speed"],
    ...["stop_sequence", "stop_details", "container", "context_management", "base_resp"],
  ),
};
const MESSAGE_BLOCKS: Shape = {
  ...MESSAGE,
  stop_reason: "string",
  ...optional("content[thinking]", "content[redacted_thinking]"),
};

const GEMINI: Shape = {
  "candidates[].finishReason": "string",
  "usageMetadata.promptTokenCount": "number",
  "usageMetadata.candidatesTokenCount": "number",
  modelVersion: "string",
  ...optional(
    ...["totalTokenCount", "thoughtsTokenCount", "cachedContentTokenCount", "trafficType"].map(
      (name) => `usageMetadata.${name}`,
    ),
    ...["promptTokensDetails", "candidatesTokensDetails", "cacheTokensDetails", "serviceTier"].map(
      (name) => `usageMetadata.${name}`,
    ),
    ...["candidates[].index", "candidates[].safetyRatings", "candidates[].avgLogprobs"],
    ...["candidates[].citationMetadata", "candidates[].groundingMetadata"],
    ...["candidates[].finishMessage", "candidates[].tokenCount", "candidates[].content.role"],
    ...["candidates[].content.parts[].thought", "candidates[].content.parts[].thoughtSignature"],
    ...["responseId", "promptFeedback", "createTime", "modelStatus"],
  ),
};
const GEMINI_TEXT: Shape = { ...GEMINI, "candidates[].content.parts[].text": "string" };

const OPENAI_LIST: Shape = { "data[].id": "string" };

type Shapes = Readonly<Record<LiveCallName, Shape>>;

const SHAPES: Readonly<Record<Exclude<VendorEndpoint, "embeddings">, Shapes>> = {
  responses: {
    models: OPENAI_LIST,
    whole: {
      ...RESPONSE_ITEMS,
      "output[message].role": "string",
      "output[message].content[output_text].text": "string",
      ...optional("output[message].id", "output[message].status", "output[message].phase"),
      ...optional("output[message].content[output_text].annotations"),
      ...optional("output[message].content[output_text].logprobs"),
    },
    stream: {
      "[response.created].response": "object",
      "[response.output_item.added].item": "object",
      "[response.output_item.added].output_index": "number",
      "[response.output_text.delta].delta": "string",
      "[response.output_text.delta].item_id": "string",
      "[response.output_text.delta].output_index": "number",
      "[response.output_text.done].text": "string",
      "[response.output_item.done].item": "object",
      "[response.output_item.done].output_index": "number",
      ...under("[response.completed].response.", { ...RESPONSE, output: "array" }),
      ...optional(
        ...["[response.queued]", "[response.in_progress]", "[response.created].sequence_number"],
        ...["[response.content_part.added]", "[response.content_part.done]", "[keepalive]"],
        ...["[response.reasoning_summary_part.added]", "[response.reasoning_summary_part.done]"],
        ...["[response.reasoning_summary_text.delta]", "[response.reasoning_summary_text.done]"],
        ...["[response.reasoning_text.delta]", "[response.reasoning_text.done]"],
        ...["[response.completed].sequence_number"],
      ),
      ...under("[response.output_item.added].", optional("sequence_number")),
      ...under("[response.output_item.done].", optional("sequence_number")),
      ...under("[response.output_text.delta].", RESPONSE_PLACE),
      ...under("[response.output_text.done].", RESPONSE_PLACE),
    },
    tool: {
      ...RESPONSE_ITEMS,
      "output[function_call].call_id": "string",
      "output[function_call].name": "string",
      "output[function_call].arguments": "string",
      ...optional("output[function_call].id", "output[function_call].status", "output[message]"),
    },
  },
  chat: {
    models: OPENAI_LIST,
    whole: {
      ...CHAT_MESSAGE,
      "choices[].message.content": "string",
      ...optional("choices[].message.tool_calls"),
    },
    stream: {
      ...under("[].", CHAT),
      "[].choices[].finish_reason": "string|null",
      "[].choices[].delta.content": "string|null",
      ...under(
        "[].choices[].delta.",
        optional(
          ...["role", "refusal", "tool_calls", "function_call", "annotations", "reasoning"],
          ...["reasoning_content", "reasoning_details", "name", "token_ids"],
        ),
      ),
      ...under("[].", optional("obfuscation", "error")),
    },
    tool: {
      ...CHAT_MESSAGE,
      "choices[].message.tool_calls[].id": "string",
      "choices[].message.tool_calls[].function.name": "string",
      "choices[].message.tool_calls[].function.arguments": "string",
      ...optional("choices[].message.content"),
      ...optional("choices[].message.tool_calls[].type", "choices[].message.tool_calls[].index"),
    },
  },
  messages: {
    models: { "data[].id": "string" },
    whole: {
      ...MESSAGE_BLOCKS,
      "content[text].text": "string",
      ...optional("content[text].citations"),
    },
    stream: {
      ...under("[message_start].message.", { ...MESSAGE, content: "array" }),
      ...optional("[message_start].message.stop_reason"),
      "[content_block_start].index": "number",
      "[content_block_start].content_block": "object",
      "[content_block_delta].index": "number",
      "[content_block_delta].delta.type": "string",
      "[content_block_delta].delta.text": "string",
      ...under(
        "[content_block_delta].delta.",
        optional("thinking", "signature", "citation", "partial_json"),
      ),
      "[content_block_stop].index": "number",
      "[message_delta].delta.stop_reason": "string",
      "[message_delta].usage.output_tokens": "number",
      ...under("[message_delta].delta.", optional("stop_sequence", "stop_details", "container")),
      ...under(
        "[message_delta].usage.",
        optional(
          ...["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
          ...["cache_creation", "server_tool_use", "output_tokens_details", "iterations"],
          ...["service_tier", "inference_geo", "speed"],
        ),
      ),
      ...optional("[message_delta].context_management", "[ping]"),
      "[message_stop]": "object",
    },
    tool: {
      ...MESSAGE_BLOCKS,
      "content[tool_use].id": "string",
      "content[tool_use].name": "string",
      "content[tool_use].input": "object",
      ...optional("content[text]", "content[tool_use].caller"),
    },
  },
  gemini: {
    models: { "models[].name": "string" },
    whole: GEMINI_TEXT,
    stream: under("[].", GEMINI_TEXT),
    tool: {
      ...GEMINI,
      "candidates[].content.parts[].functionCall.name": "string",
      "candidates[].content.parts[].functionCall.args": "object",
      ...optional("candidates[].content.parts[].functionCall.id"),
      ...optional("candidates[].content.parts[].text"),
    },
  },
};

const EMBEDDINGS: Shape = {
  "data[].embedding": "array|string",
  "data[].index": "number",
  model: "string",
  "usage.prompt_tokens": "number",
  ...optional("object", "id", "created", "data[].object", "usage.total_tokens"),
  ...optional("usage.prompt_tokens_details", "usage.completion_tokens", "provider"),
};

/** Returns undefined for a call that the wire does not have. */
export function shapeOf(endpoint: VendorEndpoint, call: LiveCallName): Shape | undefined {
  if (endpoint !== "embeddings") return SHAPES[endpoint][call];
  if (call === "models") return OPENAI_LIST;
  return call === "whole" ? EMBEDDINGS : undefined;
}

/** The differences of an answer from its shape, by path. */
export interface Differences {
  /** Members and events that the shape has and the answer lacks. */
  readonly lacks: readonly string[];
  /** Members of another type, with that type. */
  readonly other: readonly string[];
  /** Members and events that the shape does not know. */
  readonly more: readonly string[];
}

interface Member {
  readonly types: readonly string[];
  isRequired: boolean;
  /** Whether the shape says what stands in it. */
  readonly isOpen: boolean;
}

function parentOf(path: string): string {
  if (path.endsWith("]")) return path.slice(0, path.lastIndexOf("["));
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("]")
    ? path.slice(0, dot)
    : path.slice(0, path.lastIndexOf("]") + 1);
}

/** Adds the objects and arrays in which the members of a shape stand. */
function membersOf(shape: Shape): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const [written, type] of Object.entries(shape)) {
    const isRequired = !written.endsWith("?");
    const path = isRequired ? written : written.slice(0, -1);
    members.set(path, { types: type.split("|"), isRequired, isOpen: false });
    for (let child = path; child !== ""; child = parentOf(child)) {
      const parent = parentOf(child);
      const types = [child.endsWith("]") ? "array" : "object"];
      const known = members.get(parent);
      if (known?.isOpen) known.isRequired ||= isRequired;
      else members.set(parent, { types, isRequired, isOpen: true });
    }
  }
  return members;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Collects the types of an answer's members by path, as deep as the shape goes. */
function seenIn(answer: unknown, members: ReadonlyMap<string, Member>): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  const tagged = new Set(
    [...members.keys()].filter((path) => /\[[^\]]+\]$/.test(path)).map(parentOf),
  );
  const look = (path: string, value: unknown) => {
    const types = seen.get(path) ?? new Set();
    seen.set(path, types.add(typeOf(value)));
    if (!members.get(path)?.isOpen) return;
    if (Array.isArray(value)) {
      for (const each of value) {
        const tag = tagged.has(path) && isObject(each) ? each.type : undefined;
        const element = `${path}[${typeof tag === "string" ? tag : ""}]`;
        look(element, each);
      }
    } else if (isObject(value)) {
      for (const [name, each] of Object.entries(value)) {
        const isTag = name === "type" && path.endsWith("]") && tagged.has(parentOf(path));
        if (!isTag) look(path === "" ? name : `${path}.${name}`, each);
      }
    }
  };
  look("", answer);
  return seen;
}

/** Compares an answer with its shape. If a whole object is lacking or unknown, only its own path is named. */
export function compare(answer: unknown, shape: Shape): Differences {
  const members = membersOf(shape);
  const seen = seenIn(answer, members);
  const lacks: string[] = [];
  const other: string[] = [];
  for (const [path, { types, isRequired, isOpen }] of members) {
    const found = [...(seen.get(path) ?? [])];
    // Vendors write null for an object that is not there yet.
    const isLacking = found.length === 0 || (isOpen && found.every((type) => type === "null"));
    const outer = path === "" ? undefined : parentOf(path);
    const isOutermost = outer === undefined || isFilled(seen.get(outer), members.get(outer));
    if (isLacking) {
      if (isRequired && isOutermost) lacks.push(path);
      continue;
    }
    const known = isOpen ? [...types, "null"] : types;
    const strange = found.filter((type) => !known.includes(type) && !types.includes("any"));
    if (strange.length > 0) other.push(`${path || "body"} (${strange.join(", ")})`);
  }
  const more = [...seen.keys()].filter((path) => !members.has(path));
  return { lacks, other, more };
}

/** Whether an object or array is there with something in it that can be compared. */
function isFilled(seen: ReadonlySet<string> | undefined, member: Member | undefined): boolean {
  return member?.types.some((type) => seen?.has(type)) ?? false;
}
