/** Both databases fold the letters of ASCII; which others, depends on where a database was made. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Patterns for the ways in which words are written: as somebody typed them, small, capital, or with a capital in front. */
export function patternsOf(text: string): readonly string[] {
  const small = text.toLowerCase();
  const [first = "", ...rest] = small;
  const forms = [small, text, text.toUpperCase(), first.toUpperCase() + rest.join("")];
  const escaped = forms.map((form) => folded(form).replace(/[\\%_]/g, "\\$&"));
  return [...new Set(escaped.map((form) => `%${form}%`))];
}

/**
 * The condition that one of some columns has this in it. `place` takes a value and returns its place. Letters that
 * stand for others in a pattern are taken as themselves.
 */
export function containing(
  columns: readonly string[],
  text: string,
  place: (value: string) => string,
): string {
  const places = patternsOf(text).map(place);
  const likes = columns.flatMap((column) =>
    places.map((pattern) => `lower(${column}) like ${pattern} escape '\\'`),
  );
  return `(${likes.join(" or ")})`;
}
