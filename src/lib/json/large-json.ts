import { Fault } from "../faults.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { isLargeValue, yieldToLoop } from "../yield-to-loop.ts";
import { isWide, type JsonBounds, JsonWeight } from "./json-bounds.ts";
import { jsonPieces } from "./json-pieces.ts";
import { closingQuote, seekQuote, unescapedQuote } from "./json-string.ts";
import { LONG_CHARS, type LongStrings } from "./long-strings.ts";
import { type Member, SteppedParser } from "./stepped-parser.ts";

/** Characters that are looked at without yielding to the loop: about a millisecond, each by each. */
const STEP_CHARS = 512 * 1024;

interface Weighed {
  /** What the text comes to in memory once it is parsed, in bytes. */
  readonly bytes: number;
  readonly ends: LongStrings;
}

/** The same as `weighJson`, for a text that takes so long that others must have their turns meanwhile. */
export async function weighLargeJson(text: string, bounds: JsonBounds): Promise<Weighed> {
  const weight = new JsonWeight(text, bounds);
  const ends = new Map<number, number>();
  /** Of a string that is not long; undefined for one that is, after which others have their turn. */
  const endOf = (_: string, at: number): number | undefined => {
    const known = ends.get(at);
    if (known !== undefined) return known;
    const first = unescapedQuote(text, at);
    if (first === undefined) return nearEscapedEnd(text, at);
    if (first - at <= LONG_CHARS) return first;
    // To look for it again would take milliseconds.
    ends.set(at, first);
    return undefined;
  };
  for (let at = 0; at < text.length; ) {
    const to = Math.min(at + STEP_CHARS, text.length);
    at = weight.count(at, to, endOf);
    if (at < to && !ends.has(at)) ends.set(at, await farEscapedEnd(text, at));
    await yieldToLoop();
  }
  return { bytes: weight.bytes(await isWideInSteps(text)), ends };
}

/** The end of a string in which quotes are escaped. */
function escapedEnd(text: string, at: number): MaybePromise<number> {
  return nearEscapedEnd(text, at) ?? farEscapedEnd(text, at);
}

function nearEscapedEnd(text: string, at: number): number | undefined {
  const sought = seekQuote(text, at + 1, at + LONG_CHARS);
  return sought > 0 || -sought === text.length ? Math.abs(sought) : undefined;
}

async function farEscapedEnd(text: string, at: number): Promise<number> {
  let sought = -(at + 1);
  while (sought < 0 && -sought < text.length) {
    sought = seekQuote(text, -sought, -sought + STEP_CHARS);
    await yieldToLoop();
  }
  return Math.abs(sought);
}

async function isWideInSteps(text: string): Promise<boolean> {
  for (let at = 0; at < text.length; at += STEP_CHARS) {
    if (isWide(text.slice(at, at + STEP_CHARS))) return true;
    await yieldToLoop();
  }
  return false;
}

/** The same as `parseJson`, in steps, by what weighing the text has found out. */
export async function parseLargeJson(
  text: string,
  { ends }: Pick<Weighed, "ends">,
  what = "The request body",
): Promise<unknown> {
  const endOf = (at: number) => ends.get(at) ?? closingQuote(text, at);
  try {
    return await new SteppedParser(text, endOf).parse();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    throw new Fault("invalid_json", `${what} is not valid JSON.`, { cause: thrown });
  }
}

/** The same as `JSON.stringify` for a plain value, in steps where it is large. */
export function writeJson(value: unknown): MaybePromise<string> {
  return isLargeValue(value) ? writeInSteps(value) : JSON.stringify(value);
}

function writeInSteps(value: unknown): Promise<string> {
  return joinInSteps(jsonPieces(value));
}

/** A text of pieces that each take a moment to make, yielding to the loop in between. */
export async function joinInSteps(pieces: Iterable<string>): Promise<string> {
  let text = "";
  await showInSteps(pieces, (piece) => {
    text += piece;
    return true;
  });
  return text;
}

/** How many characters a plain value is as JSON; undefined where it is more than so many, and looks no further then. */
export function jsonChars(value: unknown, charsMax: number): MaybePromise<number | undefined> {
  if (isLargeValue(value)) return largeJsonChars(value, charsMax);
  const chars = JSON.stringify(value).length;
  return chars <= charsMax ? chars : undefined;
}

async function largeJsonChars(value: unknown, charsMax: number): Promise<number | undefined> {
  let chars = 0;
  const fits = await showInSteps(jsonPieces(value), (piece) => {
    chars += piece.length;
    return chars <= charsMax;
  });
  return fits ? chars : undefined;
}

/** Shows pieces of a text, yielding to the loop in between. False where somebody has seen enough. */
async function showInSteps(
  pieces: Iterable<string>,
  see: (piece: string) => boolean,
): Promise<boolean> {
  let sinceYield = 0;
  for (const piece of pieces) {
    if (!see(piece)) return false;
    sinceYield += piece.length;
    if (sinceYield < STEP_CHARS) continue;
    sinceYield = 0;
    await yieldToLoop();
  }
  return true;
}

/** What a text says, and where. */
interface ReadValue {
  readonly value: unknown;
  /** Of the object that it is. */
  readonly members: readonly Member[];
}

/**
 * The same as `JSON.parse`, in steps, for a text that need not be weighed. Where its members lie is found on the way:
 * to look for them in a large text takes as long as to parse it.
 */
export async function readInSteps(text: string): Promise<ReadValue> {
  const endOf = (at: number) => unescapedQuote(text, at) ?? escapedEnd(text, at);
  const parser = new SteppedParser(text, endOf);
  return { value: await parser.parse(), members: parser.members };
}

/** The same as `readBoundedJson`, in steps. */
export async function readLargeJson(text: string, bounds: JsonBounds): Promise<unknown> {
  return parseLargeJson(text, await weighLargeJson(text, bounds));
}
