import { errorIn } from "../status-in-body.ts";
import { copyFrom } from "./bytes.ts";

const LF = 10;
const CR = 13;

/** Where the first event of `bytes` at or behind `from` ends (behind its blank line), or -1. */
export function eventEnd(bytes: Uint8Array, from: number): number {
  let i = bytes.indexOf(LF, from);
  while (i >= 0) {
    if (bytes[i + 1] === LF) return i + 2;
    if (bytes[i + 1] === CR && bytes[i + 2] === LF) return i + 3;
    i = bytes.indexOf(LF, i + 1);
  }
  return -1;
}

/** Where the last event ends that ends in `bytes`, or -1. They may come right behind the end of a line. */
export function lastEventEnd(bytes: Uint8Array, isBehindLine: boolean): number {
  let i = bytes.lastIndexOf(LF);
  while (i >= 0) {
    const before = bytes[i - 1] === CR ? i - 2 : i - 1;
    if (before < 0 ? isBehindLine : bytes[before] === LF) return i + 1;
    i = i === 0 ? -1 : bytes.lastIndexOf(LF, i - 1);
  }
  return -1;
}

export function endsLine(bytes: Uint8Array): boolean {
  return bytes[bytes.length - 1] === LF;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** An unfinished event of so many bytes is not put together anew with every read. */
const LARGE_BYTES = 64 * 1024;
/** A large event of more lines would take too long to read. */
const LINES_MAX = 64 * 1024;
/** A vendor that sends so much without an event has gone wrong. */
export const SILENT_BYTES_MAX = 1024 * 1024;
/**
 * A body in place of an event counts for at least so much of that. To read one that is none costs as much as hundreds of
 * blank lines.
 */
const BODY_BYTES_MIN = 1024;
/** So much of an unfinished event is kept while it has no data. Beyond, its lines are skipped as comments are. */
const HEAD_BYTES_MAX = 4 * 1024;
const NOTHING = new Uint8Array();
/** So much of a blank line may have come before its last byte. */
const BLANK_BYTES = 2;

const COLON = 58;
const SPACE = 32;
const TAB = 9;
const DATA = Buffer.from("data:");
/** So much of a line tells whether it has data. */
const DATA_BYTES = "data: x".length;
/** The first bytes of a JSON object or array, and of a byte order mark. */
const BODY_STARTS: readonly (number | undefined)[] = [123, 91, 0xef];

/** Where the blanks end that begin there. */
function behindBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  return at;
}

function isData(bytes: Uint8Array, line: number): boolean {
  for (let i = 0; i < DATA.length; i++) if (bytes[line + i] !== DATA[i]) return false;
  const first = bytes[behindBlanks(bytes, line + DATA.length)];
  return first !== undefined && first !== LF && first !== CR;
}

/** Whether bytes begin as a whole body and not as an event. The reader of events judges what it is. */
function isBody(bytes: Uint8Array, from: number): boolean {
  return BODY_STARTS.includes(bytes[behindBlanks(bytes, from)]);
}

function hasData(bytes: Uint8Array, from: number, to: number): boolean {
  if (isData(bytes, from)) return true;
  for (let i = bytes.indexOf(LF, from); i >= 0 && i + 1 < to; i = bytes.indexOf(LF, i + 1)) {
    if (isData(bytes, i + 1)) return true;
  }
  return false;
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let i = bytes.indexOf(LF); i >= 0; i = bytes.indexOf(LF, i + 1)) lines++;
  return lines;
}

/**
 * Cuts a byte stream into whole events, however it was chopped on the way. An event is the bytes up
 * to and including its blank line; nothing is decoded, so a cut inside a character does no harm.
 * Blank lines, comments and events without data are skipped by their bytes, and throw where they are too many.
 */
export class SseFramer {
  #rest: Uint8Array | undefined;
  /** What came behind the rest, where that is large and its event still has no end. */
  #more: Uint8Array[] | undefined;
  /** The last bytes of all that, with which a blank line may have begun. */
  #tail: Uint8Array | undefined;
  /** How many lines a large event has so far. */
  #lines = 0;
  /** The bytes that were searched before. No event ends among them. */
  #searched = 0;
  /** What comes next, up to the end of its line, is skipped. */
  #isSkippingLine = false;
  /** How much has come since the last event. */
  #silentBytes = 0;

  /** Where the event begins that the last `next` has found, or what is left where it has found none. */
  from = 0;

