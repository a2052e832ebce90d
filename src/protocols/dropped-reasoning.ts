import type { ReasoningItem } from "./canon.ts";

/** The name by which a client learns that a vendor does not get the reasoning of earlier turns. */
export const DROPPED_REASONING = "reasoning";

function saysAnything({ summary, text, sealed }: ReasoningItem): boolean {
  return sealed !== undefined || Boolean(text) || summary.some((part) => part !== "");
}

/** The names that tell a client of dropped reasoning. Empty reasoning is not named. */
export function droppedReasoning(thoughts: readonly ReasoningItem[]): string[] {
  return thoughts.some(saysAnything) ? [DROPPED_REASONING] : [];
}
