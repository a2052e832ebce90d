/** Clients refuse answers whose headers are long; people read the first few names anyway. */
const HEADER_CHARS_MAX = 2_000;
const NAME_CHARS_MAX = 100;

/**
 * The names of what was left out, as the value of a header. Many are the client's own words, so they
 * may hold anything; a header may not.
 */
export function droppedHeader(names: readonly string[]): string {
  let value = "";
  for (const name of new Set(names)) {
    const shown = name.slice(0, NAME_CHARS_MAX).replace(/[^ -~]/g, "?");
    if (value.length + shown.length > HEADER_CHARS_MAX) return `${value}, ...`;
    value = value === "" ? shown : `${value}, ${shown}`;
  }
  return value;
}
