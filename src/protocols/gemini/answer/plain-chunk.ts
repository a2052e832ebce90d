import { isObject, type JsonObject } from "../../fields.ts";
import type { Path } from "../../members/find-paths.ts";
import { blockOf, finishOf } from "./chunks.ts";

/** Counts that grow with every chunk of a stream; what was read is the same from the first one on. */
const GROWING = ["candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount"];

export const GROWING_COUNTS: readonly Path[] = GROWING.map((name) => ["usageMetadata", name]);

/** What a vendor counted, with the counts that have grown since. */
export function grownCounts(counts: JsonObject, numbers: ArrayLike<number>): JsonObject {
  const grown = GROWING.map((name, i) => [name, numbers[i]] as const);
  return { ...counts, ...Object.fromEntries(grown.filter(([, count]) => !Number.isNaN(count))) };
}

/** Whether these counts, or none, say the same in a chunk behind this one but for what has grown. */
function areSteady({ usageMetadata }: JsonObject): boolean {
  if (!isObject(usageMetadata)) return true;
  const { promptTokenCount } = usageMetadata;
  return typeof promptTokenCount === "number" && promptTokenCount > 0;
}

const TEXT: Path = ["candidates", 0, "content", "parts", 0, "text"];

/**
 * Where the text stands of a chunk that says nothing else: another like it, with another text, would
 * have no other effect. None of any other chunk.
 */
export function plainTexts(chunk: JsonObject): readonly Path[] {
  const [candidate, ...others] = Array.isArray(chunk.candidates) ? chunk.candidates : [];
  if (!isObject(candidate) || others.length > 0 || finishOf(candidate) !== undefined) return [];
  const isSearch = candidate.groundingMetadata !== undefined;
  return isSearch || blockOf(chunk) !== undefined || !areSteady(chunk) ? [] : [TEXT];
}
