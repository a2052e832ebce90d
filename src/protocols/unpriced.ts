import type { JsonObject } from "./fields.ts";

/** Service tiers that cost what the catalogue says. */
const LISTED_TIERS = ["auto", "default"];

export function hasUnpricedTier(body: JsonObject): boolean {
  return typeof body.service_tier === "string" && !LISTED_TIERS.includes(body.service_tier);
}

/**
 * Leaves out the tools that a vendor would run and nothing here prices, and with the last of them
 * what only makes sense with tools. Returns the places of those that were left out.
 */
export function dropTools(
  body: JsonObject,
  isKept: (tool: unknown) => boolean,
  edits: Record<string, string | undefined>,
): string[] {
  if (!Array.isArray(body.tools) || body.tools.every(isKept)) return [];
  const kept = body.tools.filter(isKept);
  edits.tools = kept.length > 0 ? JSON.stringify(kept) : undefined;
  if (kept.length === 0) {
    edits.tool_choice = undefined;
    edits.parallel_tool_calls = undefined;
  }
  return body.tools.flatMap((tool, i) => (isKept(tool) ? [] : [`tools[${i}]`]));
}
