import { skipSpace } from "./bytes/json-scan.ts";
import { JsonText, type ObjectText } from "./bytes/splice.ts";
import type { JsonObject } from "./fields.ts";
import type { Usage } from "./usage.ts";
import type { AnswerEnd } from "./wire.ts";

/** The names under which vendors and resellers write what they charge us. Clients never see them. */
const COSTS = {
  cost: undefined,
  cost_details: undefined,
  cost_exact: undefined,
  cost_in_usd_ticks: undefined,
  estimated_cost: undefined,
};

/** Removes what the vendor charges us from its counts. */
export function withoutCosts(counts: string): string {
  const mayHaveOne = counts.startsWith("{") && counts.includes("cost");
  return mayHaveOne ? new JsonText(counts).edit(COSTS) : counts;
}

/** Returns the vendor's own counts as JSON text, if it wrote any. */
export function toldUsage(json: ObjectText, name = "usage"): string | undefined {
  const counts = json.memberText(name);
  return counts && withoutCosts(counts);
}

/** Whether a text is a JSON object with at least one member. */
function hasMembers(text: string): boolean {
  return text.startsWith("{") && skipSpace(text, 1) < text.length - 1;
}

/**
 * Writes the usage of an answer as JSON text: in the vendor's own words if they are what was priced, else in the words
 * of the wire; with the cost if the key shows it.
 */
export function usageText(
  json: ObjectText,
  end: AnswerEnd,
  write: (usage: Usage) => JsonObject,
  name = "usage",
): string {
  const told = (!end.mended && toldUsage(json, name)) || "";
  const counts = hasMembers(told) ? told : JSON.stringify(write(end.usage));
  const { cost } = end;
  if (cost === undefined) return counts;
  // Our decimals are valid JSON numbers, and no vendor's cost is left in these counts.
  return `${counts.slice(0, -1)},"cost":${cost},"cost_exact":"${cost}"}`;
}

/** Adds the cost to counts that are an object: as a number, and as an exact decimal. */
export function withCost(counts: JsonObject, { cost }: Pick<AnswerEnd, "cost">): JsonObject {
  return cost === undefined ? counts : { ...counts, cost: Number(cost), cost_exact: cost };
}
