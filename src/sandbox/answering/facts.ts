import { Effort } from "./effort.ts";
import { listedIn, mentionsIn, namedValueIn, numbersIn, quotedIn, statedIn } from "./mentions.ts";
import { countShared, crop, stemsOf } from "./words.ts";

export interface FactSource {
  /** What the user said last. */
  readonly message: string;
  /** What tools have said since. */
  readonly results: readonly string[];
  /** What the model would say in plain text. */
  readonly answer: string;
  /** Take only what the message states word for word. */
  readonly literal: boolean;
  /** Words of the message that are no values: the names of tools. */
  readonly names: ReadonlySet<string>;
}

const MESSAGE_CHARS_MAX = 20_000;
const RESULT_CHARS_MAX = 4_000;
const RESULTS_MAX = 8;
const POOL_MAX = 100;
/** How many names are looked up in the texts: schemas may have thousands. */
const NAMES_MAX = 200;
const PROSE_CHARS_MAX = 200;
/** What it takes to look for a name in the message, beside its length. */
const MENTION_EFFORT = 50;

/** Properties that hold a sentence of the model's own. */
const PROSE =
  /(?:^|_)(?:answer|reply|response|text|message|content|summary|explanation|reason|description|result|output|comment|note|body)(?:_|$)/i;
/** Properties that hold what the user wants, in the user's words. */
const REQUEST = /(?:^|_)(?:query|question|prompt|input|request|task|search)(?:_|$)/i;
/** Properties by which a tool does something to the machine: only what the user states goes there. */
const PLACE = /^(?:(?:file|dir)?_?path|file_?name|url)$/i;
/** And of these, what it shall do has to be quoted. */
const ORDER = /^(?:cmd|command|script|code|patch)$/i;
/** A command that the message wants to be run. */
const RUNS = /\b(?:run|execute)\b[^`]{0,80}`/i;

/** What a conversation offers as values, found once for all the tools of a request. */
export class Offer {
  readonly source: FactSource;
  /** What is left for all the values that are written of it. */
  readonly effort = new Effort();
  readonly message: string;
  readonly stems: ReadonlySet<string>;
  readonly listed: readonly string[];
  readonly quoted: ReadonlySet<string>;
  readonly stated: ReadonlySet<string>;
  readonly strings: readonly string[];
  /** Those of them that stand in no list. */
  readonly unlisted: readonly string[];
  readonly numbers: readonly number[];
  /** The beginnings of what the model would say and of what the user said. */
  readonly answer: string;
  readonly request: string;
  /** The message has a command to run. */
  readonly runs: boolean;
  readonly #texts: readonly string[];
  readonly #named = new Map<string, string | null>();
  readonly #mentions = new Map<string, boolean>();

  constructor(source: FactSource) {
    this.source = source;
    this.message = source.message.slice(0, MESSAGE_CHARS_MAX);
    const results = source.results.slice(0, RESULTS_MAX);
    this.#texts = [this.message, ...results.map((text) => text.slice(0, RESULT_CHARS_MAX))];
    this.stems = stemsOf(this.message);
    this.listed = listedIn(this.message);
    this.quoted = new Set(quotedIn(this.message));
    this.stated = new Set(statedIn(this.message));
    const mentioned = source.literal ? [...this.stated] : this.#texts.flatMap(mentionsIn);
    this.strings = mentioned.filter((text) => !source.names.has(text)).slice(0, POOL_MAX);
    const listed = new Set(this.listed);
    this.unlisted = this.strings.filter((text) => !listed.has(text));
    this.numbers = this.#texts.flatMap(numbersIn).slice(0, POOL_MAX);
    this.answer = crop(source.answer, PROSE_CHARS_MAX);
    this.request = crop(source.message, PROSE_CHARS_MAX);
    this.runs = RUNS.test(this.message);
  }

  /** The value that is given to a name; where it would do something, by the user alone. */
  named(name: string): string | null {
    const seen = this.#named.get(name);
    if (seen !== undefined || this.#named.size >= NAMES_MAX) return seen ?? null;
    const texts = ORDER.test(name) || PLACE.test(name) ? [this.message] : this.#texts;
    const values = texts.map((text) => namedValueIn(text, name));
    const value = values.find((text) => text !== null && text !== "") ?? null;
    this.#named.set(name, value);
    return value;
  }

  /** Whether the message has all the words of a text. */
  mentions(text: string): boolean {
    const seen = this.#mentions.get(text);
    if (seen !== undefined) return seen;
    if (!this.effort.spend(MENTION_EFFORT + text.length)) return false;
    const wanted = stemsOf(text);
    const mentioned = wanted.size > 0 && countShared(wanted, this.stems) === wanted.size;
    this.#mentions.set(text, mentioned);
    return mentioned;
  }
}

/** The values for one JSON schema. `focus` is what it is about, when the message names several things. */
export class Facts {
  /** Something had to be made up, as nobody has said it. */
  invented = false;
  /** And of that something, a tool would do harm with. */
  harmful = false;
  readonly #offer: Offer;
  readonly #focus: string | null;
  readonly #strings: string[];
  readonly #numbers: number[];

  constructor(offer: Offer, focus: string | null = null) {
    this.#offer = offer;
    this.#focus = focus;
    this.#strings = focus === null ? [...offer.strings] : [focus, ...offer.unlisted];
    this.#numbers = [...offer.numbers];
  }

  get effort(): Effort {
    return this.#offer.effort;
  }

  text(name: string, fits: (text: string) => boolean): string | null {
    const given = this.#focus === null ? this.#offer.named(name) : null;
    if (given !== null && fits(given)) return given;
    const { quoted, stated, source } = this.#offer;
    const own = ORDER.test(name) ? quoted : PLACE.test(name) ? stated : null;
    const prose = source.literal || own !== null ? null : this.#prose(name);
    if (prose !== null && fits(prose)) return prose;
    const found = takeFirst(this.#strings, (text) => fits(text) && own?.has(text) !== false);
    this.invented ||= found === null;
    this.harmful ||= found === null && own !== null;
    return found;
  }

  /** What `make` gives, unless it had to be made up: then it is as if nobody had asked. */
  found<T>(make: () => T): T | undefined {
    const { invented, harmful } = this;
    this.invented = false;
    const value = make();
    const isFound = !this.invented;
    this.invented = invented;
    this.harmful = harmful;
    return isFound ? value : undefined;
  }

  /** The names that the message lists. */
  list(): readonly string[] {
    return this.#offer.listed;
  }

  number(name: string, fits: (value: number) => boolean): number | null {
    const given = Number(this.#offer.named(name) ?? Number.NaN);
    return !Number.isNaN(given) && fits(given) ? given : takeFirst(this.#numbers, fits);
  }

  boolean(name: string): boolean | null {
    const given = this.#offer.named(name)?.toLowerCase();
    return given === undefined ? null : !["false", "no", "off", "0", "not"].includes(given);
  }

  mentions(text: string): boolean {
    return this.#offer.mentions(text);
  }

  #prose(name: string): string | null {
    const { answer, request } = this.#offer;
    if (PROSE.test(name)) return answer;
    return this.#focus === null && REQUEST.test(name) ? request : null;
  }
}

/** A mention is used once, so that two properties do not get the same value. */
function takeFirst<T>(pool: T[], fits: (value: T) => boolean): T | null {
  const index = pool.findIndex(fits);
  return index < 0 ? null : (pool.splice(index, 1)[0] ?? null);
}
