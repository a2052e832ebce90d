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
