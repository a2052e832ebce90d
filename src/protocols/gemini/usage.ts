import { isObject, type JsonObject } from "../fields.ts";
import {
  added,
  inputTokens,
  readCounts,
  totalTokens,
  type Usage,
  withVendorCost,
} from "../usage.ts";

/** `usageMetadata` of an answer or a chunk; undefined where the vendor said nothing. */
export function readGeminiUsage(usage: unknown, webSearches = 0): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { promptTokenCount, totalTokenCount, thoughtsTokenCount } = usage;
  const counts = readCounts(
    {
      // What the vendor's own tools read stands outside the prompt and is billed like it.
      input: promptTokenCount && added(promptTokenCount, usage.toolUsePromptTokenCount),
      cacheRead: usage.cachedContentTokenCount,
      // This vendor leaves out what is zero.
      output:
        added(usage.candidatesTokenCount, thoughtsTokenCount) ?? (totalTokenCount ? undefined : 0),
      reasoning: thoughtsTokenCount,
      total: totalTokenCount,
    },
    webSearches,
  );
  return withVendorCost(counts, usage);
}

/** Counts in the words of this wire. */
export function writeGeminiUsage(usage: Usage): JsonObject {
  return {
    promptTokenCount: inputTokens(usage),
    candidatesTokenCount: usage.output - usage.reasoning,
    totalTokenCount: totalTokens(usage),
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  };
}
