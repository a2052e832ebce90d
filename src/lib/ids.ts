import { type Clock, systemClock } from "./clock.ts";

/** The digits of the time that an id begins with, and how many there are. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
/** What each character is worth as a digit, by its code; those that are none have -1. */
const WORTHS = Int8Array.from({ length: 128 }, (_, code) =>
  ALPHABET.indexOf(String.fromCharCode(code)),
);
/** Ids are put together from pairs of characters, which takes half as many steps. */
const PAIRS = Array.from(ALPHABET, (first) => Array.from(ALPHABET, (next) => first + next)).flat();
/** Where an id stands among those of its millisecond: two pairs. */
const PLACES = PAIRS.length ** 2;
/** A millisecond is counted from somewhere in its first half, so that no two processes count alike. */
const FIRST_PLACES = PLACES / 2;
const RANDOM_PAIRS = 6;

// One call for many ids: asking the system for randomness per id would cost more than the id itself.
const pool = new Uint16Array(2048);
let taken = pool.length;

function randomPair(): number {
  if (taken === pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  return (pool[taken++] as number) % PAIRS.length;
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

function placeText(place: number): string {
  return `${PAIRS[Math.floor(place / PAIRS.length)]}${PAIRS[place % PAIRS.length]}`;
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
  #timeText = "";
  #place = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(prefix: string): string {
    const nowMs = this.#clock();
    if (nowMs > this.#timeMs) this.#begin(nowMs);
    else if (++this.#place === PLACES) this.#begin(this.#timeMs + 1);
    let text = prefix + this.#timeText + placeText(this.#place);
    for (let i = 0; i < RANDOM_PAIRS; i++) text += PAIRS[randomPair()];
    return text;
  }

  #begin(ms: number): void {
    this.#timeMs = ms;
    this.#timeText = timeText(ms);
    this.#place = (randomPair() * PAIRS.length + randomPair()) % FIRST_PLACES;
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
