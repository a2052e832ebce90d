import { isObject, type JsonObject } from "../fields.ts";
import { inputTokens, totalTokens, toUsage, type Usage } from "../usage.ts";

/** Searches that were really made. A call that failed or was only declared costs nothing. */
export function completedSearches(output: unknown): number {
  if (!Array.isArray(output)) return 0;
  return output.filter(
    (item) => isObject(item) && item.type === "web_search_call" && item.status === "completed",
  ).length;
}

/** `usage` of a response object; undefined where the vendor said nothing. */
export function readResponseUsage(response: JsonObject): Usage | undefined {
  const { usage } = response;
  if (!isObject(usage)) return undefined;
  const input: JsonObject = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output: JsonObject = isObject(usage.output_tokens_details)
    ? usage.output_tokens_details
    : {};
  return toUsage(
    {
      input: usage.input_tokens,
      cacheRead: input.cached_tokens,
      cacheWrite: input.cache_write_tokens,
      output: usage.output_tokens,
      reasoning: output.reasoning_tokens,
    },
    completedSearches(response.output),
  );
}

/** Counts in the words of this wire. */
export function writeResponseUsage(usage: Usage): JsonObject {
  return {
    input_tokens: inputTokens(usage),
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: totalTokens(usage),
  };
}
