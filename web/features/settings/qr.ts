// A QR code of one text, by ISO/IEC 18004: bytes, the lowest correction, the smallest of the sizes
// 1 to 9 that holds it, always the same mask. That is all that a link for an app on a screen needs.

type Grid = readonly (readonly boolean[])[];

interface Size {
  /** Data codewords of one block. */
  readonly data: number;
  /** Correction codewords of one block. */
  readonly correction: number;
  readonly blocks: number;
  /** Where the centres of the small squares are, in both directions. */
  readonly centres: readonly number[];
}

const size = (data: number, correction: number, blocks: number, centres: readonly number[]) => ({
  data,
  correction,
  blocks,
  centres,
});

const SIZES: readonly Size[] = [
  size(19, 7, 1, []),
  size(34, 10, 1, [6, 18]),
  size(55, 15, 1, [6, 22]),
  size(80, 20, 1, [6, 26]),
  size(108, 26, 1, [6, 30]),
  size(68, 18, 2, [6, 34]),
  size(78, 20, 2, [6, 22, 38]),
  size(97, 24, 2, [6, 24, 42]),
  size(116, 30, 2, [6, 26, 46]),
];

/** The mode and the length stand before the bytes, in twelve bits. */
const HEAD_BITS = 12;
const BYTE_MODE = 4;
const PADDING = [0xec, 0x11];
/** Lowest correction, mask 0, with their own correction, as the standard prints them. */
const FORMAT = 0b111011111000100;
const FIELD = 0x11d;
const VERSION_FIELD = 0x1f25;
/** From this version on a code says its version. */
const VERSION_TOLD = 7;

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * FIELD);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** The product of (x - 2^i), highest power first and its leading one left out. */
function generatorOf(degree: number): number[] {
  const generator = [...new Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let round = 0; round < degree; round += 1) {
    for (let at = 0; at < degree; at += 1) {
      generator[at] = multiply(generator[at] ?? 0, root) ^ (generator[at + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return generator;
}

function correctionOf(data: readonly number[], degree: number): number[] {
  const generator = generatorOf(degree);
  let rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0);
    rest = [...rest.slice(1), 0].map((value, at) => value ^ multiply(generator[at] ?? 0, factor));
  }
  return rest;
}

/** Mode, length, bytes, end, padding: all data codewords. */
function dataOf(bytes: Uint8Array, capacity: number): number[] {
  const nibbles = [BYTE_MODE, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const codewords: number[] = [];
  for (let at = 0; at < nibbles.length; at += 2) {
    codewords.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0));
  }
  for (let at = 0; codewords.length < capacity; at += 1) codewords.push(PADDING[at % 2] ?? 0);
  return codewords;
}

/** The codewords of all blocks by turns. */
function interleave(blocks: readonly (readonly number[])[]): number[] {
  const [first = []] = blocks;
  return first.flatMap((_, at) => blocks.map((block) => block[at] ?? 0));
}

function codewordsOf(bytes: Uint8Array, { data, correction, blocks }: Size): number[] {
  const all = dataOf(bytes, data * blocks);
  const parts = Array.from({ length: blocks }, (_, at) => all.slice(at * data, (at + 1) * data));
  const corrections = parts.map((part) => correctionOf(part, correction));
  return [...interleave(parts), ...interleave(corrections)];
}

/** A square whose places are empty until something is drawn there. */
class Canvas {
  readonly width: number;
  readonly #places: (boolean | undefined)[];

  constructor(width: number) {
    this.width = width;
    this.#places = new Array(width * width).fill(undefined);
  }

  has(x: number, y: number): boolean {
    return this.#places[y * this.width + x] !== undefined;
  }

  draw(x: number, y: number, dark: boolean): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.width) {
      this.#places[y * this.width + x] = dark;
    }
  }

  rows(): Grid {
    return Array.from({ length: this.width }, (_, y) =>
      Array.from({ length: this.width }, (_, x) => this.#places[y * this.width + x] === true),
    );
  }
}

/** Squares inside each other; `rings` says which of them are dark, from the centre. */
function drawSquare(canvas: Canvas, cx: number, cy: number, rings: readonly boolean[]): void {
  const reach = rings.length - 1;
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      canvas.draw(cx + dx, cy + dy, rings[ring] ?? false);
    }
  }
}

function drawPatterns(canvas: Canvas, { centres }: Size): void {
  const last = canvas.width - 1;
  for (let at = 0; at <= last; at += 1) {
    canvas.draw(at, 6, at % 2 === 0);
    canvas.draw(6, at, at % 2 === 0);
  }
  const corner = [true, true, false, true, false];
  drawSquare(canvas, 3, 3, corner);
  drawSquare(canvas, last - 3, 3, corner);
  drawSquare(canvas, 3, last - 3, corner);
  const far = centres.at(-1) ?? 0;
  for (const y of centres) {
    for (const x of centres) {
      const inCorner = (x === 6 && y === 6) || (x === 6 && y === far) || (x === far && y === 6);
      if (!inCorner) drawSquare(canvas, x, y, [true, false, true]);
    }
  }
}

function drawFormat(canvas: Canvas): void {
  const { width } = canvas;
  const bit = (at: number) => ((FORMAT >> at) & 1) === 1;
  for (let at = 0; at < 15; at += 1) {
    // Both copies leave out the line of dots.
    const down = at < 6 ? at : at < 8 ? at + 1 : width - 15 + at;
    const across = at < 8 ? width - 1 - at : at < 9 ? 15 - at : 14 - at;
    canvas.draw(8, down, bit(at));
    canvas.draw(across, 8, bit(at));
  }
  canvas.draw(8, width - 8, true);
}

function drawVersion(canvas: Canvas, version: number): void {
  if (version < VERSION_TOLD) return;
  let rest = version;
  for (let round = 0; round < 12; round += 1) rest = (rest << 1) ^ ((rest >> 11) * VERSION_FIELD);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const dark = ((bits >> at) & 1) === 1;
    const long = canvas.width - 11 + (at % 3);
    const short = Math.floor(at / 3);
    canvas.draw(long, short, dark);
    canvas.draw(short, long, dark);
  }
}

/** Up and down in columns two wide, from the right, around what is drawn already. */
function drawData(canvas: Canvas, codewords: readonly number[]): void {
  const { width } = canvas;
  let at = 0;
  for (let right = width - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < width; step += 1) {
      const y = upward ? width - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (canvas.has(x, y)) continue;
        const bit = ((codewords[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        canvas.draw(x, y, (bit === 1) !== ((x + y) % 2 === 0));
        at += 1;
      }
    }
  }
}

/** Rows of dark and light places, or nothing where the text is too long. */
export function qrCode(text: string): Grid | undefined {
  const bytes = new TextEncoder().encode(text);
  const bits = HEAD_BITS + bytes.length * 8;
  const index = SIZES.findIndex(({ data, blocks }) => bits <= data * blocks * 8);
  const found = SIZES[index];
  if (!found) return undefined;
  const canvas = new Canvas(21 + index * 4);
  drawPatterns(canvas, found);
  drawFormat(canvas);
  drawVersion(canvas, index + 1);
  drawData(canvas, codewordsOf(bytes, found));
  return canvas.rows();
}

/** The dark places as one SVG path, one unit each. */
export function pathOf(grid: Grid): string {
  return grid
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
}
