/** Stands for no choice: the browser knows. */
export const BROWSER_ZONE = "";

/** Every zone the browser knows, and the chosen one even where it does not. */
export function zoneNames(known: readonly string[], chosen: string | null): readonly string[] {
  const names = new Set(["UTC", ...known, ...(chosen ? [chosen] : [])]);
  return [...names].sort();
}

/** `America/New_York` as people read it: America / New York. */
export function zoneLabel(name: string): string {
  return name.replaceAll("_", " ").replaceAll("/", " / ");
}

/** Words without the signs between them, so that "new york" finds America/New_York. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s/_]+/g, " ")
    .trim();
}

/** The zone that a typed text means: one of that name, or the only one that has these words in its name. */
export function zoneMeant(names: readonly string[], typed: string): string | undefined {
  const words = plain(typed);
  if (words === "") return undefined;
  const exact = names.find((name) => plain(name) === words);
  if (exact !== undefined) return exact;
  const [first, second] = names.filter((name) => plain(name).includes(words));
  return second === undefined ? first : undefined;
}

/** Whether the browser knows a zone of that name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
