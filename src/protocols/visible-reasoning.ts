import type { ReasoningItem } from "./canon.ts";

/** The text between two reasoning items, and between the parts of one. */
export const REASONING_GAP = "\n\n";

type Kind = "summary" | "thinking";

/**
 * A reasoning item as one text: its summary, then the thinking itself. Vendors that send both often send the same
 * text twice, which is shown once.
 */
export function visibleReasoning(
  { summary, text = "" }: ReasoningItem,
  first: Kind = "summary",
): string {
  const summed = summary.filter((part) => part !== "").join(REASONING_GAP);
  const texts = first === "summary" ? [summed, text] : [text, summed];
  return [...new Set(texts)].filter((said) => said !== "").join(REASONING_GAP);
}

/**
 * The same for a stream. Text of the second kind waits for the end of the item, which shows whether the text is
 * new.
 */
export class VisibleReasoningStream {
  #kind: Kind | undefined;
  #part = 0;
  #told = "";

  /** The text that a delta adds to the visible text. */
  add(kind: Kind, delta: string, part = 0): string {
    if (delta === "") return "";
    this.#kind ??= kind;
    if (kind !== this.#kind) return "";
    const gap = part === this.#part || this.#told === "" ? "" : REASONING_GAP;
    this.#part = part;
    this.#told += gap + delta;
    return gap + delta;
  }

  /** The text of the whole item that is still missing; nothing if the item differs from its deltas. */
  rest(thought: ReasoningItem): string {
    const whole = visibleReasoning(thought, this.#kind);
    return whole.startsWith(this.#told) ? whole.slice(this.#told.length) : "";
  }
}
