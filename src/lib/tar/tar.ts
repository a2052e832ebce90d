// Archives that every `tar` reads: a block that names each file, and then the file, filled up to whole blocks.

export const BLOCK_BYTES = 512;

const NAME = { at: 0, bytes: 100 };
const MODE = { at: 100, bytes: 8 };
const OWNERS = { at: 108, bytes: 16 };
const SIZE = { at: 124, bytes: 12 };
const TIME = { at: 136, bytes: 12 };
const SUM = { at: 148, bytes: 8 };
const KIND = 156;
const MAGIC = { at: 257, text: "ustar\u000000" };

const PLAIN_FILE = "0".charCodeAt(0);
const SPACE = 0x20;
/** Sizes that eleven octal digits cannot tell are written as bytes, behind this one. */
const OCTAL_MAX = 8 ** 11 - 1;
const IN_BYTES = 0x80;
const FILE_MODE = 0o600;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

/** How much stands behind a file of this size, so that the next one begins with a block. */
export function filling(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function writeOctal(block: Buffer, { at, bytes }: typeof SIZE, value: number): void {
  block.write(`${value.toString(8).padStart(bytes - 1, "0")}\0`, at, "latin1");
}

/** What the block adds up to, with spaces where the sum itself stands. */
function sumOf(block: Buffer): number {
  let sum = SUM.bytes * SPACE;
  for (const [at, byte] of block.entries()) {
    if (at < SUM.at || at >= SUM.at + SUM.bytes) sum += byte;
  }
  return sum;
}

/** The block in front of a file. */
export function writeHeader({ name, bytes }: TarEntry, modifiedMs: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (block.write(name, NAME.at, NAME.bytes) !== Buffer.byteLength(name)) {
    throw new Error(`the name ${name} is too long for an archive`);
  }
  writeOctal(block, MODE, FILE_MODE);
  block.write("0000000\0".repeat(2), OWNERS.at, OWNERS.bytes, "latin1");
  if (bytes <= OCTAL_MAX) writeOctal(block, SIZE, bytes);
  else {
    block[SIZE.at] = IN_BYTES;
    block.writeBigUInt64BE(BigInt(bytes), SIZE.at + SIZE.bytes - 8);
  }
  writeOctal(block, TIME, Math.floor(modifiedMs / 1_000));
  block[KIND] = PLAIN_FILE;
  block.write(MAGIC.text, MAGIC.at, "latin1");
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, SUM.at, "latin1");
  return block;
}

function textAt(block: Buffer, { at, bytes }: typeof SIZE): string {
  const text = block.toString("utf8", at, at + bytes);
  const end = text.indexOf("\0");
  return (end < 0 ? text : text.slice(0, end)).trim();
}

/** What such a block says; undefined for one that is none. */
export function readHeader(block: Buffer): TarEntry | undefined {
  const isWhole =
    block.length === BLOCK_BYTES &&
    block[KIND] === PLAIN_FILE &&
    Number.parseInt(textAt(block, SUM), 8) === sumOf(block);
  if (!isWhole) return undefined;
  const bytes =
    block[SIZE.at] === IN_BYTES
      ? Number(block.readBigUInt64BE(SIZE.at + SIZE.bytes - 8))
      : Number.parseInt(textAt(block, SIZE), 8);
  return Number.isSafeInteger(bytes) ? { name: textAt(block, NAME), bytes } : undefined;
}

/** Two empty blocks are the end of an archive. */
export const END = Buffer.alloc(2 * BLOCK_BYTES);
