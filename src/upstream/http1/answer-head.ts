import { IN_NAMES } from "../../lib/net/field-names.ts";
import { type HeadText, isBlank, isNamed, signOf } from "./head-fields.ts";

/** How the end of a body is told, by RFC 9112 §6.3. */
export type Framing = "none" | "sized" | "chunked" | "until-close";

/** The head of an answer, as far as a connection has to know it. */
export interface AnswerHead extends HeadText {
  readonly status: number;
  readonly framing: Framing;
  /** Bytes of a sized body. */
  readonly bytes: number;
  /** Whether the connection can serve another call. */
  readonly isKept: boolean;
  /** For how long the vendor says that it keeps it. */
  readonly keepMs: number | undefined;
  /** How the body is packed, in small letters; empty where it is plain. */
  readonly packing: string;
}

/** An answer that is not HTTP/1.1 as it is written. What it means could only be guessed. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

/** `HTTP/1.1 200` and what stands between its digits. */
const VERSION = "HTTP/1.";
const MINOR_AT = 7;
const STATUS_AT = 9;
const REASON_AT = 12;
const SWITCHING = 101;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const ZERO = 48;
const COLON = 58;

const LENGTHS = /^\d{1,15}$/;
const LENGTH_DIGITS_MAX = 15;
const KEEP_TIMEOUT = /(?:^|[,;\s])timeout\s*=\s*(\d{1,6})/i;

/** The fields that say how the body is to be read and whether the connection goes on, as they are met. */
interface Fields {
  signs: number;
  length: number | undefined;
  /** Undefined where none is named: one that is empty is not the same. */
  coding: string | undefined;
  connection: string;
  keepMs: number | undefined;
  packing: string;
}

function bad(what: string): BadAnswer {
  return new BadAnswer(`the vendor's answer is not valid HTTP: ${what}`);
}

/** Without the blanks that may stand around a value. A `trim` takes others for such, by which two readers would differ. */
function bare(value: string): string {
  let from = 0;
  let to = value.length;
  while (from < to && isBlank(value.charCodeAt(from))) from += 1;
  while (to > from && isBlank(value.charCodeAt(to - 1))) to -= 1;
  return value.slice(from, to);
}

/** Two lengths that are the same are one; any others contradict each other. */
function lengthOf(value: string, before: number | undefined): number {
  if (value.includes(",")) {
    return (
      value.split(",").reduce<number | undefined>((one, next) => lengthOf(next, one), before) ?? 0
    );
  }
  const text = bare(value);
  if (!LENGTHS.test(text)) throw bad("its content-length is no number");
  const length = Number(text);
  if (before !== undefined && before !== length) throw bad("it has two lengths");
  return length;
}

function addTo(list: string, value: string): string {
  const added = bare(value).toLowerCase();
  return list === "" ? added : `${list},${added}`;
}

/** A length that is digits alone, as nearly every one is written; -1 for any other. */
function plainLength(bytes: Buffer, from: number, end: number): number {
  const start = isBlank(bytes[from] as number) ? from + 1 : from;
  if (start === end || end - start > LENGTH_DIGITS_MAX) return -1;
  let length = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    length = length * 10 + digit;
  }
  return length;
}

function note(fields: Fields, name: string, value: string): void {
  switch (name) {
    case "content-length":
      fields.length = lengthOf(value, fields.length);
      break;
    case "transfer-encoding":
      fields.coding = addTo(fields.coding ?? "", value);
      break;
    case "connection":
      fields.connection = addTo(fields.connection, value);
      break;
    case "content-encoding":
      fields.packing = addTo(fields.packing, value);
      break;
    case "keep-alive": {
      const seconds = KEEP_TIMEOUT.exec(value)?.[1];
      if (seconds !== undefined) fields.keepMs = Number(seconds) * 1_000;
      break;
    }
  }
}

