import { Fault } from "../faults.ts";
import { closingQuote } from "./json-string.ts";

/** What a client's JSON may come to. A few megabytes of brackets are gigabytes once they are parsed. */
export interface JsonBounds {
  /** Objects, lists and texts, names of members included: whatever a parser makes a thing of. */
  readonly partsMax: number;
  readonly depthMax: number;
  /** Elements of lists and members of objects, by the commas between them: very many numbers are no parts. */
  readonly elementsMax: number;
}

/** A form that somebody fills in, or a small message: more than this is not one. */
export const FORM_BOUNDS: JsonBounds = { partsMax: 50_000, depthMax: 100, elementsMax: 50_000 };

/** For what has been within its bounds before. */
export const UNBOUNDED: JsonBounds = {
  partsMax: Number.POSITIVE_INFINITY,
  depthMax: Number.POSITIVE_INFINITY,
  elementsMax: Number.POSITIVE_INFINITY,
};

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Bytes of the heap, as measured: an object or a list, a text beside its characters, an element. */
const HOLDER_BYTES = 170;
const TEXT_BYTES = 64;
const ELEMENT_BYTES = 16;
/** A text is there as it came and once more in the parsed value. */
const TEXT_COPIES = 2;

/** Whether a character of it takes two bytes: one that is not Latin makes all of them wide. */
export function isWide(text: string): boolean {
  // Most texts have a byte for each character, which is counted far sooner than each is looked at.
  return Buffer.byteLength(text) > text.length && /[^\0-\xff]/.test(text);
}

const PARTS = "objects, lists and texts";
const ELEMENTS = "elements of lists and members of objects";

function tooMany(max: number, what: string): Fault {
  return new Fault("invalid_value", `The body has more than ${max} ${what}; send fewer.`);
}

function tooDeep(max: number): Fault {
  return new Fault("invalid_value", `The body is nested more than ${max} levels deep.`);
}

/** The end of the string that opens at a place, where it is known. */
type EndOf = (text: string, at: number) => number | undefined;

/** What of a text has been counted so far. */
export class JsonWeight {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  #holders = 0;
  #texts = 0;
  #elements = 0;
  #depth = 0;

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  /**
   * Counts from one place to another and returns where it has come to, which is less far only where a string
   * opens of which `endOf` does not know the end. Throws as soon as it is past a bound.
   */
  count(from: number, to: number, endOf: EndOf): number {
    const text = this.#text;
    const { partsMax, depthMax, elementsMax } = this.#bounds;
    let i = from;
    for (; i < to; i++) {
      switch (text.charCodeAt(i)) {
        case QUOTE: {
          const end = endOf(text, i);
          if (end === undefined) return i;
          if (++this.#texts + this.#holders > partsMax) throw tooMany(partsMax, PARTS);
          i = end;
          break;
        }
        case OPEN_BRACE:
        case OPEN_BRACKET:
          if (++this.#depth > depthMax) throw tooDeep(depthMax);
          if (++this.#holders + this.#texts > partsMax) throw tooMany(partsMax, PARTS);
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.#depth--;
          break;
        case COMMA:
          if (++this.#elements > elementsMax) throw tooMany(elementsMax, ELEMENTS);
          break;
      }
    }
    return i;
  }

  /** Of all that was counted, and the characters themselves. */
  bytes(isWide: boolean): number {
    const chars = this.#text.length * (isWide ? 2 : 1) * TEXT_COPIES;
    const parts = this.#holders * HOLDER_BYTES + this.#texts * TEXT_BYTES;
    return chars + parts + this.#elements * ELEMENT_BYTES;
  }
}

/**
 * What a JSON text weighs in memory once it is parsed, in bytes. Goes through it once, and throws as
 * soon as it is past a bound: a parser would have built all of it by then. The text need not be valid.
 */
export function weighJson(text: string, bounds: JsonBounds): number {
  const weight = new JsonWeight(text, bounds);
  weight.count(0, text.length, closingQuote);
  return weight.bytes(isWide(text));
}

/** The value of a JSON text that may be weighed before; a text that is none is the client's mistake. */
export function parseJson(text: string, what = "The request body"): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new Fault("invalid_json", `${what} is not valid JSON.`, { cause: thrown });
  }
}

/** The value of a client's JSON text within its bounds. */
export function readBoundedJson(text: string, bounds: JsonBounds, what?: string): unknown {
  weighJson(text, bounds);
  return parseJson(text, what);
}
