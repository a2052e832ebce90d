import { listedIn, mentionsIn, namedValueIn, numbersIn } from "./mentions.ts";
import { countShared, crop, stemsOf } from "./words.ts";

/** What a conversation offers to fill the values of a JSON schema with. */
export interface Facts {
  stringFor(name: string, fits: (text: string) => boolean): string | null;
  stringsFor(): readonly string[];
  numberFor(name: string, fits: (value: number) => boolean): number | null;
  booleanFor(name: string): boolean | null;
  mentions(text: string): boolean;
}

export interface FactSource {
  /** What the user said last. */
  readonly message: string;
  /** What was said before, the latest first. */
  readonly earlier: readonly string[];
  /** What the model would say in plain text. */
  readonly answer: string;
  /** The one thing this value is about, when the message names several. */
  readonly focus: string | null;
}

const MESSAGE_CHARS_MAX = 20_000;
const EARLIER_CHARS_MAX = 4_000;
const EARLIER_TEXTS_MAX = 8;
const POOL_MAX = 100;
/** How many names are looked up in the texts: a schema may have thousands. */
const NAMES_MAX = 200;
const PROSE_CHARS_MAX = 200;

/** Names of properties that hold a sentence of the model's own. */
const PROSE_NAMES = new Set(
  (
    "answer reply response text message content summary explanation reason reasoning " +
    "description result output comment note body analysis"
  ).split(" "),
);

/** Names of properties that hold what the user wants, in the user's words. */
const REQUEST_NAMES = new Set(
  "query question prompt input request task search instruction".split(" "),
);

export function createFacts(source: FactSource): Facts {
  const message = source.message.slice(0, MESSAGE_CHARS_MAX);
  const earlier = source.earlier
    .slice(0, EARLIER_TEXTS_MAX)
    .map((text) => text.slice(0, EARLIER_CHARS_MAX));
  const texts = [message, ...earlier];
  const listed = source.focus === null ? [] : listedIn(message);
  const focus = source.focus === null ? [] : [source.focus];
  const mentions = mentionsIn(message).filter((text) => !listed.includes(text));
  const strings = [...new Set([...focus, ...mentions])].slice(0, POOL_MAX);
  const numbers = numbersIn(message).slice(0, POOL_MAX);
  let earlierStrings: string[] | null = null;
  let lists: string[] | null = null;
  const stems = stemsOf(message);

  const known = new Map<string, string | null>();
  const named = (name: string): string | null => {
    const seen = known.get(name);
    if (seen !== undefined || known.size >= NAMES_MAX) return seen ?? null;
    const values = texts.values().map((text) => namedValueIn(text, name));
    const value = values.find((text) => text !== null && text !== "") ?? null;
    known.set(name, value);
    return value;
  };
  const takeEarlier = (fits: (text: string) => boolean): string | null => {
    earlierStrings ??= earlier.flatMap(mentionsIn).slice(0, POOL_MAX);
    return takeFirst(earlierStrings, fits);
  };

  return {
    stringFor(name, fits) {
      const given = source.focus === null ? named(name) : null;
      if (given !== null && fits(given)) return given;
      const prose = proseFor(name, source);
      if (prose !== null && fits(prose)) return prose;
      return takeFirst(strings, fits) ?? takeEarlier(fits);
    },
    stringsFor: () => {
      lists ??= listedIn(message);
      return lists;
    },
    numberFor(name, fits) {
      const given = Number(named(name) ?? Number.NaN);
      if (!Number.isNaN(given) && fits(given)) return given;
      return takeFirst(numbers, fits);
    },
    booleanFor(name) {
      const given = named(name)?.toLowerCase();
      if (given === undefined) return null;
      return !["false", "no", "off", "0", "not"].includes(given);
    },
    mentions: (text) => {
      const wanted = stemsOf(text);
      return wanted.size > 0 && countShared(wanted, stems) === wanted.size;
    },
  };
}

/** A mention is used once, so that two properties do not get the same value. */
function takeFirst<T>(pool: T[], fits: (value: T) => boolean): T | null {
  const index = pool.findIndex(fits);
  return index < 0 ? null : (pool.splice(index, 1)[0] ?? null);
}

function proseFor(name: string, source: FactSource): string | null {
  const words = name.toLowerCase().split(/[^a-z]+/);
  if (words.some((word) => PROSE_NAMES.has(word))) return crop(source.answer, PROSE_CHARS_MAX);
  if (source.focus === null && words.some((word) => REQUEST_NAMES.has(word))) {
    return crop(source.message, PROSE_CHARS_MAX);
  }
  return null;
}
