import type { Limits } from "../../config/config.ts";
import { codingsOf, inflate } from "../../lib/bodies/inflate.ts";
import { Fault } from "../../lib/faults.ts";
import { type JsonBounds, parseJson, weighJson } from "../../lib/json/json-bounds.ts";
import { parseLargeJson, weighLargeJson } from "../../lib/json/large-json.ts";
import type { LongStrings } from "../../lib/json/long-strings.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Sent } from "../../lib/route.ts";
import { isThreaded, TextThreads } from "../../lib/text/text-threads.ts";
import { FairBudget } from "../../lib/threads/fair-budget.ts";
import { HeldBytes } from "../../lib/threads/held-bytes.ts";
import type { Watch, Watchdog } from "../../lib/threads/watchdog.ts";
import { decodeInSteps, decodeUtf8 } from "../../lib/utf8.ts";
import { flatten, isLarge } from "../../lib/yield-to-loop.ts";
import { bufferFull } from "./buffer-full.ts";

/** A request body in memory; `release` gives its bytes back to the count. */
export interface Body {
  readonly text: string;
  readonly value: unknown;
  readonly ends: LongStrings;
  /** The bytes that count for it. */
  readonly taken: number;
  /** Counts more for it: what it stands for beside its own text. */
  grow(bytes: number): void;
  release(): void;
}

/** Of a text in which no string is long. */
export const NO_ENDS: LongStrings = new Map();

/** A body in memory, or on its way there, where it is watched: it has to come within its time. */
class HeldBody extends HeldBytes implements Body, Watch {
  readonly #uploadMs: number;
  dueAtMs = Number.POSITIVE_INFINITY;
  before: Watch | undefined;
  behind: Watch | undefined;
  /** Ends the wait for it. */
  giveUp: ((fault: Fault) => void) | undefined;
  text = "";
  value: unknown;
  ends = NO_ENDS;

  constructor(budget: FairBudget, accountId: string, uploadMs: number) {
    super(budget, accountId, bufferFull);
    this.#uploadMs = uploadMs;
  }

