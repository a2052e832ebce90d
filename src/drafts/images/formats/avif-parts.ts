import type { Size } from "../picture.ts";
import { type Anatomy, PLAIN } from "./anatomy.ts";
import { type Box, boxesIn, Fields, pictureItems, readExtents } from "./avif-boxes.ts";

/** A record of the coded picture that tells the largest frame. */
const SEQUENCE_HEADER = 1;

/** An AVIF is always encoded anew, so what it carries besides pixels goes then. */
export function readAvifParts(bytes: Uint8Array): Anatomy {
  return { ...PLAIN, complete: true, mayBeTransparent: true, cleaned: bytes };
}

class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 1, this.#at += 1) {
      const byte = this.#bytes[this.#at >> 3];
      if (byte === undefined) throw new RangeError("the record ends early");
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }
}

/** The largest frame that a sequence header announces. */
function frameSize(payload: Uint8Array): Size | undefined {
  const bits = new Bits(payload);
  bits.take(4);
  if (bits.take(1) === 1) {
    bits.take(5);
  } else {
    // Pictures have no timing; what claims to have one is a film.
    if (bits.take(1) === 1) return undefined;
    const delays = bits.take(1) === 1;
    for (let left = bits.take(5); left >= 0; left -= 1) {
      bits.take(12);
      if (bits.take(5) > 7) bits.take(1);
      if (delays && bits.take(1) === 1) bits.take(4);
    }
  }
  const widthBits = bits.take(4) + 1;
  const heightBits = bits.take(4) + 1;
  return { width: bits.take(widthBits) + 1, height: bits.take(heightBits) + 1 };
}

/** A length as the codec writes it: seven bits a byte, the lowest first. */
function leb128At(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) throw new RangeError("the length ends early");
    value += (byte & 127) * 2 ** (7 * index);
    if (byte < 128) return { value, next: at + index + 1 };
  }
  throw new RangeError("the length is too long");
}

/** The frames that one coded picture announces; undefined where they cannot be told. */
function framesOf(coded: Uint8Array): Size[] | undefined {
  const sizes: Size[] = [];
  for (let at = 0; at < coded.length; ) {
    const head = coded[at] ?? 0;
    if ((head & 0x02) === 0) return undefined;
    const { value, next } = leb128At(coded, at + 1 + ((head >> 2) & 1));
    if (((head >> 3) & 15) === SEQUENCE_HEADER) {
      const size = frameSize(coded.subarray(next, next + value));
      if (size === undefined) return undefined;
      sizes.push(size);
    }
    at = next + value;
  }
  return sizes;
}

function claimedSizes(bytes: Uint8Array, properties: Box): Size[] {
  const container = boxesIn(bytes, properties.start, properties.end).find(
    ({ type }) => type === "ipco",
  );
  if (container === undefined) return [];
  return boxesIn(bytes, container.start, container.end)
    .filter(({ type }) => type === "ispe")
    .map((box) => {
      const fields = new Fields(bytes, box);
      fields.take(4);
      return { width: fields.take(4), height: fields.take(4) };
    });
}

function measure(bytes: Uint8Array): Size | undefined {
  const outer = boxesIn(bytes, 0, bytes.length);
  const meta = outer.find(({ type }) => type === "meta");
  if (meta === undefined || outer.some(({ type }) => type === "moov")) return undefined;
  const inner = new Map(
    boxesIn(bytes, meta.start + 4, meta.end).map((box) => [box.type, box] as const),
  );
  const [locations, items, properties] = [inner.get("iloc"), inner.get("iinf"), inner.get("iprp")];
  if (!locations || !items || !properties) return undefined;
  const pictures = pictureItems(bytes, items);
  const sizes = claimedSizes(bytes, properties);
  for (const { item, start, length } of readExtents(bytes, locations) ?? []) {
    if (!pictures.delete(item)) continue;
    const frames = framesOf(bytes.subarray(start, start + length));
    if (frames === undefined || frames.length === 0) return undefined;
    sizes.push(...frames);
  }
  if (pictures.size > 0 || sizes.length === 0) return undefined;
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

/**
 * The largest width and height that anything in the file announces. The decoder unpacks a picture
 * before it compares the two places where its size stands, so a small claim in one proves nothing.
 */
export function avifSize(bytes: Uint8Array): Size | undefined {
  try {
    return measure(bytes);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
