import type { Limits } from "../../config/config.ts";
import { breath, isLarge } from "../../lib/breath.ts";
import { Fault } from "../../lib/faults.ts";
import { codingsOf, inflate } from "../../lib/inflate.ts";
import { parseJson, weighJson } from "../../lib/json/json-bounds.ts";
import { decodeUtf8, Utf8Reader } from "../../lib/utf8.ts";

/** A request body in memory; `release` gives its bytes back to the count. */
export interface Body {
  readonly text: string;
  readonly value: unknown;
  /** Counts more for it: what it stands for beside its own text. */
  grow(bytes: number): void;
  release(): void;
}

/** Counts so many bytes more as held. */
type Take = (bytes: number) => void;

/** Up to here a declared length is taken at its word. */
const SMALL_BYTES = 256 * 1024;

/**
 * Reads bodies within their limits: one body's size and what is in it, and what all that are in flight
 * weigh, parsed, since that is what fills the memory.
 */
export class BodyReader {
  readonly #limits: Limits;
  #inFlight = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get bytesInFlight(): number {
    return this.#inFlight;
  }

  /** Bytes that wait to be read; they count until they are given back. */
  reserve(bytes: number): { release(): void } {
    const share = this.#share();
    share.take(bytes);
    return share;
  }

  /** A text that has come already, such as the message of a socket. */
  hold(text: string, what?: string): Body {
    const share = this.#share();
    try {
      share.take(this.#weigh(text));
      return { text, value: parseJson(text, what), grow: share.take, release: share.release };
    } catch (thrown) {
      share.release();
      throw thrown;
    }
  }

  async read(request: Request): Promise<Body> {
    checkContentType(request.headers.get("content-type"));
    const codings = codingsOf(request.headers.get("content-encoding"));
    const declared = Number(request.headers.get("content-length") ?? Number.NaN);
    if (declared > this.#limits.body_bytes_max) throw this.#tooLarge();
    const share = this.#share();
    try {
      const small = declared <= SMALL_BYTES;
      if (small) share.take(declared);
      const text = await this.#readText(request, codings, small, share.take);
      share.take(Math.max(0, this.#weigh(text) - share.taken()));
      if (isLarge(text)) await breath();
      return { text, value: parseJson(text), grow: share.take, release: share.release };
    } catch (thrown) {
      share.release();
      throw thrown;
    }
  }

  /** What one body takes of the whole, and gives back once. */
  #share() {
    let taken = 0;
    return {
      taken: () => taken,
      take: (bytes: number) => {
        this.#take(bytes);
        taken += bytes;
      },
      release: () => {
        this.#inFlight -= taken;
        taken = 0;
      },
    };
  }

  #weigh(text: string): number {
    const { body_bytes_in_flight_max: max } = this.#limits;
    const weight = weighJson(text, bodyBounds(this.#limits));
    if (weight <= max) return weight;
    throw new Fault(
      "request_too_large",
      `The request body takes ${weight} bytes once it is read; at most ${max} are held at a time.`,
    );
  }

  #take(bytes: number): void {
    if (this.#inFlight + bytes > this.#limits.body_bytes_in_flight_max) {
      throw new Fault("overloaded", "The gateway is holding as many request bytes as it may.", {
        headers: { "retry-after": "1" },
      });
    }
    this.#inFlight += bytes;
  }

  async #readText(
    request: Request,
    codings: readonly string[],
    small: boolean,
    take: Take,
  ): Promise<string> {
    if (codings.length > 0) {
      const packed: Uint8Array[] = [];
      await this.#readChunks(request, small ? () => {} : take, (chunk) => packed.push(chunk));
      return decodeUtf8(await this.#inflate(Buffer.concat(packed), codings, take));
    }
    if (small) return decodeUtf8(await readWhole(request));
    const reader = new Utf8Reader();
    let text = "";
    await this.#readChunks(request, take, (chunk) => {
      text += reader.push(chunk);
    });
    return text + reader.end();
  }

  /** Packed, a body may be a thousandth of what it weighs: it is counted as it unfolds. */
  #inflate(packed: Uint8Array, codings: readonly string[], take: Take): Promise<Uint8Array> {
    return inflate(packed, codings, {
      bytesMax: this.#limits.body_bytes_max,
      tooLarge: () => this.#tooLarge(),
      take,
      // A gateway with little memory to give must still be able to unpack one.
      lend: (bytes) => this.reserve(Math.min(bytes, this.#limits.body_bytes_in_flight_max / 8)),
    });
  }

  /** A large body, or one of unknown length, counted as it comes: a claim alone reserves nothing. */
  async #readChunks(
    request: Request,
    take: Take,
    push: (chunk: Uint8Array) => void,
  ): Promise<void> {
    if (!request.body) return;
    let bytes = 0;
    const reader = request.body.getReader();
    for (;;) {
      const { value: chunk } = await reader.read().catch(cutOff);
      if (!chunk) return;
      bytes += chunk.byteLength;
      if (bytes > this.#limits.body_bytes_max) throw this.#tooLarge();
      take(chunk.byteLength);
      push(chunk);
    }
  }

  #tooLarge(): Fault {
    const max = this.#limits.body_bytes_max;
    return new Fault("request_too_large", `The request body is over the limit of ${max} bytes.`);
  }
}

/** What may be in a body, or in all that it stands for. */
export function bodyBounds({ body_parts_max, body_depth_max }: Limits) {
  return { partsMax: body_parts_max, depthMax: body_depth_max };
}

function cutOff(thrown: unknown): never {
  throw new Fault("invalid_json", "The request body ended early.", { cause: thrown });
}

function readWhole(request: Request): Promise<Uint8Array> {
  return request.bytes().catch(cutOff);
}

function checkContentType(header: string | null): void {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new Fault(
    "invalid_content_type",
    type
      ? `Unsupported Content-Type '${type.slice(0, 64)}'. Send 'Content-Type: application/json'.`
      : "Missing Content-Type. Send 'Content-Type: application/json'.",
  );
}
