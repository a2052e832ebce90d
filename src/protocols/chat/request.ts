import type { Limits } from "../../config.ts";
import {
  checkContent,
  checkRole,
  emptyArray,
  isObject,
  type JsonObject,
  missing,
  optionalArray,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  requiredModel,
  unsupported,
  wrongType,
} from "../fields.ts";
import { JsonText } from "../splice.ts";
import { isUnpricedMedia } from "../unpriced.ts";
import type { ClientRequest } from "../wire.ts";

/** The member that counts, and the older one that some clients still send. */
export const OUTPUT_MAXIMA = ["max_completion_tokens", "max_tokens"] as const;

function checkPart(part: JsonObject, path: string): void {
  if (isUnpricedMedia(part)) {
    throw unsupported(path, "Audio and video have no price here; send text or images instead.");
  }
  const file = part.file;
  if (part.type === "file" && isObject(file) && file.file_id !== undefined) {
    throw unsupported(
      `${path}.file.file_id`,
      "Files of a vendor's account cannot be used here; send 'file_data' instead of 'file_id'.",
    );
  }
}

function checkMessage(message: unknown, path: string): void {
  if (!isObject(message)) throw wrongType(path, "an object", message);
  if (message.audio !== undefined && message.audio !== null) {
    throw unsupported(
      `${path}.audio`,
      "Audio of a vendor's account cannot be used here; send text.",
    );
  }
  checkRole(message.role, `${path}.role`, ["tool", "function"]);
  const calls = message.tool_calls ?? message.function_call ?? message.refusal;
  if (message.content === undefined && calls === undefined) throw missing(`${path}.content`);
  if (message.content === undefined) return;
  checkContent(message.content, `${path}.content`);
  if (!Array.isArray(message.content)) return;
  message.content.forEach((part, i) => {
    checkPart(part, `${path}.content[${i}]`);
  });
}

function checkTools(body: JsonObject): void {
  optionalArray(body, "tools")?.forEach((tool, i) => {
    const path = `tools[${i}]`;
    if (!isObject(tool)) throw wrongType(path, "an object", tool);
    if (typeof tool.type !== "string" || tool.type === "") throw missing(`${path}.type`);
    if (tool.type !== "function" && tool.type !== "custom") return;
    const inner = tool[tool.type];
    if (!isObject(inner)) throw missing(`${path}.${tool.type}`);
    if (typeof inner.name !== "string" || inner.name === "")
      throw missing(`${path}.${tool.type}.name`);
  });
}

function checkSampling(body: JsonObject): void {
  optionalNumber(body, "temperature", { min: 0, max: 2 });
  optionalNumber(body, "top_p", { min: 0, max: 1 });
  optionalNumber(body, "presence_penalty", { min: -2, max: 2 });
  optionalNumber(body, "frequency_penalty", { min: -2, max: 2 });
  optionalBoolean(body, "logprobs");
  optionalInteger(body, "top_logprobs", { min: 0, max: 20 });
  optionalBoolean(body, "parallel_tool_calls");
  optionalObject(body, "response_format");
  optionalString(body, "reasoning_effort");
  optionalString(body, "service_tier");
  optionalObject(body, "web_search_options");
  // Not of this wire, but it bounds what a search may cost wherever it stands.
  optionalInteger(body, "max_tool_calls", { min: 1, max: 10_000 });
}

function refuseUnpriced(body: JsonObject): void {
  const modalities = optionalArray(body, "modalities");
  if (modalities?.some((modality) => modality !== "text") || body.audio) {
    throw unsupported("modalities", "Only text has a price here; ask for the modality 'text'.");
  }
}

export function readChatRequest(value: unknown, text: string, limits: Limits): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  const model = requiredModel(value);
  if (value.messages === undefined || value.messages === null) throw missing("messages");
  const messages = optionalArray(value, "messages") ?? [];
  if (messages.length === 0) throw emptyArray("messages");
  messages.forEach((message, i) => {
    checkMessage(message, `messages[${i}]`);
  });
  const stream = optionalBoolean(value, "stream") ?? false;
  optionalObject(value, "stream_options");
  checkTools(value);
  checkSampling(value);
  refuseUnpriced(value);
  const bounds = { min: 1, max: limits.output_tokens_max };
  const maxima = OUTPUT_MAXIMA.map((name) => optionalInteger(value, name, bounds));
  const maxOutput = maxima.find((max) => max !== undefined);
  const choices = optionalInteger(value, "n", { min: 1, max: limits.choices_max }) ?? 1;
  return {
    model,
    stream,
    maxOutput,
    choices,
    webSearch: isObject(value.web_search_options),
    body: value,
    json: new JsonText(text),
  };
}

/** Whether the client itself asked for the usage chunk of a stream. */
export function wantsUsage(request: ClientRequest): boolean {
  const options = request.body.stream_options;
  return isObject(options) && options.include_usage === true;
}
