import { encode } from "uqr";

type Grid = readonly (readonly boolean[])[];

/**
 * Rows of dark and light places. A link on a screen needs only the lowest correction, and with the same
 * mask for all a text has the picture that decoders of others have read.
 */
export function qrCode(text: string): Grid {
  return encode(text, { ecc: "L", maskPattern: 0, border: 0 }).data;
}

/** The dark places as one SVG path, one unit each. */
export function pathOf(grid: Grid): string {
  return grid
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
}
