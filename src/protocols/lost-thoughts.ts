import type { ReasoningItem } from "./canon.ts";

/** By this name a client hears of thoughts of earlier turns that a vendor is not given. */
export const LOST_THOUGHTS = "reasoning";

function saysAnything({ summary, text, sealed }: ReasoningItem): boolean {
  return sealed !== undefined || Boolean(text) || summary.some((part) => part !== "");
}

/** What a client is told of thoughts of which a vendor gets nothing: no word of those that are empty. */
export function lostThoughts(thoughts: readonly ReasoningItem[]): string[] {
  return thoughts.some(saysAnything) ? [LOST_THOUGHTS] : [];
}