  due(): void {
    this.giveUp?.(tooSlow(this.#uploadMs));
  }
}

/** The vendor's text and bytes of a request weigh as much as the client's: with them a body takes twice its weight. */
const COPIES = 2;
/** Shorter texts are a part of what a request takes anyway, and count as they are. */
const COPIED_CHARS = 16 * 1024;
/** The largest part of the budget that the copies of a body take. */
const COPIED_SHARE = 3 / 4;

/** Counts so many bytes more as held. */
type Take = (bytes: number) => void;

/** Up to here a declared length is taken at its word. */
const SMALL_BYTES = 256 * 1024;

/**
 * Reads bodies within their limits: one body's size and what is in it, and what all that are in flight
 * weigh, parsed, since that is what fills the memory. Each account has a share of that.
 */
export class BodyReader {
  readonly #limits: Limits;
  readonly #bounds: JsonBounds;
  readonly #watchdog: Watchdog;
  readonly #threads: TextThreads;
  readonly #budget: FairBudget;

  constructor(limits: Limits, watchdog: Watchdog, threads = new TextThreads()) {
    this.#limits = limits;
    this.#watchdog = watchdog;
    this.#threads = threads;
    this.#bounds = bodyBounds(limits);
    this.#budget = new FairBudget(limits.body_bytes_in_flight_max);
  }

  get bytesInFlight(): number {
    return this.#budget.taken;
  }

  /** Bytes that wait to be read, or what is read beside bodies; they count until they are given back. */
  reserve(bytes: number, accountId: string): HeldBytes {
    const held = new HeldBytes(this.#budget, accountId, bufferFull);
    held.grow(bytes);
    return held;
  }

  #bodyOf(accountId: string): HeldBody {
    return new HeldBody(this.#budget, accountId, this.#limits.upload_ms);
  }

  /** A text that has come already, such as the message of a socket. */
  async hold(text: string, accountId: string, what?: string): Promise<Body> {
    const body = this.#bodyOf(accountId);
    try {
      const parsed = this.#parse(text, body, what);
      return parsed instanceof Promise ? await parsed : parsed;
    } catch (thrown) {
      body.release();
      throw thrown;
    }
  }

  read(request: Sent, accountId: string): MaybePromise<Body> {
    const { headers } = request;
    checkContentType(headers.get("content-type"));
    const codings = codingsOf(headers.get("content-encoding"));
    const declared = Number(headers.get("content-length") ?? Number.NaN);
    if (declared > this.#limits.body_bytes_max) throw this.#tooLarge();
    const body = this.#bodyOf(accountId);
    const small = declared <= SMALL_BYTES;
    if (small) body.grow(declared);
    // Most bodies are small and plain: they come in one piece, and with their heads.
    if (small && codings.length === 0) {
      const text = request.thereText?.();
      return text === undefined ? this.#readWhole(request, body) : this.#take(text, body);
    }
    return this.#readPieces(request, codings, small, body);
  }

  /** A small body that is there. */
  #take(text: string, body: HeldBody): MaybePromise<Body> {
    const lost = (thrown: unknown): never => {
      throw this.#lost(body, thrown);
    };
    try {
      const parsed = this.#parse(text, body);
      return parsed instanceof Promise ? parsed.catch(lost) : parsed;
    } catch (thrown) {
      return lost(thrown);
    }
  }

  async #readPieces(
    request: Sent,
    codings: readonly string[],
    small: boolean,
    body: HeldBody,
  ): Promise<Body> {
    try {
      return await this.#parse(await this.#readText(request, codings, small, body), body);
    } catch (thrown) {
      throw this.#lost(body, thrown);
    }
  }

  /** What is thrown, when nobody waits for it any more. */
  #lost(body: HeldBody, thrown: unknown): unknown {
    this.#came(body);
    body.release();
    return thrown;
  }

  /** Takes what a text weighs beyond what was taken for it, and parses it. */
  #parse(text: string, body: HeldBody, what?: string): MaybePromise<Body> {
    if (isLarge(text)) return this.#parseLarge(text, body, what);
    const weight = weighJson(text, this.#bounds);
    this.#takeWeight(body, weight, text.length > COPIED_CHARS ? this.#copied(weight) : weight);
    body.text = text;
    body.value = parseJson(text, what);
    return body;
  }

  /** In steps, so that it does not hold up others. */
  async #parseLarge(text: string, body: HeldBody, what?: string): Promise<Body> {
    await flatten(text);
    const weighed = await weighLargeJson(text, this.#bounds);
    this.#takeWeight(body, weighed.bytes, this.#copied(weighed.bytes));
    body.text = text;
    body.value = await parseLargeJson(text, weighed, what);
    body.ends = weighed.ends;
    return body;
  }

  /**
   * What so many bytes of a large body will come to, at least: its text, its value, and the copies of both. A request that
   * has no room for these is refused while it comes, and not when all of it is there.
   */
  #withCopies(bytes: number): number {
    return Math.max(bytes, this.#copied(2 * bytes));
  }

  /** A weight with the copies for the vendor. The largest body must find a place beside small ones. */
  #copied(weight: number): number {
    const { body_bytes_in_flight_max: max } = this.#limits;
    return Math.min(weight * COPIES, Math.max(weight, Math.floor(max * COPIED_SHARE)));
  }

