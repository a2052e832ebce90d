import { usageText } from "../../answer-usage.ts";
import type { ObjectText } from "../../bytes/splice.ts";
import { isObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import { errorIn } from "../../status-in-body.ts";
import { tokensOf } from "../../text-tokens.ts";
import type { VendorResult } from "../../wire.ts";
import { faultOfMessagesEvent } from "../faults.ts";
import { readMessagesUsage, writeMessagesUsage } from "../usage.ts";

/** What a block or a delta carries of the model's own: text, thinking, calls of tools. */
export function blockTexts(block: unknown): string[] {
  if (!isObject(block)) return [];
  const { type, text, thinking, partial_json, input, name } = block;
  const texts = [text, thinking, partial_json].filter((value) => typeof value === "string");
  if (isObject(input) && Object.keys(input).length > 0) texts.push(JSON.stringify(input));
  // A call without input, or whose input is about to be streamed, is something all the same.
  else if (type === "tool_use" && typeof name === "string") texts.push(name);
  return texts;
}

/** Tokens that a block or a delta carries, as estimated. */
export function blockTokens(block: unknown): number {
  return tokensOf(blockTexts(block));
}

export function readMessagesResult(body: unknown, json: ObjectText): VendorResult {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const { content } = body;
  const failure = errorIn(body) && !Array.isArray(content) ? faultOfMessagesEvent(body) : undefined;
  if (!failure && !Array.isArray(content)) throw new Error("the vendor's answer has no content");
  const usage = readMessagesUsage(body.usage);
  return {
    id: typeof body.id === "string" ? body.id : undefined,
    usage,
    get outputTokens() {
      return objectsOf(content).reduce((sum, block) => sum + blockTokens(block), 0);
    },
    webSearches: usage?.webSearches ?? 0,
    failure,
    body,
    write: (options, end) =>
      json.written({
        model: JSON.stringify(options.model),
        usage: usageText(json, end, writeMessagesUsage),
      }),
  };
}
