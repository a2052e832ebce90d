import { systemClock } from "./clock.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

// One call for many ids: asking the system for randomness per id would cost more than the id itself.
const pool = new Uint8Array(4096);
let taken = pool.length;

function randomByte(): number {
  if (taken === pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  return pool[taken++] as number;
}

let lastTime = -1;
let lastTimeText = "";

function timeText(ms: number): string {
  if (ms === lastTime) return lastTimeText;
  let text = "";
  let rest = ms;
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  lastTime = ms;
  lastTimeText = text;
  return text;
}

/**
 * A unique id that sorts by its time of birth, so that index pages fill from one end:
 * 10 characters of time and 80 random bits. `newId("req_")` → `req_01k3…`.
 */
export function newId(prefix: string): string {
  let text = prefix + timeText(systemClock());
  for (let i = 0; i < RANDOM_CHARS; i++) text += ALPHABET[randomByte() & 31];
  return text;
}

/** The lowest id of a moment: the ids of a span of time lie between two of these. */
export function idFloor(prefix: string, ms: number): string {
  return prefix + timeText(Math.max(0, ms));
}

/** When an id was made, in milliseconds since 1970. Undefined for a text that is no id of ours. */
export function idTime(id: string): number | undefined {
  const time = /_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]*$/.exec(id)?.[1];
  if (time === undefined) return undefined;
  let ms = 0;
  for (const char of time) ms = ms * 32 + ALPHABET.indexOf(char);
  return ms;
}