  #takeWeight(body: HeldBody, weight: number, counted = weight): void {
    const { body_bytes_in_flight_max: max } = this.#limits;
    if (weight > max) {
      throw new Fault(
        "request_too_large",
        `The request body takes ${weight} bytes once it is read; at most ${max} are held at a time.`,
      );
    }
    body.grow(Math.max(0, counted - body.taken));
  }

  /** A body that is packed, or that comes in pieces. */
  async #readText(
    request: Sent,
    codings: readonly string[],
    small: boolean,
    body: HeldBody,
  ): Promise<string> {
    let bytesThere = 0;
    const take: Take = (bytes) => {
      bytesThere += bytes;
      if (bytesThere <= SMALL_BYTES) body.grow(bytes);
      else body.grow(Math.max(0, this.#withCopies(bytesThere) - body.taken));
    };
    if (codings.length > 0) {
      const packed: Uint8Array[] = [];
      const taken: Take = small ? () => {} : (bytes) => body.grow(bytes);
      await this.#readChunks(request, body, taken, (chunk) => packed.push(chunk));
      return this.#decode(await this.#inflate(packed, codings, body, take));
    }
    const chunks: Uint8Array[] = [];
    await this.#readChunks(request, body, take, (chunk) => chunks.push(chunk));
    return this.#decode(chunks);
  }

  #decode(chunks: readonly Uint8Array[]): Promise<string> {
    const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return isThreaded(bytes) ? this.#threads.decode(chunks) : decodeInSteps(chunks);
  }

  /** A packed body may be a thousandth of what it weighs: it is counted as it unfolds. */
  async #inflate(
    packed: readonly Uint8Array[],
    codings: readonly string[],
    body: HeldBody,
    take: Take,
  ): Promise<Uint8Array[]> {
    const { body_bytes_max: bytesMax, body_bytes_in_flight_max: max } = this.#limits;
    const unpacked = inflate(packed, codings, {
      bytesMax,
      tooLarge: () => this.#tooLarge(),
      // A gateway with little memory to give must still be able to unpack one.
      lend: (bytes) => body.lend(Math.min(bytes, Math.floor(max / 8))),
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of unpacked) {
      take(piece.byteLength);
      pieces.push(piece);
    }
    return pieces;
  }

  /** A large body, or one of unknown length, counted as it comes: a claim alone reserves nothing. */
  async #readChunks(
    request: Sent,
    body: HeldBody,
    take: Take,
    push: (chunk: Uint8Array) => void,
  ): Promise<void> {
    if (!request.body) return;
    let bytes = 0;
    const reader = request.body.getReader();
    let late: Fault | undefined;
    this.#expect(body, (fault) => {
      late = fault;
      reader.cancel(fault).catch(() => {});
    });
    for (;;) {
      const { value: chunk } = await reader.read().catch(cutOff);
      if (late) throw late;
      if (!chunk) return this.#came(body);
      bytes += chunk.byteLength;
      if (bytes > this.#limits.body_bytes_max) throw this.#tooLarge();
      take(chunk.byteLength);
      push(chunk);
    }
  }

  /** A small body, in one piece. */
  #readWhole(request: Sent, body: HeldBody): Promise<Body> {
    return new Promise((resolve, reject) => {
      const lost = (thrown: unknown) => reject(this.#lost(body, thrown));
      this.#expect(body, lost);
      let coming: Promise<Uint8Array>;
      try {
        coming = request.bytes();
      } catch (thrown) {
        lost(thrown);
        return;
      }
      coming.then(
        (bytes) => {
          // It was given up before it came, and counts for nothing any more.
          if (!body.giveUp) return;
          this.#came(body);
          try {
            const parsed = this.#parse(decodeUtf8(bytes), body);
            if (parsed instanceof Promise) parsed.then(resolve, lost);
            else resolve(parsed);
          } catch (thrown) {
            lost(thrown);
          }
        },
        (thrown) => lost(endedEarly(thrown)),
      );
    });
  }

  /** From now on a body has its time: one that comes drop by drop is never silent for long. */
  #expect(body: HeldBody, giveUp: HeldBody["giveUp"]): void {
    body.giveUp = giveUp;
    body.dueAtMs = this.#watchdog.now() + this.#limits.upload_ms;
    this.#watchdog.add(body);
  }

  /** All of it is there, or nobody waits for it any more. */
  #came(body: HeldBody): void {
    this.#watchdog.drop(body);
    // It would keep what was read.
    body.giveUp = undefined;
  }

  #tooLarge(): Fault {
    const max = this.#limits.body_bytes_max;
    return new Fault("request_too_large", `The request body is over the limit of ${max} bytes.`);
  }
}

/** What may be in a body, or in all that it stands for. */
export function bodyBounds(limits: Limits): JsonBounds {
  const { body_parts_max: partsMax, body_depth_max: depthMax } = limits;
  return { partsMax, depthMax, elementsMax: limits.body_elements_max };
}

function tooSlow(ms: number): Fault {
  const message = `The request body was not there after ${ms} milliseconds.`;
  // Whatever else comes of it would keep the connection.
  return new Fault("request_too_slow", message, { headers: { connection: "close" } });
}

function endedEarly(thrown: unknown): Fault {
  return new Fault("invalid_json", "The request body ended early.", { cause: thrown });
}

function cutOff(thrown: unknown): never {
  throw endedEarly(thrown);
}

function checkContentType(header: string | null): void {
  if (header === "application/json") return;
  const type = header?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new Fault(
    "invalid_content_type",
    type
      ? `Unsupported Content-Type '${type.slice(0, 64)}'. Send 'Content-Type: application/json'.`
      : "Missing Content-Type. Send 'Content-Type: application/json'.",
  );
}
