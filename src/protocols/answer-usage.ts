import { JsonText, type ObjectText, withMember } from "./bytes/splice.ts";
import type { JsonObject } from "./fields.ts";
import type { Usage } from "./usage.ts";
import type { AnswerEnd } from "./wire.ts";

/** Words of vendors and resellers for what they took of us, which is no business of the client's. */
const COSTS = {
  cost: undefined,
  cost_details: undefined,
  cost_exact: undefined,
  cost_in_usd_ticks: undefined,
  estimated_cost: undefined,
};

/** A vendor's counts, as JSON text, without what it took for them. */
export function withoutCosts(counts: string): string {
  const mayHaveOne = counts.startsWith("{") && counts.includes("cost");
  return mayHaveOne ? new JsonText(counts).edit(COSTS) : counts;
}

/** What a vendor counted, in its own words; undefined where it has no word of it. */
export function toldUsage(json: ObjectText, name = "usage"): string | undefined {
  const counts = json.memberText(name);
  return counts && withoutCosts(counts);
}

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
  const told = (!end.mended && toldUsage(json, name)) || "";
  const counts = told.startsWith("{") && told !== "{}" ? told : JSON.stringify(write(end.usage));
  if (end.cost === undefined) return counts;
  // Our decimals are JSON numbers as they stand: nothing is rounded here.
  return withMember(withMember(counts, "cost", end.cost), "cost_exact", `"${end.cost}"`);
}

/** The same members for counts that are not text: the cost as a number, and the exact amount as a decimal. */
export function withCost(counts: JsonObject, { cost }: Pick<AnswerEnd, "cost">): JsonObject {
  return cost === undefined ? counts : { ...counts, cost: Number(cost), cost_exact: cost };
}
