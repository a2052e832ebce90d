import { type ObjectText, withMember } from "./bytes/splice.ts";
import type { JsonObject } from "./fields.ts";
import type { Usage } from "./usage.ts";
import type { AnswerEnd } from "./wire.ts";

/**
 * The usage of an answer as JSON text: in the vendor's own words where they are what was priced,
 * otherwise that, in the words of the wire; with the cost where the key shows it.
 */
export function usageText(
  json: ObjectText,
  end: AnswerEnd,
  write: (usage: Usage) => JsonObject,
  name = "usage",
): string {
  const told = end.mended ? "" : (json.memberText(name) ?? "");
  const counts = told.startsWith("{") && told !== "{}" ? told : JSON.stringify(write(end.usage));
  if (end.cost === undefined) return counts;
  return withMember(counts, "cost", JSON.stringify(end.cost));
}
