import { Fault } from "../faults.ts";
import { yieldToLoop } from "../yield-to-loop.ts";
import { LONG_CHARS } from "./long-strings.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const SMALL_U = 117;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

interface Steps {
  /** Characters that are parsed without yielding to the loop. */
  readonly stepChars: number;
  /** A string of more characters is parsed in pieces. */
  readonly longChars: number;
  /** Numbers and words of a list are parsed so many characters at a time. */
  readonly runChars: number;
}

const STEPS: Steps = { stepChars: 256 * 1024, longChars: LONG_CHARS, runChars: 32 * 1024 };
/** A number or a name of as many characters is refused: nobody has one, and it would be read in one step. */
const WORD_CHARS_MAX = 128 * 1024;
/** More than any text has that means something, and each level takes half a kilobyte. */
const DEPTH_MAX = 10_000;
/** For how many characters a value counts whatever its length. */
const VALUE_CHARS = 128;
/** The length of a character that is written by its number, and of every other escape. */
const NUMBERED_ESCAPE = 6;
const ESCAPE = 2;

/** Whatever comes before the space, which no string has unless it is escaped. */
const CONTROL = /[^ -\uffff]/;
/** What a number or a word can have; what it has that it should not is for JSON.parse to find. */
const SCALAR = new RegExp(`[^\\s,\\]}]{0,${WORD_CHARS_MAX}}`, "y");

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

type Later<Value> = Value | Promise<Value>;

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object, by its place in the text: from the name's opening quote to where its value ends. */
export interface Member extends Span {
  readonly valueStart: number;
  /** Undefined until somebody has read it. */
  name: string | undefined;
}

/**
 * Makes of a JSON text what `JSON.parse` makes of it, and throws where that throws, and where a number, a name
 * or the depth is beyond all measure. It yields to the loop between: a large text takes it so long that the tokens of everybody
 * else would stand still. Whatever is small is given to JSON.parse; only the braces around it are read here.
 */
export class SteppedParser {
  readonly #text: string;
  /** The closing quote of the string that opens at a place. */
  readonly #endOf: (at: number) => Later<number>;
  readonly #steps: Steps;
  readonly #members: Member[] = [];
  #at = 0;
  /** How much was done since it last yielded to the loop. */
  #done = 0;
  /** Objects and lists that are open. */
  #depth = 0;

  constructor(text: string, endOf: (at: number) => Later<number>, steps = STEPS) {
    this.#text = text;
    this.#endOf = endOf;
    this.#steps = steps;
  }

  /** Of the object that all of the text is, once it is parsed, in order and doubles included; else none. */
  get members(): readonly Member[] {
    return this.#members;
  }

  async parse(): Promise<unknown> {
    await this.#space();
    const isObject = this.#text.charCodeAt(this.#at) === OPEN_BRACE;
    const value = await (isObject ? this.#object(this.#members) : this.#value());
    await this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected character at ${this.#at}`);
  }

  /** Goes on to a place. True when others should have their turn. */
  #goTo(at: number): boolean {
    this.#done += at - this.#at + VALUE_CHARS;
    this.#at = at;
    return this.#done >= this.#steps.stepChars;
  }

  async #yield(): Promise<void> {
    this.#done = 0;
    await yieldToLoop();
  }

