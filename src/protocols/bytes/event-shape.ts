import type { Span } from "../../lib/json/stepped-parser.ts";
import { type FoundPaths, findPaths, type Path } from "../members/find-paths.ts";
import { countText } from "../text-tokens.ts";
import { copyFrom, sameBytes } from "./bytes.ts";
import { OneWrite } from "./one-write.ts";

/** What may differ between events that are alike in all else. */
export interface EventPaths {
  /** What the model wrote, which is counted. */
  readonly texts: readonly Path[];
  /** Texts that mean nothing to us. */
  readonly free?: readonly Path[];
  /** Whole numbers, which can be read of each event. */
  readonly numbers?: readonly Path[];
  /** The value that is written anew, and as what. */
  readonly renamed?: { readonly path: Path; readonly by: Uint8Array };
  /** The member that gets another name, where an event has it, and which, in quotes. */
  readonly named?: { readonly path: Path; readonly by: Uint8Array } | undefined;
}

/** What may differ at one place. */
type Kind = "text" | "free" | "number";

interface Slot extends Span {
  readonly kind: Kind;
  /** Which of the numbers it is. */
  readonly number: number;
}

/** Bytes of the event that may be written in another way. */
interface Change extends Span {
  /** How many slots come before where it starts, and before where it ends. */
  readonly before: number;
  readonly behind: number;
  /** What is written: these, or the number that stands there with something added to it. */
  readonly by: Uint8Array | number;
}

const DIGIT_0 = 48;
const DIGIT_9 = 57;
/** So many digits fit into a number whatever they are. */
const DIGITS_MAX = 15;

/** Behind the last digit of a whole number, or -1 where there is none. */
function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at] as number;
    if (!(byte >= DIGIT_0 && byte <= DIGIT_9)) break;
    at++;
  }
  if (at === from || at - from > DIGITS_MAX) return -1;
  return bytes[from] === DIGIT_0 && at - from > 1 ? -1 : at;
}

function numberAt(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + ((bytes[i] as number) - DIGIT_0);
  return value;
}

const NO_NUMBERS = new Float64Array();

/**
 * Events that a vendor writes one after another and that differ at a few known places. One of them is
 * kept; another is known by having the same bytes between those places, so that it need not be read,
 * only counted and, where that is needed, written with a few bytes changed.
 */
export class EventShape {
  readonly #event: Uint8Array;
  readonly #slots: readonly Slot[];
  readonly #changes: readonly Change[];
  /** Nothing but its numbers may have to be written anew. */
  readonly #keepsBytes: boolean;
  /** By how much what follows so many slots is moved in the event that was matched. */
  readonly #moved: number[];
  #numbers: Float64Array;
  /** Of a match that is under way, and may come to nothing. */
  #reading: Float64Array;
  readonly #ignored = { tokens: 0 };

  /** Of the last event that was matched: what the model wrote in it. */
  tokens = 0;
  /** And where it ends. */
  end = 0;

  constructor(
    event: Uint8Array,
    slots: readonly Slot[],
    changes: readonly Change[],
    numbers: number,
  ) {
    this.#event = event;
    this.#slots = slots;
    this.#changes = changes;
    this.#keepsBytes = changes.every(({ by }) => typeof by === "number");
    this.#moved = Array(slots.length + 1).fill(0);
    this.#numbers = numbers === 0 ? NO_NUMBERS : new Float64Array(numbers).fill(Number.NaN);
    this.#reading = numbers === 0 ? NO_NUMBERS : this.#numbers.slice();
  }

  /** The numbers of the last event that was matched, in the order of their places; NaN where it has none. */
  get numbers(): Iterable<number> & ArrayLike<number> {
    return this.#numbers;
  }

  /** Whether a whole event of this shape begins at `at`. */
  matches(bytes: Uint8Array, at: number): boolean {
    const event = this.#event;
    const slots = this.#slots;
    this.tokens = 0;
    let here = at;
    let known = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as Slot;
      const length = slot.start - known;
      if (!sameBytes(bytes, here, event, known, length)) return false;
      this.#moved[i] = here - known;
      here = this.#fill(slot, bytes, here + length);
      if (here < 0) return false;
      known = slot.end;
    }
    if (!sameBytes(bytes, here, event, known, event.length - known)) return false;
    this.#moved[slots.length] = here - known;
    this.end = here + event.length - known;
    if (this.#numbers.length > 0) this.#keepNumbers();
    return true;
  }

