import type { ReasoningItem } from "./canon.ts";

/** What stands between thoughts, and between the parts of one. */
export const THOUGHT_GAP = "\n\n";

type Kind = "summary" | "thinking";

/**
 * A thought as one text: its summary, then the thinking itself. Vendors that tell it by both names often say
 * the same twice, which is shown once.
 */
export function shownThought(
  { summary, text = "" }: ReasoningItem,
  first: Kind = "summary",
): string {
  const summed = summary.filter((part) => part !== "").join(THOUGHT_GAP);
  const texts = first === "summary" ? [summed, text] : [text, summed];
  return [...new Set(texts)].filter((said) => said !== "").join(THOUGHT_GAP);
}

/**
 * The same while it comes. What a vendor tells by a second name waits for the end of the thought, where it is known
 * whether it says anything new.
 */
export class ThoughtTelling {
  #kind: Kind | undefined;
  #part = 0;
  #told = "";

  /** What a delta adds to the text that is shown. */
  add(kind: Kind, delta: string, part = 0): string {
    if (delta === "") return "";
    this.#kind ??= kind;
    if (kind !== this.#kind) return "";
    const gap = part === this.#part || this.#told === "" ? "" : THOUGHT_GAP;
    this.#part = part;
    this.#told += gap + delta;
    return gap + delta;
  }

  /** What the whole thought has beyond that. One that went another way is left as it was told. */
  rest(thought: ReasoningItem): string {
    const whole = shownThought(thought, this.#kind);
    return whole.startsWith(this.#told) ? whole.slice(this.#told.length) : "";
  }
}
