import { isObject, type JsonObject } from "../fields.ts";
import { objectOf } from "../optional.ts";
import {
  inputTokens,
  readCacheWrites,
  readCounts,
  totalTokens,
  type Usage,
  withVendorCost,
} from "../usage.ts";

/**
 * Some vendors count thinking beside the completion instead of inside it. The total, which they
 * leave to no one, says which of the two it is.
 */
function outputOf(usage: JsonObject, reasoning: unknown): unknown {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  if (typeof reasoning !== "number" || !(reasoning > 0)) return completion;
  if (typeof prompt !== "number" || typeof completion !== "number") return completion;
  return total === prompt + completion + reasoning ? completion + reasoning : completion;
}

/** `usage` of a chat completion or chunk; undefined where the vendor said nothing. */
export function readChatUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = objectOf(usage.prompt_tokens_details);
  const reasoning = objectOf(usage.completion_tokens_details).reasoning_tokens;
  const written = prompt.cache_write_tokens ?? prompt.cache_creation_input_tokens;
  const { short, long } = readCacheWrites(written, prompt.cache_creation);
  const counts = readCounts({
    input: usage.prompt_tokens,
    cacheRead: prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
    cacheWrite: short,
    cacheWriteLong: long,
    output: outputOf(usage, reasoning),
    reasoning,
    total: usage.total_tokens,
  });
  return withVendorCost(counts, usage);
}

/** A vendor that shows its sources has searched, though this wire has no count of searches. */
export function withSearch(usage: Usage | undefined, searched: boolean): Usage | undefined {
  return usage && searched ? { ...usage, webSearches: Math.max(usage.webSearches, 1) } : usage;
}

/** Counts in the words of this wire. */
export function writeChatUsage(usage: Usage): JsonObject {
  const written = usage.cacheWrite + usage.cacheWriteLong;
  return {
    prompt_tokens: inputTokens(usage),
    completion_tokens: usage.output,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: written },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
