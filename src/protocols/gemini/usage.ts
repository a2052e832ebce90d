import { isObject, type JsonObject } from "../fields.ts";
import { type JsonText, withMember } from "../splice.ts";
import { inputTokens, totalTokens, toUsage, type Usage } from "../usage.ts";
import type { AnswerEnd } from "../wire.ts";

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** `usageMetadata` of an answer or a chunk; undefined where the vendor said nothing. */
export function readGeminiUsage(usage: unknown, webSearches = 0): Usage | undefined {
  if (!isObject(usage)) return undefined;
  return toUsage(
    {
      // What the vendor's own tools read stands outside the prompt and is billed like it.
      input: count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount),
      cacheRead: usage.cachedContentTokenCount,
      output: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
      reasoning: usage.thoughtsTokenCount,
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
 * The usage of an answer as JSON text: in the vendor's own words where it said something, otherwise
 * what was priced; with the cost where the key shows it.
 */
export function usageMetadataText(json: JsonText, end: AnswerEnd): string {
  const span = json.locate("usageMetadata");
  const told = span ? json.text.slice(span.start, span.end) : "";
  const counts = told.startsWith("{") ? told : JSON.stringify(writeGeminiUsage(end.usage));
  if (end.cost === undefined) return counts;
  return withMember(counts, "cost", JSON.stringify(end.cost));
}
