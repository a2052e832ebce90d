import { IN_NAMES } from "../../lib/net/field-names.ts";
import type { SentHeaders } from "../../lib/route.ts";

/** What is longer, or has more, is not plain. */
const HEAD_BYTES_MAX = 16 * 1024;
const FIELDS_MAX = 64;
const LENGTH_DIGITS_MAX = 6;
/** A longer body is read bit by bit, and counted as it comes. */
const BODY_BYTES_MAX = 256 * 1024;

const METHOD = Buffer.from("POST ");
const VERSION = Buffer.from(" HTTP/1.1\r\n");
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;
const DELETE = 127;
/** What makes a capital small. */
const SMALL = 32;

/** Fields that change what a request means, how it is framed or who may read its answer. */
const UNPLAIN = [
  ...["transfer-encoding", "content-encoding", "expect", "upgrade", "trailer", "te"],
  ...["http2-settings", "origin"],
];

/** Up to so many fields are held against each other one by one, which is cheapest; of more a client could make much work. */
const FEW_FIELDS = 16;

/** Where the fields of a head are: of each, where its name begins, where that ends, and where its value does. */
type Marks = readonly number[];
const MARKS = 3;

/** Whether a name stands there in a text, with capitals or without. */
function isNamed(text: string, from: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((text.charCodeAt(from + i) | SMALL) !== (name.charCodeAt(i) | SMALL)) return false;
  }
  return true;
}

/** A bit for each length of a name; those that are longer share one. */
function lengthBit(length: number): number {
  return 1 << Math.min(length, 31);
}

/** The head of a request that is as plain as they come. */
export class PlainHead implements SentHeaders {
  readonly #text: string;
  readonly #marks: Marks;
  /** The lengths that its names have: most that are asked for are not there, and have a length of their own. */
  readonly #lengths: number;
  /** Whether two of its names are of one length. */
  readonly #isRepetitive: boolean;
  readonly path: string;
  /** How long the body is that follows. */
  readonly bodyBytes: number;

  constructor(text: string, marks: Marks, path: string) {
    this.#text = text;
    this.#marks = marks;
    this.path = path;
    let lengths = 0;
    let isRepetitive = false;
    for (let i = 0; i < marks.length; i += MARKS) {
      const bit = lengthBit((marks[i + 1] as number) - (marks[i] as number));
      if ((lengths & bit) !== 0) isRepetitive = true;
      lengths |= bit;
    }
    this.#lengths = lengths;
    this.#isRepetitive = isRepetitive;
    this.bodyBytes = this.#length();
  }

  /** How many bytes it has, with the blank line at its end. */
  get bytes(): number {
    return this.#text.length;
  }

  #find(name: string): number {
    if ((this.#lengths & lengthBit(name.length)) === 0) return -1;
    const marks = this.#marks;
    for (let i = 0; i < marks.length; i += MARKS) {
      const from = marks[i] as number;
      if ((marks[i + 1] as number) - from === name.length && isNamed(this.#text, from, name))
        return i;
    }
    return -1;
  }

  has(name: string): boolean {
    return this.#find(name) >= 0;
  }

  get(name: string): string | null {
    const at = this.#find(name);
    if (at < 0) return null;
    let from = (this.#marks[at + 1] as number) + 1;
    let to = this.#marks[at + 2] as number;
    while (from < to && this.#isBlank(from)) from += 1;
    while (to > from && this.#isBlank(to - 1)) to -= 1;
    return this.#text.slice(from, to);
  }

  #isBlank(at: number): boolean {
    const char = this.#text.charCodeAt(at);
    return char === SPACE || char === TAB;
  }

  #length(): number {
    const text = this.get("content-length");
    if (text === null || text.length > LENGTH_DIGITS_MAX || !/^\d+$/.test(text)) return -1;
    return Number(text);
  }

  /** Whether there is no other way to read it. */
  get isPlain(): boolean {
    if (this.bodyBytes < 0 || this.bodyBytes > BODY_BYTES_MAX || !this.has("host")) return false;
    for (const name of UNPLAIN) if (this.has(name)) return false;
    const connection = this.get("connection");
    return (connection === null || connection.toLowerCase() === "keep-alive") && !this.#hasTwins();
  }

  /** Whether a field is there twice: it depends on the reader which of them counts. */
  #hasTwins(): boolean {
    if (!this.#isRepetitive) return false;
    const marks = this.#marks;
    if (marks.length > MARKS * FEW_FIELDS) return this.#hasTwinsAmongMany();
    const text = this.#text;
    for (let i = MARKS; i < marks.length; i += MARKS) {
      const from = marks[i] as number;
      const to = marks[i + 1] as number;
      for (let j = 0; j < i; j += MARKS) {
        const other = marks[j] as number;
        if ((marks[j + 1] as number) - other !== to - from) continue;
        if ((text.charCodeAt(other) | SMALL) !== (text.charCodeAt(from) | SMALL)) continue;
        if (isNamed(text, other, text.slice(from, to))) return true;
      }
    }
    return false;
  }

  #hasTwinsAmongMany(): boolean {
    const marks = this.#marks;
    const names = new Set<string>();
    for (let i = 0; i < marks.length; i += MARKS)
      names.add(this.#text.slice(marks[i], marks[i + 1]).toLowerCase());
    return names.size < marks.length / MARKS;
  }
}

function stands(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/**
 * Reads the head that begins there, if all of it is there and it is plain: a POST of HTTP/1.1 in visible ASCII, with each
 * field once, a body of a known length, and nothing that asks for more than an answer. Whatever else it may be is not
 * judged here.
 */
export function readPlainHead(bytes: Buffer, from: number): PlainHead | undefined {
  const most = Math.min(bytes.length, from + HEAD_BYTES_MAX);
  if (!stands(bytes, from, METHOD)) return undefined;
  const pathAt = from + METHOD.length;
  let at = pathAt;
  while (at < most && (bytes[at] as number) > SPACE && (bytes[at] as number) < DELETE) at += 1;
  if (!stands(bytes, at, VERSION)) return undefined;
  const pathEnd = at;
  at += VERSION.length;
  const marks: number[] = [];
  while (bytes[at] !== CR) {
    const nameAt = at;
    while (IN_NAMES[bytes[at] as number] === 1) at += 1;
    if (at === nameAt || bytes[at] !== COLON || marks.length === MARKS * FIELDS_MAX)
      return undefined;
    const nameEnd = at;
    at += 1;
    while (at < most && isInValues(bytes[at] as number)) at += 1;
    if (at + 1 >= most || bytes[at] !== CR || bytes[at + 1] !== LF) return undefined;
    marks.push(nameAt - from, nameEnd - from, at - from);
    at += 2;
  }
  if (at + 1 >= most || bytes[at + 1] !== LF) return undefined;
  const text = bytes.toString("latin1", from, at + 2);
  const head = new PlainHead(text, marks, text.slice(pathAt - from, pathEnd - from));
  return head.isPlain ? head : undefined;
}

function isInValues(byte: number): boolean {
  return (byte >= SPACE && byte < DELETE) || byte === TAB;
}
