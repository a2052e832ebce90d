import { pipeline, Readable, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { Fault } from "../faults.ts";

/** One way in which a body may be packed. */
interface Coding {
  /** The most memory that its unpacker takes: what it remembers of what it has written, and the pieces on their way. */
  readonly windowBytes: number;
  open(): Transform;
}

const MIB = 1024 * 1024;
const PIECE = { chunkSize: 64 * 1024 };
/** Senders of zstd over HTTP may ask for no more than this; the format would allow gigabytes. */
const ZSTD_WINDOW = 23;

const GZIP: Coding = { windowBytes: 256 * 1024, open: () => createGunzip(PIECE) };

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  ["deflate", { windowBytes: 256 * 1024, open: () => createInflate(PIECE) }],
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

/** What unpacking may cost. */
interface InflateBounds {
  readonly bytesMax: number;
  tooLarge(): Fault;
  /** Counts memory until it is given back. */
  lend(bytes: number): { release(): void };
}

function badlyPacked(name: string, cause: unknown): Fault {
  const message = `The request body is not what its Content-Encoding says: '${name}'.`;
  return new Fault("invalid_json", message, { param: "content-encoding", cause });
}

/** Removes one layer of packing. Reads no further than its pieces are taken. */
async function* inflateLayer(
  packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  name: string,
  { bytesMax, tooLarge }: InflateBounds,
): AsyncGenerator<Uint8Array> {
  const unpacker = CODINGS.get(name)?.open();
  if (!unpacker) throw unread(`'${name}' cannot be read here.`);
  const source = Readable.from(packed, { objectMode: true });
  // Either end takes the other one down. What went wrong is thrown by the loop below.
  pipeline(source, unpacker, () => {});
  let inflated = 0;
  try {
    for await (const piece of unpacker as AsyncIterable<Uint8Array>) {
      inflated += piece.byteLength;
      if (inflated > bytesMax) throw tooLarge();
      yield piece;
    }
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : badlyPacked(name, thrown);
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

/**
 * The pieces of a body as it was before it was packed. All layers are removed at the same time, so that of those in
 * between there is never more than a piece. Throws as soon as any layer is over the limit.
 */
export async function* inflate(
  packed: Iterable<Uint8Array>,
  codings: readonly string[],
  bounds: InflateBounds,
): AsyncGenerator<Uint8Array> {
  const windows: { release(): void }[] = [];
  try {
    let pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = packed;
    for (const name of codings.toReversed()) {
      windows.push(bounds.lend(CODINGS.get(name)?.windowBytes ?? 0));
      pieces = inflateLayer(pieces, name, bounds);
    }
    yield* pieces;
  } finally {
    for (const window of windows) window.release();
  }
}
