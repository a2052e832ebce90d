import { isSearchAction } from "../canon.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { number, objectOf, objectsOf } from "../optional.ts";
import {
  counted,
  inputTokens,
  readCounts,
  totalTokens,
  type Usage,
  withVendorCost,
} from "../usage.ts";

/**
 * Ours: how much of `cache_write_tokens` was written to be kept for long. The wire has no word for
 * it, and without one its price would be lost on the way from a vendor of another wire.
 */
const CACHE_WRITE_LONG = "cache_write_long_tokens";

/** Searches as the vendor counts them for its bill; undefined where it does not. */
export function billedSearches({ tool_usage, usage }: JsonObject): number | undefined {
  const openai = objectOf(objectOf(tool_usage).web_search).num_requests;
  const xai = objectOf(objectOf(usage).server_side_tool_usage_details).web_search_calls;
  return counted(openai) ?? counted(xai);
}

/** Searches in a list of items that were really made: one that failed or was only declared costs nothing. */
export function completedSearches(output: unknown): number {
  const isMade = ({ type, status, action }: JsonObject) =>
    type === "web_search_call" && status === "completed" && isSearchAction(action);
  return objectsOf(output).filter(isMade).length;
}

/** The searches of an answer. */
export function searchesOf(response: JsonObject): number {
  return billedSearches(response) ?? completedSearches(response.output);
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
    searchesOf(response),
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
