import { Fault } from "../faults.ts";
import { closingQuote } from "./json-string.ts";

/** What a client's JSON may come to. A few megabytes of brackets are gigabytes once they are parsed. */
interface JsonBounds {
  /** Objects, lists and texts, names of members included: whatever a parser makes a thing of. */
  readonly partsMax: number;
  readonly depthMax: number;
  /** Commas, where a list of very many numbers must not be either. */
  readonly elementsMax?: number;
}

/** A form that somebody fills in, or a small message: more than this is not one. */
export const FORM_BOUNDS: JsonBounds = { partsMax: 50_000, depthMax: 100, elementsMax: 50_000 };

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

/** Bytes of a character: one that is not Latin makes all of them wide. */
function charBytes(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 : 1;
}

function tooMany(max: number): Fault {
  return new Fault(
    "invalid_value",
    `The body has more than ${max} objects, lists and texts; send fewer.`,
  );
}

function tooDeep(max: number): Fault {
  return new Fault("invalid_value", `The body is nested more than ${max} levels deep.`);
}

/**
 * What a JSON text weighs in memory once it is parsed, in bytes. Goes through it once, and throws as
 * soon as it is past a bound: a parser would have built all of it by then. The text need not be valid.
 */
export function weighJson(text: string, bounds: JsonBounds): number {
  const { partsMax, depthMax, elementsMax = Number.POSITIVE_INFINITY } = bounds;
  let holders = 0;
  let texts = 0;
  let elements = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        if (++texts + holders > partsMax) throw tooMany(partsMax);
        i = closingQuote(text, i);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > depthMax) throw tooDeep(depthMax);
        if (++holders + texts > partsMax) throw tooMany(partsMax);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COMMA:
        if (++elements > elementsMax) throw tooMany(elementsMax);
        break;
    }
  }
  const chars = text.length * charBytes(text) * TEXT_COPIES;
  return chars + holders * HOLDER_BYTES + texts * TEXT_BYTES + elements * ELEMENT_BYTES;
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
