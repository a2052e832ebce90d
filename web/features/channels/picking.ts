import type { ListedName } from "../../../src/console/operator/contract/channels.ts";
import { wordsIn } from "./channel-form.ts";

/** How a name of the vendor's stands in the form: by our id, and by its own where that is another. */
function wordOf({ name, model }: ListedName): string {
  return model === null || model === name ? name : `${model}=${name}`;
}

/** All words but the one that stands for whatever the vendor lists. */
function pickedWords(typed: string): string[] {
  return wordsIn(typed).filter((word) => word !== "fetch");
}

export function isPicked(typed: string, row: ListedName): boolean {
  const words = pickedWords(typed);
  return words.includes(wordOf(row)) || (row.model !== null && words.includes(row.model));
}

/** The form's text with one more of the vendor's models, or without it. */
export function picked(typed: string, row: ListedName, on: boolean): string {
  const others = pickedWords(typed).filter((word) => word !== wordOf(row) && word !== row.model);
  return [...others, ...(on ? [wordOf(row)] : [])].join(", ");
}
