import { PartCount, viewOf, wordAt } from "./anatomy.ts";

/** A box of the ISO container: its name and where its content lies. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The boxes between two places, as far as they lie in the file. */
export function boxesIn(bytes: Uint8Array, from: number, to: number): Box[] {
  const view = viewOf(bytes);
  const found: Box[] = [];
  const count = new PartCount();
  for (let at = from; at + 8 <= to; ) {
    const size = view.getUint32(at);
    const wide = size === 1 && at + 16 <= to;
    const length = wide ? Number(view.getBigUint64(at + 8)) : size === 0 ? to - at : size;
    if (length < 8 || at + length > to) break;
    count.add();
    found.push({ type: wordAt(bytes, at + 4, 4), start: at + (wide ? 16 : 8), end: at + length });
    at += length;
  }
  return found;
}

/** Reads fields one after the other; beyond the end they are thrown, as a RangeError. */
export class Fields {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array, box: Box) {
    this.#view = viewOf(bytes.subarray(box.start, box.end));
  }

  /** @param size In bytes: 0, 1, 2, 4 or 8, as the container has them. */
  take(size: number): number {
    const at = this.#at;
    this.#at += size;
    if (size === 0) return 0;
    if (size === 1) return this.#view.getUint8(at);
    if (size === 2) return this.#view.getUint16(at);
    if (size === 4) return this.#view.getUint32(at);
    if (size === 8) return Number(this.#view.getBigUint64(at));
    throw new RangeError(`no field has ${size} bytes`);
  }
}

interface Extent {
  readonly item: number;
  readonly start: number;
  readonly length: number;
}

/**
 * Where the items lie, by the box that tells it. Undefined where one lies elsewhere than in one piece
 * of the file itself, which no usual writer does.
 */
export function readExtents(bytes: Uint8Array, box: Box): Extent[] | undefined {
  const fields = new Fields(bytes, box);
  const version = fields.take(4) >>> 24;
  const sizes = fields.take(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version > 0 ? sizes & 15 : 0;
  const idSize = version < 2 ? 2 : 4;
  const extents: Extent[] = [];
  for (let left = fields.take(idSize); left > 0; left -= 1) {
    const item = fields.take(idSize);
    const method = version > 0 ? fields.take(2) & 15 : 0;
    const elsewhere = fields.take(2);
    const base = fields.take(baseSize);
    const count = fields.take(2);
    if (method !== 0 || elsewhere !== 0 || count !== 1) return undefined;
    fields.take(indexSize);
    const start = base + fields.take(offsetSize);
    extents.push({ item, start, length: fields.take(lengthSize) });
  }
  return extents;
}

/** The items that are coded pictures. */
export function pictureItems(bytes: Uint8Array, box: Box): Set<number> {
  const head = new Fields(bytes, box);
  const counted = head.take(4) >>> 24 === 0 ? 2 : 4;
  const items = new Set<number>();
  for (const entry of boxesIn(bytes, box.start + 4 + counted, box.end)) {
    const fields = new Fields(bytes, entry);
    const item = fields.take(fields.take(4) >>> 24 < 3 ? 2 : 4);
    fields.take(2);
    const type = fields.take(4);
    if (type === 0x61763031) items.add(item);
  }
  return items;
}
