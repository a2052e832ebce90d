import { type Clock, systemClock } from "./clock.ts";

/** The digits of the time that an id begins with, and how many there are. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
/** What each character is worth as a digit, by its code; those that are none have -1. */
const WORTHS = Int8Array.from({ length: 128 }, (_, code) =>
  ALPHABET.indexOf(String.fromCharCode(code)),
);
/** Where an id stands among those of its millisecond. */
const PLACE_CHARS = 4;
const PLACES = ALPHABET.length ** PLACE_CHARS;
/** A millisecond is counted from somewhere in its first half, so that no two processes count alike. */
const FIRST_PLACES = PLACES / 2;
const RANDOM_CHARS = 12;
const ID_CHARS = TIME_CHARS + PLACE_CHARS + RANDOM_CHARS;
/** What a draw of the pool is worth: three characters of five bits. */
const CHARS_PER_DRAW = 3;

// One call for many ids: asking the system for randomness per id would cost more than the id itself.
const pool = new Uint16Array(2048);
let taken = pool.length;

function draw(): number {
  if (taken === pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  return pool[taken++] as number;
}

function timeText(ms: number): string {
  let text = "";
  let rest = ms;
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * Makes ids each of which sorts behind the one before it, whatever the clock does. Those of one
 * millisecond are counted; when its places are used up, the next millisecond is begun early. When the
 * clock is set back, ids keep the time they had until the clock has caught up: their time is ahead by
 * no more than the clock went back, and a millisecond for every half a million ids made meanwhile.
 */
export class IdMaker {
  readonly #clock: Clock;
  #timeMs = -1;
  #place = 0;
  /**
   * The last id without its prefix. A text made of bytes is one piece; one that was put together from a dozen of
   * them would be a tree, which whoever looks at it first goes through.
   */
  readonly #chars = Buffer.alloc(ID_CHARS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(prefix: string): string {
    const nowMs = this.#clock();
    if (nowMs > this.#timeMs) this.#begin(nowMs);
    else if (++this.#place === PLACES) this.#begin(this.#timeMs + 1);
    this.#write(this.#place, TIME_CHARS, PLACE_CHARS);
    for (let at = TIME_CHARS + PLACE_CHARS; at < ID_CHARS; at += CHARS_PER_DRAW) {
      this.#write(draw(), at, CHARS_PER_DRAW);
    }
    return prefix + this.#chars.toString("latin1");
  }

  /** The last so many digits of a number. */
  #write(value: number, at: number, count: number): void {
    let rest = value;
    for (let i = at + count - 1; i >= at; i--) {
      this.#chars[i] = CODES[rest & 31] as number;
      rest >>= 5;
    }
  }

  #begin(ms: number): void {
    this.#timeMs = ms;
    this.#chars.write(timeText(ms), "latin1");
    this.#place = (draw() * 2 ** 16 + draw()) % FIRST_PLACES;
  }
}

const maker = new IdMaker(systemClock);

/**
 * A unique id that sorts by its time of birth, so that index pages fill from one end: 10 characters of
 * time, 4 that count within the millisecond, and 60 random bits that no other id tells anything about.
 * `newId("req_")` → `req_01k3…`.
 *
 * Ids of one thread sort in the order in which they were made. A worker thread has a count of its own,
 * as another process has: between those, only ids of different milliseconds are in order.
 */
export function newId(prefix: string): string {
  return maker.make(prefix);
}

/** The lowest id of a moment: the ids of a span of time lie between two of these. */
export function idFloor(prefix: string, ms: number): string {
  return prefix + timeText(Math.max(0, ms));
}

/**
 * When an id was made, in milliseconds since 1970; a little later than that where the clock had been set
 * back. Undefined for a text that is no id of ours.
 */
export function idTime(id: string): number | undefined {
  const first = id.lastIndexOf("_") + 1;
  if (first === 0 || id.length < first + TIME_CHARS) return undefined;
  let ms = 0;
  for (let at = first; at < id.length; at++) {
    const worth = WORTHS[id.charCodeAt(at)] ?? -1;
    if (worth < 0) return undefined;
    if (at < first + TIME_CHARS) ms = ms * ALPHABET.length + worth;
  }
  return ms;
}
