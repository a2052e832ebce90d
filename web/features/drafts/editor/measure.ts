/** Characters as people count them: what takes two units of a string is one. */
export function codePoints(text: string): number {
  return [...text].length;
}

/** Half-widths, by which live accounts were seen to count: one for ASCII, two for the rest. */
export function widthUnits(text: string): number {
  let units = 0;
  for (const char of text) units += (char.codePointAt(0) ?? 0) < 0x80 ? 1 : 2;
  return units;
}

/** The platform's limits of what stands in one line. */
export const LINE_LIMITS = {
  title: { characters: 32, units: 64 },
  author: { characters: 16, units: 16 },
  digest: { characters: 128, units: 240 },
} as const;

export type LineName = keyof typeof LINE_LIMITS;

/** `over` is refused; `near` is what some accounts refuse. */
export function lineState(name: LineName, text: string): "fits" | "near" | "over" {
  const limit = LINE_LIMITS[name];
  if (codePoints(text) > limit.characters) return "over";
  return widthUnits(text) > limit.units ? "near" : "fits";
}
