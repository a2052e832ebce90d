import { type Anatomy, keep, PartCount, PLAIN, wordAt } from "./anatomy.ts";

const TRAILER = 0x3b;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
const HEAD_BYTES = 13;

/** Bytes of the colour table that a flags byte announces. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Where a chain of sub-blocks ends, or undefined when the file ends first. */
function chainEnd(bytes: Uint8Array, from: number): number | undefined {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return undefined;
}

/** How often an animation repeats is part of it; other notes of applications are not. */
function isMetadata(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1];
  if (label === COMMENT) return true;
  return label === APPLICATION && !/^(?:NETSCAPE|ANIMEXTS)$/.test(wordAt(bytes, at + 3, 8));
}

function blockEnd(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === EXTENSION) return chainEnd(bytes, at + 2);
  if (bytes[at] !== IMAGE || at + 10 > bytes.length) return undefined;
  return chainEnd(bytes, at + 10 + tableBytes(bytes[at + 9] ?? 0) + 1);
}

export function readGifParts(bytes: Uint8Array): Anatomy {
  let at = HEAD_BYTES + tableBytes(bytes[10] ?? 0);
  const spans: [number, number][] = [[0, Math.min(at, bytes.length)]];
  let frames = 0;
  let transparent = false;
  const count = new PartCount();
  while (at < bytes.length && bytes[at] !== TRAILER) {
    const end = blockEnd(bytes, at);
    if (end === undefined) break;
    count.add();
    if (bytes[at] === IMAGE) frames += 1;
    if (bytes[at] === EXTENSION && bytes[at + 1] === CONTROL) {
      transparent ||= ((bytes[at + 3] ?? 0) & 1) === 1;
    }
    if (!(bytes[at] === EXTENSION && isMetadata(bytes, at))) spans.push([at, end]);
    at = end;
  }
  const ended = bytes[at] === TRAILER;
  if (ended) spans.push([at, at + 1]);
  const kept = keep(bytes, spans);
  return {
    ...PLAIN,
    // Some writers leave the end mark out; a file that stops between two blocks is whole without it.
    complete: frames > 0 && (ended || at === bytes.length),
    animated: frames > 1,
    mayBeTransparent: transparent,
    lossless: true,
    cleaned: ended ? kept : Buffer.concat([kept, new Uint8Array([TRAILER])]),
  };
}