/** A head on its way to be read: its bytes, and from where on they are its text. */
interface Head {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The name of a field that `note` knows. No other is worth a text of its own. */
function notedName(text: string, at: number, chars: number): string | undefined {
  switch (chars) {
    case 10:
      if (isNamed(text, at, "connection")) return "connection";
      return isNamed(text, at, "keep-alive") ? "keep-alive" : undefined;
    case 14:
      return isNamed(text, at, "content-length") ? "content-length" : undefined;
    case 16:
      return isNamed(text, at, "content-encoding") ? "content-encoding" : undefined;
    case 17:
      return isNamed(text, at, "transfer-encoding") ? "transfer-encoding" : undefined;
    default:
      return undefined;
  }
}

function readField(fields: Fields, head: Head, at: number, colon: number, end: number): void {
  const { bytes, from, text } = head;
  const name = notedName(text, at - from, colon - at);
  if (name === undefined) return;
  const plain = name === "content-length" ? plainLength(bytes, colon + 1, end) : -1;
  if (plain >= 0 && fields.length === undefined) fields.length = plain;
  else note(fields, name, text.slice(colon + 1 - from, end - from));
}

/** Where the name of the field ends that begins here. */
function endOfName(bytes: Buffer, from: number): number {
  let at = from;
  while (IN_NAMES[bytes[at] as number] === 1) at += 1;
  if (at === from || bytes[at] !== COLON) throw bad("one of its fields has no name");
  return at;
}

/** Where the line ends whose rest begins here: at its CR, behind which there is an LF, or with the head. */
function endOfLine(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= SPACE || byte === TAB) continue;
    if (byte === CR && bytes[at + 1] === LF) return at;
    if (byte === CR || byte === LF || byte === 0) throw bad("a line of its head is broken");
  }
  return end;
}

function readFields(head: Head, start: number): Fields {
  const { bytes, to } = head;
  const fields: Fields = {
    signs: 0,
    length: undefined,
    coding: undefined,
    connection: "",
    keepMs: undefined,
    packing: "",
  };
  for (let at = start; at < to; ) {
    const colon = endOfName(bytes, at);
    const end = endOfLine(bytes, colon, to);
    fields.signs |= signOf(colon - at, bytes[at] as number);
    readField(fields, head, at, colon, end);
    at = end + 2;
  }
  return fields;
}

/** The three digits of the status, whose line ends there. */
function statusOf({ bytes, from, text }: Head, end: number): number {
  const minor = (bytes[from + MINOR_AT] as number) - ZERO;
  let status = 0;
  for (let at = from + STATUS_AT; at < from + REASON_AT; at++) {
    const digit = (bytes[at] as number) - ZERO;
    status = digit >= 0 && digit <= 9 ? status * 10 + digit : Number.NaN;
  }
  const isLong = end - from >= REASON_AT;
  const isHttp = isLong && text.startsWith(VERSION) && minor >= 0 && minor <= 9;
  const isSpaced =
    bytes[from + STATUS_AT - 1] === SPACE &&
    (end === from + REASON_AT || bytes[from + REASON_AT] === SPACE);
  if (!isHttp || !isSpaced || !(status >= 100)) {
    throw bad("it does not begin with a status line of HTTP/1.1");
  }
  return status;
}

function framingOf(status: number, { length, coding }: Fields, isHead: boolean): Framing {
  if (isHead || status < 200 || status === NO_CONTENT || status === NOT_MODIFIED) return "none";
  if (coding !== undefined) {
    if (coding !== "chunked") throw bad(`its transfer-encoding is '${coding.slice(0, 40)}'`);
    return "chunked";
  }
  return length === undefined ? "until-close" : "sized";
}

/**
 * Reads the head that stands between two places, without the blank line behind it. `isHead`: the answer is
 * one to HEAD, which has no body, whatever its fields say.
 */
export function readHead(bytes: Buffer, from: number, to: number, isHead: boolean): AnswerHead {
  const text = bytes.toString("latin1", from, to);
  const head = { bytes, from, to, text };
  const end = endOfLine(bytes, from, to);
  const status = statusOf(head, end);
  if (status === SWITCHING) throw bad("it changes the protocol, which nobody asked for");
  const fields = readFields(head, end + 2);
  const framing = framingOf(status, fields, isHead);
  // Whoever sends a length beside chunks may mean either: what follows is not read as an answer.
  const isPlain = fields.coding === undefined || fields.length === undefined;
  const isOld = bytes[from + MINOR_AT] === ZERO;
  const closes = isOld || /(?:^|[\s,])close(?:$|[\s,])/.test(fields.connection);
  return {
    status,
    text,
    signs: fields.signs,
    framing,
    bytes: fields.length ?? 0,
    isKept: isPlain && !closes && framing !== "until-close",
    keepMs: fields.keepMs,
    packing: fields.packing,
  };
}
