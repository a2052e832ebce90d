import type { Span } from "../../lib/json/stepped-parser.ts";
import {
  CLOSE_BRACKET,
  COMMA,
  isWritten,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  readName,
  skipColon,
  skipPlain,
  skipSpace,
  skipString,
  skipValue,
} from "../bytes/json-scan.ts";

/** The way to a value: names of members, and 0 for the first of a list. */
export type Path = readonly (string | 0)[];

/** What paths lead to, each at its own place; undefined for one that leads to nothing. */
export type FoundPaths = readonly (Span | undefined)[];

/** So many can be told apart by their bits. */
const PATHS_MAX = 30;

/** Follows several paths at once. Those that lead to where it is are bits of a number. */
class PathWalk {
  readonly #text: string;
  readonly #paths: readonly Path[];
  readonly found: (Span | undefined)[];

  constructor(text: string, paths: readonly Path[]) {
    this.#text = text;
    this.#paths = paths;
    this.found = paths.map(() => undefined);
  }

  /** Goes over the value at `at`, to which so many steps of these paths lead. Where it ends. */
  value(at: number, steps: number, led: number): number {
    if (led === 0) return skipValue(this.#text, at);
    let through = 0;
    for (let i = 0; i < this.#paths.length; i++) {
      if (led & (1 << i) && (this.#paths[i] as Path).length > steps) through |= 1 << i;
    }
    const end = through === 0 ? skipValue(this.#text, at) : this.#inside(at, steps, through);
    if (through !== led) this.#end(led & ~through, { start: at, end });
    return end;
  }

  #end(led: number, span: Span | undefined): void {
    for (let i = 0; i < this.found.length; i++) if (led & (1 << i)) this.found[i] = span;
  }

  #inside(at: number, steps: number, led: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === OPEN_BRACE) return this.#members(at, steps, led);
    return code === OPEN_BRACKET ? this.#elements(at, steps, led) : skipPlain(this.#text, at);
  }

  #members(from: number, steps: number, led: number): number {
    const text = this.#text;
    let at = skipSpace(text, from + 1);
    while (text.charCodeAt(at) === QUOTE) {
      const end = skipString(text, at);
      const named = this.#named(at, end, steps, led);
      // Of doubles the last counts: what the one before led to is forgotten.
      if (named !== 0) this.#end(named, undefined);
      at = skipSpace(text, this.value(skipSpace(text, skipColon(text, end)), steps + 1, named));
      if (text.charCodeAt(at) !== COMMA) break;
      at = skipSpace(text, at + 1);
    }
    return at + 1;
  }

  /** Those of the paths that go on by the name that stands there. */
  #named(at: number, end: number, steps: number, led: number): number {
    let named = 0;
    for (let i = 0; i < this.#paths.length; i++) {
      if ((led & (1 << i)) === 0) continue;
      const step = (this.#paths[i] as Path)[steps];
      if (typeof step !== "string") continue;
      if (isWritten(this.#text, at, step) ?? readName(this.#text, at, end) === step)
        named |= 1 << i;
    }
    return named;
  }

  /** Those that go on by the first of a list. */
  #first(steps: number, led: number): number {
    let first = 0;
    for (let i = 0; i < this.#paths.length; i++) {
      if (led & (1 << i) && (this.#paths[i] as Path)[steps] === 0) first |= 1 << i;
    }
    return first;
  }

  #elements(from: number, steps: number, led: number): number {
    const text = this.#text;
    let at = skipSpace(text, from + 1);
    let first = this.#first(steps, led);
    while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACKET) {
      at = skipSpace(text, this.value(at, steps + 1, first));
      first = 0;
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
    }
    return at + 1;
  }
}

/**
 * Where the values lie that paths lead to, in the object that opens at or behind `from`: found in one way through it.
 * Of doubles it is the last, as in JSON.parse. The text must be valid JSON.
 */
export function findPaths(text: string, from: number, paths: readonly Path[]): FoundPaths {
  if (paths.length > PATHS_MAX) throw new Error(`${paths.length} paths are too many`);
  const walk = new PathWalk(text, paths);
  walk.value(skipSpace(text, from), 0, 2 ** paths.length - 1);
  return walk.found;
}