  /** The events that `chunk` completes. */
  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.take(chunk);
    const events: Uint8Array[] = [];
    let start = 0;
    for (;;) {
      const end = this.next(bytes, start);
      start = this.from;
      if (end < 0) break;
      events.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
      start = end;
    }
    this.leave(bytes, start);
    return events;
  }

  /** The bytes to look for events in: `chunk`, behind what was left before it. */
  take(chunk: Uint8Array): Uint8Array {
    this.#searched = 0;
    if (this.#isSkippingLine) return this.#behindLine(chunk);
    if (this.#rest && this.#rest.length >= LARGE_BYTES && this.#goesOn(this.#rest, chunk)) {
      return NOTHING;
    }
    const rest = this.rest();
    if (!rest) return chunk;
    this.#searched = Math.max(0, rest.length - BLANK_BYTES);
    return joined(rest, chunk);
  }

  #behindLine(chunk: Uint8Array): Uint8Array {
    const end = chunk.indexOf(LF) + 1;
    this.#isSkippingLine = end === 0;
    this.#skip(end === 0 ? chunk.length : end);
    return end === 0 ? NOTHING : chunk.subarray(end);
  }

  /** Where the next event ends at or behind `at`, or -1. It begins at `from`. */
  next(bytes: Uint8Array, at: number): number {
    for (;;) {
      const from = this.#skipLines(bytes, at);
      this.from = from;
      const end = eventEnd(bytes, Math.max(from, this.#searched));
      if (end < 0) return -1;
      if (hasData(bytes, from, end)) {
        this.#silentBytes = 0;
        return end;
      }
      if (isBody(bytes, from)) {
        this.#skip(Math.max(end - from, BODY_BYTES_MIN));
        return end;
      }
      this.#skip(end - from);
      at = end;
    }
  }

  /** Where the first line begins that is neither blank nor a comment. */
  #skipLines(bytes: Uint8Array, from: number): number {
    let at = from;
    for (;;) {
      const byte = bytes[at];
      if (byte === LF || byte === CR) at++;
      else if (byte === COLON) {
        const end = bytes.indexOf(LF, at) + 1;
        this.#isSkippingLine = end === 0;
        at = end === 0 ? bytes.length : end;
      } else break;
    }
    if (at > from) this.#skip(at - from);
    return at;
  }

  #skip(bytes: number): void {
    this.#silentBytes += bytes;
    if (this.#silentBytes <= SILENT_BYTES_MAX) return;
    throw new Error(`the vendor has sent ${SILENT_BYTES_MAX} bytes without an event`);
  }

  /** Events were found in another way. */
  heard(): void {
    this.#silentBytes = 0;
  }

  /** Sets a chunk aside with which a large event does not end yet. */
  #goesOn(rest: Uint8Array, chunk: Uint8Array): boolean {
    const before = this.#tail ?? rest.subarray(-BLANK_BYTES);
    const seam = joined(before, chunk);
    if (eventEnd(seam, 0) >= 0) return false;
    if (!this.#more) this.#lines = linesIn(rest);
    this.#more ??= [];
    this.#more.push(seam.subarray(before.length));
    this.#tail = seam.subarray(-BLANK_BYTES);
    this.#lines += linesIn(chunk);
    if (this.#lines > LINES_MAX) throw new Error(`an event has more than ${LINES_MAX} lines`);
    return true;
  }

  /** What is no whole event yet, from `at` on, is left for the next time. */
  leave(bytes: Uint8Array, at: number): void {
    if (bytes === NOTHING) return;
    const from = bytes.length - at > HEAD_BYTES_MAX ? this.#skipHead(bytes, at) : at;
    // The rest must not keep a whole network buffer alive.
    this.#rest = from < bytes.length ? copyFrom(bytes, from) : undefined;
  }

  /** Skips the lines of an unfinished event that has no data yet: they say nothing of it. */
  #skipHead(bytes: Uint8Array, at: number): number {
    if (isBody(bytes, at) || hasData(bytes, at, bytes.length)) return at;
    const line = Math.max(at, bytes.lastIndexOf(LF) + 1);
    const mayHaveData = bytes.length - line < DATA_BYTES || isData(bytes, line);
    this.#isSkippingLine = !mayHaveData;
    const to = mayHaveData ? line : bytes.length;
    this.#skip(to - at);
    return to;
  }

  /** What came behind the last blank line: a stream may end without one. */
  rest(): Uint8Array | undefined {
    const rest = this.#rest;
    const more = this.#more;
    this.#rest = undefined;
    this.#more = undefined;
    this.#tail = undefined;
    return rest && more ? Buffer.concat([rest, ...more]) : rest;
  }
}

/** What stands behind the last whole event, read where it can be: a cut event is none. */
export function readRest<T>(framer: SseFramer, read: (rest: Uint8Array) => T): T | undefined {
  const rest = framer.rest();
  if (!rest || rest.length < 2) return undefined;
  try {
    return read(rest);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The `data` of an event, its lines joined; undefined for comments and empty events. */
export function eventData(event: Uint8Array): string | undefined {
  return dataIn(decoder.decode(event));
}

/** The same of one whose text is there. */
export function dataIn(text: string): string | undefined {
  if (text.startsWith("data: ") && text.indexOf("\n") >= text.length - 2) {
    return text.slice(6).trimEnd();
  }
  let data: string | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (!line.startsWith("data:")) continue;
    const value = line.startsWith("data: ") ? line.slice(6) : line.slice(5);
    data = data === undefined ? value : `${data}\n${value}`;
  }
  return data ?? refusalIn(text);
}

const REFUSAL_CHARS_MAX = 64 * 1024;
const BODY_ENDS = /[}\]]\s*$/;

/** What is no event at all: a streamed call, too, is refused by some with a whole body, under a status that is fine. */
function refusalIn(text: string): string | undefined {
  const isJson = text.startsWith("{") || text.startsWith("[");
  if (!isJson || text.length > REFUSAL_CHARS_MAX || !BODY_ENDS.test(text)) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return errorIn(Array.isArray(body) ? body[0] : body) ? text : undefined;
  } catch {
    return undefined;
  }
}

const LINE_ENDS = /[\r\n]/;

/**
 * JSON on one line: an event ends its `data` with the line. Between its words a line may end as by a space, and
 * inside of them it never does.
 */
export function onOneLine(json: string): string {
  return LINE_ENDS.test(json) ? json.replace(/[\r\n]+/g, " ") : json;
}

/** One event of the wire: the name (where the wire has names), the data, LF. */
export function eventText(data: string, name?: string): string {
  const line = onOneLine(data);
  return name ? `event: ${name}\ndata: ${line}\n\n` : `data: ${line}\n\n`;
}

/** The same, ready to send. */
export function writeEvent(data: string, name?: string): Uint8Array {
  return encoder.encode(eventText(data, name));
}

export const DONE = writeEvent("[DONE]");
