import { errorIn } from "../told-status.ts";
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
const NOTHING = new Uint8Array();
/** So much of a blank line may have come before its last byte. */
const BLANK_BYTES = 2;

/**
 * Cuts a byte stream into whole events, however it was chopped on the way. An event is the bytes up
 * to and including its blank line; nothing is decoded, so a cut inside a character does no harm.
 */
export class SseFramer {
  #rest: Uint8Array | undefined;
  /** What came behind the rest, where that is large and its event still has no end. */
  #more: Uint8Array[] | undefined;
  /** The last bytes of all that, with which a blank line may have begun. */
  #tail: Uint8Array | undefined;

  /** The events that `chunk` completes. */
  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.take(chunk);
    const events: Uint8Array[] = [];
    let start = 0;
    for (;;) {
      const end = eventEnd(bytes, start);
      if (end < 0) break;
      events.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
      start = end;
    }
    this.leave(bytes, start);
    return events;
  }

  /** The bytes to look for events in: `chunk`, behind what was left before it. */
  take(chunk: Uint8Array): Uint8Array {
    if (this.#rest && this.#rest.length >= LARGE_BYTES && this.#goesOn(this.#rest, chunk)) {
      return NOTHING;
    }
    const rest = this.rest();
    return rest ? joined(rest, chunk) : chunk;
  }

  /** Sets a chunk aside with which a large event does not end yet. */
  #goesOn(rest: Uint8Array, chunk: Uint8Array): boolean {
    const before = this.#tail ?? rest.subarray(-BLANK_BYTES);
    const seam = joined(before, chunk);
    if (eventEnd(seam, 0) >= 0) return false;
    this.#more ??= [];
    this.#more.push(seam.subarray(before.length));
    this.#tail = seam.subarray(-BLANK_BYTES);
    return true;
  }

  /** What is no whole event yet, from `at` on, is left for the next time. */
  leave(bytes: Uint8Array, at: number): void {
    if (bytes === NOTHING) return;
    // The rest must not keep a whole network buffer alive.
    this.#rest = at < bytes.length ? copyFrom(bytes, at) : undefined;
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

/** What is no event at all: a streamed call, too, is refused by some with a whole body, under a status that is fine. */
function refusalIn(text: string): string | undefined {
  const isJson = text.startsWith("{") || text.startsWith("[");
  if (!isJson || text.length > REFUSAL_CHARS_MAX) return undefined;
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
