import type { WireValue } from "./endpoint.ts";

const DEPTH_MAX = 100;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
/** What stands in a string as it is: neither its end, nor an escape, nor a control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPED_UNIT = /u[0-9a-fA-F]{4}/y;
const WORDS: readonly (readonly [string, WireValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/**
 * Reads JSON but for one thing: `\uXXXX` is not undone and stays the six characters that were sent.
 * The live platform does so, and senders that escape Chinese text find the escapes in their drafts.
 */
class Scanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): WireValue {
    const value = this.#value();
    this.#space();
    if (this.#at !== this.#text.length) throw this.#wrong();
    return value;
  }

  #wrong(): SyntaxError {
    return new SyntaxError(`not JSON at ${this.#at}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #space(): void {
    this.#match(SPACE);
  }

  /** Takes the character if it is the next one, after white space. */
  #take(char: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #expect(char: string): void {
    if (!this.#take(char)) throw this.#wrong();
  }

  #value(): WireValue {
    this.#space();
    const char = this.#text[this.#at];
    if (char === '"') return this.#string();
    if (char === "{") return this.#nested(() => this.#object());
    if (char === "[") return this.#nested(() => this.#array());
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const number = this.#match(NUMBER);
    if (number === undefined) throw this.#wrong();
    return Number(number);
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > DEPTH_MAX) throw this.#wrong();
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): WireValue {
    const object: Record<string, WireValue> = Object.create(null);
    if (this.#take("}")) return object;
    do {
      this.#space();
      const name = this.#string();
      this.#expect(":");
      object[name] = this.#value();
    } while (this.#take(","));
    this.#expect("}");
    return object;
  }

  #array(): WireValue {
    const array: WireValue[] = [];
    if (this.#take("]")) return array;
    do array.push(this.#value());
    while (this.#take(","));
    this.#expect("]");
    return array;
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#wrong();
    this.#at++;
    let text = "";
    for (;;) {
      text += this.#match(PLAIN) ?? "";
      const char = this.#text[this.#at++];
      if (char === '"') return text;
      if (char !== "\\") throw this.#wrong();
      text += this.#escape();
    }
  }

  #escape(): string {
    const unit = this.#match(ESCAPED_UNIT);
    if (unit !== undefined) return `\\${unit}`;
    const meant = ESCAPES[this.#text[this.#at] ?? ""];
    if (meant === undefined) throw this.#wrong();
    this.#at++;
    return meant;
  }
}

/** Throws a SyntaxError for what is not JSON. */
export function scanJson(text: string): WireValue {
  return new Scanner(text).whole();
}
