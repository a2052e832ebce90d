import { usageText } from "../answer-usage.ts";
import { isObject } from "../fields.ts";
import { JsonText } from "../splice.ts";
import { textTokens } from "../text-tokens.ts";
import type { VendorResult } from "../wire.ts";
import { faultOfMessagesEvent } from "./faults.ts";
import { readMessagesUsage, writeMessagesUsage } from "./usage.ts";

/** Tokens that a block or a delta carries, as estimated: text, thinking, calls of tools. */
export function blockTokens(block: unknown): number {
  if (!isObject(block)) return 0;
  let tokens = 0;
  for (const name of ["text", "thinking", "partial_json"]) {
    const text = block[name];
    if (typeof text === "string") tokens += textTokens(text);
  }
  if (isObject(block.input) && Object.keys(block.input).length > 0) {
    tokens += textTokens(JSON.stringify(block.input));
  } else if (block.type === "tool_use" && typeof block.name === "string") {
    // A call without input, or whose input is about to be streamed, is something all the same.
    tokens += textTokens(block.name);
  }
  return tokens;
}

export function readMessagesResult(text: string): VendorResult {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const { content } = body;
  const failure =
    isObject(body.error) && !Array.isArray(content) ? faultOfMessagesEvent(body) : undefined;
  if (!failure && !Array.isArray(content)) throw new Error("the vendor's answer has no content");
  const usage = readMessagesUsage(body.usage);
  return {
    id: typeof body.id === "string" ? body.id : undefined,
    usage,
    get outputTokens() {
      return Array.isArray(content)
        ? content.reduce<number>((sum, block) => sum + blockTokens(block), 0)
        : 0;
    },
    webSearches: usage?.webSearches ?? 0,
    failure,
    body,
    write: (options, end) => {
      const json = new JsonText(text);
      return json.edit({
        model: JSON.stringify(options.model),
        usage: usageText(json, end, writeMessagesUsage),
      });
    },
  };
}
