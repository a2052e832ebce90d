import { isObject, type JsonObject } from "../fields.ts";
import { number, objectOf, objectsOf } from "../optional.ts";
import { inputTokens, readCounts, totalTokens, type Usage, withVendorCost } from "../usage.ts";

/**
 * Ours: how much of `cache_write_tokens` was written to be kept for long. The wire has no word for
 * it, and without one its price would be lost on the way from a vendor of another wire.
 */
const CACHE_WRITE_LONG = "cache_write_long_tokens";

/** Searches that were really made. A call that failed or was only declared costs nothing. */
export function completedSearches(output: unknown): number {
  const isMade = ({ type, status }: JsonObject) =>
    type === "web_search_call" && status === "completed";
  return objectsOf(output).filter(isMade).length;
}

/** `usage` of a response object; undefined where the vendor said nothing. */
export function readResponseUsage(response: JsonObject): Usage | undefined {
  const { usage } = response;
  if (!isObject(usage)) return undefined;
  const input = objectOf(usage.input_tokens_details);
  const output = objectOf(usage.output_tokens_details);
  const long = number(input[CACHE_WRITE_LONG]) ?? 0;
  const written = input.cache_write_tokens;
  const counts = readCounts(
    {
      input: usage.input_tokens,
      cacheRead: input.cached_tokens,
      cacheWrite: long > 0 ? (number(written) ?? 0) - long : written,
      cacheWriteLong: long,
      output: usage.output_tokens,
      reasoning: output.reasoning_tokens,
      total: usage.total_tokens,
    },
    completedSearches(response.output),
  );
  return withVendorCost(counts, usage);
}

/** Counts in the words of this wire. */
export function writeResponseUsage(usage: Usage): JsonObject {
  const { cacheRead, cacheWrite, cacheWriteLong } = usage;
  return {
    input_tokens: inputTokens(usage),
    input_tokens_details: {
      cached_tokens: cacheRead,
      cache_write_tokens: cacheWrite + cacheWriteLong,
      ...(cacheWriteLong > 0 ? { [CACHE_WRITE_LONG]: cacheWriteLong } : {}),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: totalTokens(usage),
  };
}