  #space(): Later<void> {
    const text = this.#text;
    const to = this.#at + this.#steps.stepChars;
    let i = this.#at;
    while (i < to && isSpace(text.charCodeAt(i))) i++;
    this.#at = i;
    return i === to ? this.#yield().then(() => this.#space()) : undefined;
  }

  #value(): Later<unknown> {
    switch (this.#text.charCodeAt(this.#at)) {
      case OPEN_BRACE:
        return this.#object();
      case OPEN_BRACKET:
        return this.#list();
      case QUOTE:
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  /** Whether another one follows; past the comma if so, and past the closing sign if not. */
  async #another(close: number): Promise<boolean> {
    await this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (code !== COMMA && code !== close) throw this.#unexpected();
    if (this.#goTo(this.#at + 1)) await this.#yield();
    if (code === COMMA) await this.#space();
    else this.#depth--;
    return code === COMMA;
  }

  /** Goes into an object or a list. */
  async #open(): Promise<void> {
    if (++this.#depth > DEPTH_MAX) throw new SyntaxError(`More than ${DEPTH_MAX} levels deep`);
    if (this.#goTo(this.#at + 1)) await this.#yield();
    await this.#space();
  }

  /** Whether it has nothing in it; past the closing sign then. */
  #isClosedBy(close: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== close) return false;
    this.#at++;
    this.#depth--;
    return true;
  }

  async #object(found?: Member[]): Promise<object> {
    const object: Record<string, unknown> = {};
    await this.#open();
    if (this.#isClosedBy(CLOSE_BRACE)) return object;
    do {
      const at = this.#at;
      if (this.#text.charCodeAt(at) !== QUOTE) throw this.#unexpected();
      const name = await this.#string("name");
      await this.#space();
      if (this.#text.charCodeAt(this.#at) !== COLON) throw this.#unexpected();
      this.#at++;
      await this.#space();
      const valueStart = this.#at;
      const value = await this.#value();
      found?.push({ start: at, valueStart, end: this.#at, name });
      // Assigned, this one name would change what the object is.
      if (name !== "__proto__") object[name] = value;
      else Object.defineProperty(object, name, { value, ...PLAIN });
    } while (await this.#another(CLOSE_BRACE));
    return object;
  }

  async #list(): Promise<unknown[]> {
    const list: unknown[] = [];
    await this.#open();
    if (this.#isClosedBy(CLOSE_BRACKET)) return list;
    do {
      const run = this.#run();
      if (run) for (const value of run) list.push(value);
      else list.push(await this.#value());
    } while (await this.#another(CLOSE_BRACKET));
    return list;
  }

  /** Elements of a list that are neither texts nor have others in them, as many as come one after another. */
  #run(): readonly unknown[] | undefined {
    const text = this.#text;
    const to = Math.min(this.#at + this.#steps.runChars, text.length);
    let i = this.#at;
    while (i < to && !endsRun(text.charCodeAt(i))) i++;
    // The last one may go on, or be followed by what is none of them: it ends at its comma.
    const seen = text.slice(this.#at, i);
    const length = text.charCodeAt(i) === CLOSE_BRACKET ? seen.length : seen.lastIndexOf(",");
    if (length <= 0) return undefined;
    const values = JSON.parse(`[${seen.slice(0, length)}]`) as readonly unknown[];
    this.#goTo(this.#at + length);
    return values;
  }

  #scalar(): unknown {
    SCALAR.lastIndex = this.#at;
    SCALAR.test(this.#text);
    const end = SCALAR.lastIndex;
    if (end === this.#at) throw this.#unexpected();
    if (end - this.#at === WORD_CHARS_MAX) throw tooLong("number");
    const value: unknown = JSON.parse(this.#text.slice(this.#at, end));
    this.#goTo(end);
    return value;
  }

  #string(what?: "name"): Later<string> {
    const end = this.#endOf(this.#at);
    if (typeof end === "number") return this.#upTo(end, what);
    return end.then((found) => this.#upTo(found, what));
  }

  /** The string that opens here and ends there. */
  #upTo(end: number, what: "name" | undefined): Later<string> {
    const start = this.#at;
    if (end >= this.#text.length) throw this.#unexpected();
    if (what && end - start > WORD_CHARS_MAX) throw tooLong(what);
    if (end - start > this.#steps.longChars) return this.#longString(start + 1, end);
    const value = JSON.parse(this.#text.slice(start, end + 1)) as string;
    this.#goTo(end + 1);
    return value;
  }

  async #longString(start: number, end: number): Promise<string> {
    const text = this.#text;
    // It is a part of the text itself where nothing is written differently: nothing is copied.
    let value: string | undefined;
    for (let from = start; from < end; ) {
      const to = this.#cut(from, end);
      const piece = text.slice(from, to);
      if (value === undefined && piece.includes("\\")) value = text.slice(start, from);
      if (value !== undefined) value += JSON.parse(`"${piece}"`) as string;
      else if (CONTROL.test(piece)) throw this.#unexpected();
      from = to;
      await this.#yield();
    }
    this.#at = end + 1;
    return value ?? text.slice(start, end);
  }

  /** A place a step behind `from` that is inside of no escape, as `from` must be itself. */
  #cut(from: number, end: number): number {
    const text = this.#text;
    const to = from + this.#steps.stepChars;
    if (to >= end) return end;
    for (let last = to - 1; last > to - NUMBERED_ESCAPE; last--) {
      if (text.charCodeAt(last) !== BACKSLASH) continue;
      let before = last;
      while (before >= from && text.charCodeAt(before) === BACKSLASH) before--;
      // Pairs of them are escapes of their own; an odd one begins what follows.
      if ((last - before) % 2 === 0) return to;
      const length = text.charCodeAt(last + 1) === SMALL_U ? NUMBERED_ESCAPE : ESCAPE;
      return Math.min(Math.max(to, last + length), end);
    }
    return to;
  }
}

function tooLong(what: "number" | "name"): Fault {
  const words = `A ${what} of the body has ${WORD_CHARS_MAX} characters or more; send a shorter one.`;
  return new Fault("invalid_value", words);
}

const PLAIN = { writable: true, enumerable: true, configurable: true } as const;

function endsRun(code: number): boolean {
  return (
    code === QUOTE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE
  );
}
