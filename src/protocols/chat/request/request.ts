import type { Limits } from "../../../config/config.ts";
import { JsonText } from "../../bytes/splice.ts";
import {
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalInteger,
  requiredModel,
  wrongType,
} from "../../fields.ts";
import type { ClientRequest, CountedInput } from "../../wire.ts";
import { checkChatBody } from "./check-request.ts";

export function readChatRequest(value: unknown, text: string, limits: Limits): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  const model = requiredModel(value);
  checkChatBody(value);
  const stream = optionalBoolean(value, "stream") ?? false;
  const most = limits.output_tokens_max;
  // The member that counts, and the older one that some clients still send.
  const newer = optionalInteger(value, "max_completion_tokens", 1, most);
  const older = optionalInteger(value, "max_tokens", 1, most);
  const choices = optionalInteger(value, "n", 1, limits.choices_max) ?? 1;
  return {
    model,
    stream,
    maxOutput: newer ?? older,
    choices,
    webSearch: isObject(value.web_search_options),
    body: value,
    json: new JsonText(text),
  };
}

/** The parts of the body that the vendor will count as input. */
export function inputOfChat({ body, webSearch }: ClientRequest): CountedInput {
  const { web_search_options } = body;
  return {
    conversation: body.messages,
    tools: [
      body.tools,
      body.functions,
      body.response_format,
      webSearch ? { web_search_options } : undefined,
    ],
  };
}

/** Whether a client declares functions in the older form, and so reads calls only in that. */
export function isOlderForm({ functions, tools }: JsonObject): boolean {
  return isFilled(functions) && !isFilled(tools);
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

/** Whether the client itself asked for the usage chunk of a stream: in OpenAI's words, or in OpenRouter's. */
export function wantsUsage({ body }: ClientRequest): boolean {
  const { stream_options: options, usage } = body;
  if (isObject(options) && options.include_usage === true) return true;
  return isObject(usage) && usage.include === true;
}