  #keepNumbers(): void {
    const read = this.#reading;
    this.#reading = this.#numbers;
    this.#numbers = read;
  }

  /** Where what stands in a slot ends, or -1 where it cannot stand there. */
  #fill({ kind, number }: Slot, bytes: Uint8Array, from: number): number {
    if (kind !== "number") return countText(bytes, from, kind === "text" ? this : this.#ignored);
    const end = digitsEnd(bytes, from);
    if (end >= 0) this.#reading[number] = numberAt(bytes, from, end);
    return end;
  }

  /** Whether events of this shape go to the client as they come, with so much added to their numbers. */
  stays(added: number): boolean {
    return this.#keepsBytes && (added === 0 || this.#numbers.length === 0);
  }

  /** The last event that was matched, which began at `at`, as it goes to the client. */
  write(out: OneWrite, at: number, added: number): void {
    let from = at;
    const moved = this.#moved;
    for (let i = 0; i < this.#changes.length; i++) {
      const { before, behind, start, end, by } = this.#changes[i] as Change;
      if (typeof by === "number" && added === 0) continue;
      out.keep(from, start + (moved[before] as number));
      out.put(typeof by === "number" ? this.#sum(by, added) : by);
      from = end + (moved[behind] as number);
    }
    out.keep(from, this.end);
  }

  #sum(number: number, added: number): Uint8Array {
    return Buffer.from(String((this.#numbers[number] as number) + added));
  }
}

const QUOTE = 34;

/** An event of one line of data, as every vendor writes those that it repeats. */
const HEAD = /^(?:event: ?[^\r\n]*\r?\n)?data: ?(?=\{)/;
const TAIL = /^\r?\n\r?\n$/;

const { toString: decode } = Buffer.prototype;

/** One character for each byte, so that what is found in the text has the same place in the bytes. */
function charsOf(bytes: Uint8Array): string {
  return decode.call(bytes as Buffer, "latin1");
}

/** Where the places of an event are. */
interface Found {
  readonly texts: FoundPaths;
  readonly free: FoundPaths;
  readonly numbers: FoundPaths;
  readonly renamed: (Span & { readonly by: string }) | undefined;
  readonly named: (Span & { readonly by: string }) | undefined;
}

const NO_PATHS: readonly Path[] = [];
const NO_SPANS: FoundPaths = [];

/** All of them, in one way through the data that begins there. */
function findPlaces(text: string, start: number, places: EventPaths): Found {
  const { texts, free = NO_PATHS, numbers = NO_PATHS, renamed, named } = places;
  const [value] = renamed ? findPaths(text, start, [renamed.path]) : NO_SPANS;
  const [member] = named ? findPaths(text, start, [named.path]) : NO_SPANS;
  const found = findPaths(text, start, [...texts, ...free, ...numbers]);
  const freeAt = texts.length;
  return {
    texts: found.slice(0, freeAt),
    free: found.slice(freeAt, freeAt + free.length),
    numbers: found.slice(freeAt + free.length),
    renamed: renamed && value && { ...value, by: charsOf(renamed.by) },
    named: named && member && { ...nameOf(text, named.path, member), by: charsOf(named.by) },
  };
}

/** Where the name of a member stands, in its quotes. */
function nameOf(text: string, path: Path, { start }: Span): Span {
  const name = JSON.stringify(path.at(-1));
  const at = text.lastIndexOf(name, start);
  return { start: at, end: at + name.length };
}

/** A text has quotes around it, which do not differ. */
function addText(slots: Slot[], kind: "text" | "free", text: string, span: Span): boolean {
  if (text.charCodeAt(span.start) !== QUOTE) return false;
  slots.push({ kind, start: span.start + 1, end: span.end - 1, number: 0 });
  return true;
}

function slotsOf(text: string, { texts, free, numbers }: Found): Slot[] | undefined {
  const slots: Slot[] = [];
  for (const span of texts) if (!span || !addText(slots, "text", text, span)) return undefined;
  for (let i = 0; i < numbers.length; i++) {
    const span = numbers[i];
    if (span) slots.push({ kind: "number", start: span.start, end: span.end, number: i });
  }
  for (const span of free) if (span) addText(slots, "free", text, span);
  return slots.sort((a, b) => a.start - b.start);
}

function changesOf(
  text: string,
  json: Span,
  written: string,
  { renamed, named }: Found,
  slots: readonly Slot[],
): Change[] {
  const changes: Change[] = [];
  for (let i = 0; i < slots.length; i++) {
    const { kind, start, end, number } = slots[i] as Slot;
    if (kind === "number") changes.push({ before: i, behind: i + 1, start, end, by: number });
  }
  const add = (start: number, end: number, own: string) => {
    if (text.slice(start, end) === own) return;
    const before = slots.filter((slot) => slot.start < start).length;
    // From the beginning of the event on, where nothing differs until then: one copy less for each.
    const from = before === 0 && changes.every((change) => change.start > start) ? 0 : start;
    const bytes = Buffer.from(text.slice(from, start) + own, "latin1");
    changes.push({ before, behind: before, start: from, end, by: bytes });
  };
  add(0, json.start, written.slice(0, written.indexOf("{")));
  if (renamed) add(renamed.start, renamed.end, renamed.by);
  if (named) add(named.start, named.end, named.by);
  add(json.end, text.length, written.slice(written.lastIndexOf("}") + 1));
  return changes.sort((a, b) => a.start - b.start);
}

/** An event that was read, and what came of it. */
export interface ReadEvent {
  readonly event: Uint8Array;
  /** As it went to the client. */
  readonly written: Uint8Array;
  /** How much the model wrote in it. */
  readonly tokens: number;
  /** How much was added to its numbers as it was written. */
  readonly added?: number;
}

/** The shape of an event. Undefined where its places do not explain what came of it. */
export function shapeOf(
  { event, written, tokens, added = 0 }: ReadEvent,
  places: EventPaths,
): EventShape | undefined {
  const text = charsOf(event);
  const start = HEAD.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const json = { start, end: text.lastIndexOf("}") + 1 };
  if (!TAIL.test(text.slice(json.end)) || text.indexOf("\n", start) < json.end) return undefined;
  const found = findPlaces(text, start, places);
  const slots = slotsOf(text, found);
  if (!slots) return undefined;
  const changes = changesOf(text, json, charsOf(written), found, slots);
  const shape = new EventShape(copyFrom(event, 0), slots, changes, places.numbers?.length ?? 0);
  // What is true of the event itself is true of all that are like it.
  if (!shape.matches(event, 0) || shape.end !== event.length) return undefined;
  if (Math.abs(shape.tokens - tokens) > 1e-6) return undefined;
  const out = new OneWrite(event);
  shape.write(out, 0, added);
  const own = out.done();
  return own && Buffer.compare(own, written) === 0 ? shape : undefined;
}
