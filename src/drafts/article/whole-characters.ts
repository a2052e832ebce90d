/** Half of a character of two, as is left of an emoji that a text was cut through. */
const HALF = /\p{Surrogate}/gu;

function whole(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.replace(HALF, "");
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, whole(member)]));
}

/**
 * A text, or all texts of an article, without halves of characters. No encoding has them: JSON writes each as six
 * characters, which the platform shows like that, and by which nobody finds the article again.
 */
export function inWholeCharacters<Words>(words: Words): Words {
  return whole(words) as Words;
}
