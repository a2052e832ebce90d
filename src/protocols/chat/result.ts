import { usageText } from "../answer-usage.ts";
import { faultOfEvent } from "../faults.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { JsonText } from "../splice.ts";
import { textTokens } from "../text-tokens.ts";
import type { AnswerEnd, AnswerOptions, VendorResult } from "../wire.ts";
import { readChatUsage, writeChatUsage } from "./usage.ts";

/** Tokens that a message or a delta carries, as estimated: text, refusal, reasoning, tool calls. */
export function messageTokens(message: unknown): number {
  if (!isObject(message)) return 0;
  let tokens = 0;
  for (const name of ["content", "refusal", "reasoning_content", "reasoning"]) {
    const text = message[name];
    if (typeof text === "string") tokens += textTokens(text);
  }
  if (Array.isArray(message.tool_calls)) {
    for (const call of message.tool_calls) {
      const inner = isObject(call) ? (call.function ?? call.custom) : undefined;
      if (!isObject(inner)) continue;
      for (const text of [inner.name, inner.arguments, inner.input]) {
        if (typeof text === "string") tokens += textTokens(text);
      }
    }
  }
  return tokens;
}

function resultTokens(body: JsonObject): number {
  let tokens = 0;
  if (!Array.isArray(body.choices)) return tokens;
  for (const choice of body.choices) tokens += isObject(choice) ? messageTokens(choice.message) : 0;
  return tokens;
}

/** The answer, or the last chunk of one, under our name of the model. */
export function writeChat(text: string, model: string, end: AnswerEnd): string {
  const json = new JsonText(text);
  return json.edit({ model, usage: usageText(json, end, writeChatUsage) });
}

export function readChatResult(text: string): VendorResult {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const failure =
    isObject(body.error) && !Array.isArray(body.choices) ? faultOfEvent(body) : undefined;
  if (!failure && !Array.isArray(body.choices))
    throw new Error("the vendor's answer has no choices");
  return {
    id: typeof body.id === "string" ? body.id : undefined,
    usage: readChatUsage(body.usage),
    get outputTokens() {
      return resultTokens(body);
    },
    webSearches: 0,
    failure,
    body,
    write: (options: AnswerOptions, end: AnswerEnd) =>
      writeChat(text, JSON.stringify(options.model), end),
  };
}
