/**
 * Writes a text that matches a regular expression. The pattern comes from a client, so it is only
 * read, never run: one that backtracks for ever would stop every stream of the process.
 */
type Node =
  | { readonly kind: "set"; readonly character: string }
  | { readonly kind: "sequence"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly min: number; readonly max: number };

const TEXT_CHARS_MAX = 2_000;
const PATTERN_CHARS_MAX = 500;
const DEPTH_MAX = 20;

interface Reader {
  readonly pattern: readonly string[];
  at: number;
  depth: number;
}

class Unreadable extends Error {}

/** Null when the pattern uses something that is not understood here. */
export function textForPattern(pattern: string, charsMin: number): string | null {
  if (pattern.length > PATTERN_CHARS_MAX) return null;
  const reader: Reader = { pattern: [...pattern], at: 0, depth: 0 };
  try {
    const node = readChoice(reader);
    if (reader.at < reader.pattern.length) return null;
    // Open-ended parts grow step by step until the text is long enough.
    for (let extra = 0; extra <= charsMin; extra += 1) {
      const text = write(node, extra);
      if (text.length >= charsMin) return text;
    }
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function readChoice(reader: Reader): Node {
  reader.depth += 1;
  if (reader.depth > DEPTH_MAX) throw new Unreadable();
  const first = readSequence(reader);
  while (peek(reader) === "|") {
    reader.at += 1;
    readSequence(reader);
  }
  reader.depth -= 1;
  return first;
}

function readSequence(reader: Reader): Node {
  const nodes: Node[] = [];
  for (let next = peek(reader); next !== undefined; next = peek(reader)) {
    if (next === "|" || next === ")") break;
    if (next === "^" || next === "$") reader.at += 1;
    else nodes.push(readRepeat(reader, readAtom(reader)));
  }
  return { kind: "sequence", nodes };
}

function peek(reader: Reader): string | undefined {
  return reader.pattern[reader.at];
}

function take(reader: Reader): string {
  const character = reader.pattern[reader.at];
  if (character === undefined) throw new Unreadable();
  reader.at += 1;
  return character;
}

function readAtom(reader: Reader): Node {
  const character = take(reader);
  if (character === "(") return readGroup(reader);
  if (character === "[") return { kind: "set", character: readClass(reader) };
  if (character === ".") return { kind: "set", character: "a" };
  if (character === "\\") return { kind: "set", character: readEscape(reader) };
  if ("*+?{".includes(character)) throw new Unreadable();
  return { kind: "set", character };
}

function readGroup(reader: Reader): Node {
  if (peek(reader) === "?") {
    reader.at += 1;
    const sort = take(reader);
    if (sort === "<") {
      if (peek(reader) === "=" || peek(reader) === "!") throw new Unreadable();
      while (take(reader) !== ">");
    } else if (sort !== ":") throw new Unreadable();
  }
  const node = readChoice(reader);
  if (take(reader) !== ")") throw new Unreadable();
  return node;
}

const ESCAPES: Readonly<Record<string, string>> = {
  d: "1",
  D: "a",
  w: "a",
  W: "-",
  s: " ",
  S: "a",
  t: "\t",
  n: "\n",
  r: "\r",
  b: "",
};

function readEscape(reader: Reader): string {
  const character = take(reader);
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  if (/[a-zA-Z0-9]/.test(character)) throw new Unreadable();
  return character;
}

function readClass(reader: Reader): string {
  const negated = peek(reader) === "^";
  if (negated) reader.at += 1;
  const members: { from: string; to: string }[] = [];
  while (peek(reader) !== "]") members.push(readRange(reader));
  reader.at += 1;
  if (!negated) {
    const first = members[0];
    if (first === undefined) throw new Unreadable();
    return first.from;
  }
  const free = [..."aA1-_ .x#"].find(
    (letter) => !members.some((member) => member.from <= letter && letter <= member.to),
  );
  if (free === undefined) throw new Unreadable();
  return free;
}

/** Escapes such as `\w` inside a class stand for the whole span they cover. */
const SPANS: Readonly<Record<string, string>> = { d: "09", w: "Az", s: "\t " };

function readRange(reader: Reader): { from: string; to: string } {
  const first = take(reader);
  if (first === "\\") {
    const span = SPANS[peek(reader) ?? ""];
    const character = readEscape(reader);
    return span === undefined
      ? { from: character, to: character }
      : { from: character, to: span[1] ?? character };
  }
  if (peek(reader) !== "-" || reader.pattern[reader.at + 1] === "]") {
    return { from: first, to: first };
  }
  reader.at += 1;
  return { from: first, to: take(reader) };
}

function readRepeat(reader: Reader, node: Node): Node {
  const next = peek(reader);
  const unbounded = Number.POSITIVE_INFINITY;
  let repeat: Node = node;
  if (next === "*") repeat = { kind: "repeat", node, min: 0, max: unbounded };
  else if (next === "+") repeat = { kind: "repeat", node, min: 1, max: unbounded };
  else if (next === "?") repeat = { kind: "repeat", node, min: 0, max: 1 };
  else if (next === "{") return readCounted(reader, node);
  else return node;
  reader.at += 1;
  if (peek(reader) === "?") reader.at += 1;
  return repeat;
}

function readCounted(reader: Reader, node: Node): Node {
  const close = reader.pattern.indexOf("}", reader.at);
  const text = reader.pattern.slice(reader.at + 1, Math.max(close, 0)).join("");
  const match = /^(\d{1,4})(,(\d{0,6}))?$/.exec(text);
  if (match === null) throw new Unreadable();
  reader.at = close + 1;
  if (peek(reader) === "?") reader.at += 1;
  const min = Number(match[1]);
  const open = match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3] ?? min);
  return { kind: "repeat", node, min, max: open };
}

function write(node: Node, extra: number): string {
  if (node.kind === "set") return node.character;
  if (node.kind === "sequence") {
    return checkLength(node.nodes.map((inner) => write(inner, extra)).join(""));
  }
  const once = write(node.node, extra);
  const count = Math.min(node.max, node.min + extra);
  if (once.length * count > TEXT_CHARS_MAX) throw new Unreadable();
  return once.repeat(Math.min(count, TEXT_CHARS_MAX));
}

function checkLength(text: string): string {
  if (text.length > TEXT_CHARS_MAX) throw new Unreadable();
  return text;
}
