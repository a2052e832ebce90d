import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { Fault } from "./faults.ts";

/** One way in which a body may be packed. */
interface Coding {
  /** The most that its unpacker remembers of what it has written. */
  readonly windowBytes: number;
  open(): Transform;
}

const MIB = 1024 * 1024;
const PIECE = { chunkSize: 64 * 1024 };
/** Senders of zstd over HTTP may ask for no more than this; the format would allow gigabytes. */
const ZSTD_WINDOW = 23;

const GZIP: Coding = { windowBytes: 64 * 1024, open: () => createGunzip(PIECE) };

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  ["deflate", { windowBytes: 64 * 1024, open: () => createInflate(PIECE) }],
  ["br", { windowBytes: 16 * MIB, open: () => createBrotliDecompress(PIECE) }],
  [
    "zstd",
    {
      windowBytes: 8 * MIB,
      open: () =>
        createZstdDecompress({
          ...PIECE,
          params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW },
        }),
    },
  ],
]);

const READ = "gzip, deflate, br, zstd";
/** Nobody packs more often, and each time may unpack to as much as a body may have. */
const CODINGS_MAX = 3;
const NAME_CHARS_SHOWN = 64;

function unread(what: string): Fault {
  return new Fault("unsupported_encoding", `${what} Send it plain, or as one of: ${READ}.`, {
    param: "content-encoding",
    headers: { "accept-encoding": READ },
  });
}

/** How a body is packed, by its `Content-Encoding`: what was done first stands first. */
export function codingsOf(header: string | null): readonly string[] {
  if (header === null) return [];
  const names = header.split(",").map((name) => name.trim().toLowerCase());
  const packed = names.filter((name) => name !== "" && name !== "identity");
  for (const name of packed) {
    if (CODINGS.has(name)) continue;
    const shown = name.slice(0, NAME_CHARS_SHOWN);
    throw unread(`A body with the Content-Encoding '${shown}' cannot be read here.`);
  }
  if (packed.length > CODINGS_MAX) {
    throw unread(`A body that is packed ${packed.length} times cannot be read here.`);
  }
  return packed;
}

/** What unpacking may cost: how far it goes, and who counts the memory that it takes. */
interface InflateBounds {
  readonly bytesMax: number;
  tooLarge(): Fault;
  /** So much more is in memory. */
  take(bytes: number): void;
  /** As much, until it is given back. */
  lend(bytes: number): { release(): void };
}

async function inflateOnce(
  bytes: Uint8Array,
  name: string,
  { bytesMax, tooLarge, take }: InflateBounds,
): Promise<Uint8Array> {
  const unpacker = CODINGS.get(name)?.open();
  if (!unpacker) throw unread(`'${name}' cannot be read here.`);
  const pieces: Uint8Array[] = [];
  let inflated = 0;
  try {
    unpacker.end(bytes);
    // The unpacking itself is done beside the loop, piece by piece, and no further than is read here.
    for await (const piece of unpacker as AsyncIterable<Uint8Array>) {
      inflated += piece.byteLength;
      if (inflated > bytesMax) throw tooLarge();
      take(piece.byteLength);
      pieces.push(piece);
    }
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw new Fault(
      "invalid_json",
      `The request body is not what its Content-Encoding says: '${name}'.`,
      {
        param: "content-encoding",
        cause: thrown,
      },
    );
  } finally {
    unpacker.destroy();
  }
  return Buffer.concat(pieces);
}

/** The body as it was before it was packed, refused as soon as it proves to be over the limit. */
export async function inflate(
  packed: Uint8Array,
  codings: readonly string[],
  bounds: InflateBounds,
): Promise<Uint8Array> {
  let bytes = packed;
  for (const name of codings.toReversed()) {
    const window = bounds.lend(CODINGS.get(name)?.windowBytes ?? 0);
    try {
      bytes = await inflateOnce(bytes, name, bounds);
    } finally {
      window.release();
    }
  }
  return bytes;
}
