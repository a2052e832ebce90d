import { isObject, type JsonObject } from "../fields.ts";
import { inputTokens, totalTokens, toUsage, type Usage } from "../usage.ts";

/** `usage` of a chat completion or chunk; undefined where the vendor said nothing. */
export function readChatUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt: JsonObject = isObject(usage.prompt_tokens_details)
    ? usage.prompt_tokens_details
    : {};
  const completion: JsonObject = isObject(usage.completion_tokens_details)
    ? usage.completion_tokens_details
    : {};
  return toUsage({
    input: usage.prompt_tokens,
    cacheRead: prompt.cached_tokens,
    cacheWrite: prompt.cache_write_tokens,
    output: usage.completion_tokens,
    reasoning: completion.reasoning_tokens,
  });
}

/** Counts in the words of this wire. */
export function writeChatUsage(usage: Usage): JsonObject {
  return {
    prompt_tokens: inputTokens(usage),
    completion_tokens: usage.output,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
