// How many tokens can begin within one character, whatever stands around it.
import { type Merges, merge, unitsOf } from "./merges.ts";

const isInside = (unit: string) => unit >= "\x80" && unit < "\xc0";

/** How many bytes the character has that begins with this one. */
function bytesBehind(first: string): number {
  if (first < "\xc0") return 1;
  return first < "\xe0" ? 2 : first < "\xf0" ? 3 : 4;
}

/** Tokens that reach across the edge of a character, by the part of it that they have. */
interface Crossings {
  /** They end with the first bytes of a character. */
  readonly into: ReadonlyMap<string, readonly string[]>;
  /** They begin with its last bytes and go on behind it. */
  readonly outOf: ReadonlyMap<string, readonly string[]>;
}

function endOf(token: string): string {
  for (let length = 1; length <= 3 && length < token.length; length++) {
    const first = token.charAt(token.length - length);
    if (isInside(first)) continue;
    return bytesBehind(first) > length ? token.slice(-length) : "";
  }
  return "";
}

function beginningOf(token: string): string {
  let length = 0;
  while (length < token.length && isInside(token.charAt(length))) length++;
  return length < token.length ? token.slice(0, length) : "";
}

export function crossingsOf({ tokens, unit }: Merges): Crossings {
  const into = new Map<string, string[]>();
  const outOf = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, part: string, token: string) => {
    if (part === "") return;
    const others = map.get(part);
    if (others) others.push(token);
    else map.set(part, [token]);
  };
  if (unit === "character") return { into, outOf };
  for (const token of tokens) {
    add(into, endOf(token), token);
    add(outOf, beginningOf(token), token);
  }
  return { into, outOf };
}

/** One way to cut a character, between the tokens that have its first and its last bytes. */
interface Cut {
  readonly left: string;
  /** How many tokens begin within the character. */
  readonly starts: number;
}

const NOTHING = [""];

/** Every way that a tokenizer may cut a character, by what it stands between. */
function* cutsOf(tokenizer: Merges, crossings: Crossings, character: string): Generator<Cut> {
  const units = unitsOf(tokenizer, character);
  const bytes = units.join("");
  for (let from = 0; from < units.length; from++) {
    const lefts = from === 0 ? NOTHING : (crossings.into.get(bytes.slice(0, from)) ?? []);
    for (let to = Math.max(from, 1); to <= units.length; to++) {
      const rights = to === units.length ? NOTHING : (crossings.outOf.get(bytes.slice(to)) ?? []);
      for (const left of lefts) {
        for (const right of rights) {
          const tokens = merge(tokenizer, [...left, ...units.slice(from, to), ...right]);
          // Only where the neighbours stay what they are does this cut exist.
          if (left !== "" && tokens[0] !== left) continue;
          if (right !== "" && tokens.at(-1) !== right) continue;
          yield { left, starts: tokens.length - (left === "" ? 0 : 1) };
        }
      }
    }
  }
}

/** The whole character that a token has before its part of the next one. */
function lastOf(left: string): string {
  return Buffer.from(left.slice(0, -endOf(left).length), "latin1")
    .toString()
    .slice(-1);
}

/** What can stand before a character where a token begins within it. */
export function enteredBehind(
  tokenizer: Merges,
  crossings: Crossings,
  character: string,
): Set<string> {
  const before = new Set<string>();
  for (const { left } of cutsOf(tokenizer, crossings, character)) {
    if (left !== "") before.add(lastOf(left));
  }
  return before;
}

const CHARACTERS = 0x10000;
/** The mark of characters that a token may begin within, after one that has their first bytes. */
const ENTERED = 0x80;
const WEIGHT = ENTERED - 1;
const isSurrogate = (code: number) => code >= 0xd800 && code < 0xe000;

function weightOf(tokenizer: Merges, crossings: Crossings, character: string): number {
  if (tokenizer.unit === "character") {
    return tokenizer.tokens.has(character) ? 1 : Buffer.byteLength(character);
  }
  let most = 0;
  let entered = 0;
  for (const { left, starts } of cutsOf(tokenizer, crossings, character)) {
    most = Math.max(most, starts);
    if (left !== "") entered = ENTERED;
  }
  return most | entered;
}

/** Most tokens that can begin within each character. */
export function characterWeights(tokenizer: Merges): Uint8Array {
  const weights = new Uint8Array(CHARACTERS);
  const crossings = crossingsOf(tokenizer);
  for (let code = 0; code < CHARACTERS; code++) {
    if (isSurrogate(code)) continue;
    weights[code] = weightOf(tokenizer, crossings, String.fromCharCode(code));
  }
  if (tokenizer.normal) normalise(weights, tokenizer.normal);
  for (let high = 0xd800; high < 0xdc00; high++) weights[high] = pairWeight(high, tokenizer.normal);
  return weights;
}

/** The most that a character beyond the first plane weighs, by the first half of its pair. */
function pairWeight(high: number, form: Merges["normal"]): number {
  let most = 4;
  for (let low = 0xdc00; form && low < 0xe000; low++) {
    const others = String.fromCharCode(high, low).normalize(form);
    most = Math.max(most, Buffer.byteLength(others));
  }
  return most | ENTERED;
}

/** What weighs the most of these, character by character. */
export function heaviest(all: readonly Uint8Array[]): Uint8Array {
  const most = new Uint8Array(CHARACTERS);
  for (const weights of all) {
    for (const [code, weight] of weights.entries()) {
      const known = most[code] as number;
      const entered = (known | weight) & ENTERED;
      most[code] = Math.max(known & WEIGHT, weight & WEIGHT) | entered;
    }
  }
  return most;
}

/** How many times its bytes a character can weigh. */
export function growthOf(weights: Uint8Array): number {
  let growth = 1;
  for (const [code, weight] of weights.entries()) {
    const bytes = isSurrogate(code) ? 4 : Buffer.byteLength(String.fromCharCode(code));
    growth = Math.max(growth, Math.ceil((weight & WEIGHT) / bytes));
  }
  return growth;
}

/** What a character weighs that is first rewritten as others, or drawn into the one before it. */
function normalise(weights: Uint8Array, form: "NFC" | "NFKC"): void {
  for (let code = 0x80; code < CHARACTERS; code++) {
    if (isSurrogate(code)) continue;
    const character = String.fromCharCode(code);
    const others = character.normalize(form);
    const isRewritten = others !== character;
    if (!isRewritten && !composes(character)) continue;
    // A composite has three bytes at most, and the letter before it may have counted for nothing.
    weights[code] = Math.max(3, Buffer.byteLength(others)) | ENTERED;
  }
}

/** Whether a character may become one with what stands before it. */
function composes(character: string): boolean {
  const code = character.charCodeAt(0);
  const isJamo = code >= 0x1161 && code < 0x1200;
  return isJamo || /\p{M}/u.test(character);
}
