import { type JsonText, withMember } from "../bytes/splice.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { added, inputTokens, readCounts, totalTokens, type Usage } from "../usage.ts";
import type { AnswerEnd } from "../wire.ts";

/** `usageMetadata` of an answer or a chunk; undefined where the vendor said nothing. */
export function readGeminiUsage(usage: unknown, webSearches = 0): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { promptTokenCount, totalTokenCount, thoughtsTokenCount } = usage;
  return readCounts(
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

/**
 * The usage of an answer as JSON text: in the vendor's own words where they are what was priced,
 * otherwise that; with the cost where the key shows it.
 */
export function usageMetadataText(json: JsonText, end: AnswerEnd): string {
  const span = json.locate("usageMetadata");
  const told = span && !end.mended ? json.text.slice(span.start, span.end) : "";
  const counts =
    told.startsWith("{") && told !== "{}" ? told : JSON.stringify(writeGeminiUsage(end.usage));
  if (end.cost === undefined) return counts;
  return withMember(counts, "cost", JSON.stringify(end.cost));
}
