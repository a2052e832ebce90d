import { jsonPieces } from "../../lib/json/json-pieces.ts";
import { joinInSteps } from "../../lib/json/large-json.ts";
import type { Member, Span } from "../../lib/json/stepped-parser.ts";
import { flatten, isLarge } from "../../lib/yield-to-loop.ts";
import type { JsonObject } from "../fields.ts";
import {
  CLOSE_BRACE,
  COMMA,
  isWritten,
  QUOTE,
  readName,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from "./json-scan.ts";

/**
 * Changes single members of a JSON text and leaves every other byte alone, so that fields and number
 * forms that we do not know reach the other side as they were written. The text must be valid JSON.
 */
/** The members of the object that opens at or behind `from`, in order, doubles included. */
function members(text: string, from: number): Member[] {
  const found: Member[] = [];
  let i = skipSpace(text, skipSpace(text, from) + 1);
  while (text.charCodeAt(i) === QUOTE) {
    const valueStart = skipSpace(text, skipColon(text, skipString(text, i)));
    const end = skipValue(text, valueStart);
    found.push({ start: i, valueStart, end, name: undefined });
    i = skipSpace(text, end);
    if (text.charCodeAt(i) !== COMMA) break;
    i = skipSpace(text, i + 1);
  }
  return found;
}

/** Read when it is asked for: most names are not. */
function nameOf(text: string, member: Member): string {
  member.name ??= readName(text, member.start, skipString(text, member.start));
  return member.name;
}

function isNamed(text: string, member: Member, name: string): boolean {
  return isWritten(text, member.start, name) ?? nameOf(text, member) === name;
}

/** The last member of a name, as JSON.parse would take it. */
function lastNamed(all: readonly Member[], text: string, name: string): Member | undefined {
  for (let i = all.length - 1; i >= 0; i--) {
    const member = all[i] as Member;
    if (isNamed(text, member, name)) return member;
  }
  return undefined;
}

/** Beyond so many names to be changed a member's is looked up instead of compared. */
const COMPARED_MAX = 8;

/** The one of these names that a member has. */
function namedOneOf(
  names: readonly string[],
  edits: Edits,
  text: string,
  member: Member,
): string | undefined {
  if (names.length > COMPARED_MAX) {
    const name = nameOf(text, member);
    return Object.hasOwn(edits, name) ? name : undefined;
  }
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (isNamed(text, member, name)) return name;
  }
  return undefined;
}

/** A JSON text that is not there yet. */
interface Later {
  /** All of it at once. */
  whole(): string;
  /** The same piece by piece, each made when it is asked for. */
  pieces(): Iterable<string>;
  /** Hears where the members of a text lie, which may be the one that it is made of. */
  know(text: string, members: readonly Member[]): void;
}

/** A plain value that is written when its turn comes. */
export class Unwritten implements Later {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  whole(): string {
    return JSON.stringify(this.value);
  }

  pieces(): Iterable<string> {
    return jsonPieces(this.value);
  }

  know(): void {}
}

/** JSON text, or what it is still to be made of. */
type JsonPiece = string | Unwritten;

/** A text that is written: in pieces, each made within a moment, where it is so long that it is not put together. */
export type Written = string | Iterable<string>;

/** A member's new value; undefined takes the member out. */
export type Edits = Readonly<Record<string, JsonPiece | undefined>>;

/** An object of which single members are changed when it is written, whether its text is there or not. */
export interface ObjectText {
  /** The value of a member as it is written; undefined where it has none of that name. */
  memberText(name: string): string | undefined;
  /** All of it with members set, removed and added. */
  written(edits: Edits): Written;
}

/** What edits make of the value of an object. */
export function edited(body: JsonObject, edits: Edits): JsonObject {
  const changed: Record<string, unknown> = { ...body };
  for (const [name, edit] of Object.entries(edits)) {
    changed[name] = typeof edit === "string" ? JSON.parse(edit) : edit?.value;
  }
  return changed;
}

/** Takes pieces of a text, one behind another. */
interface Pieces {
  push(piece: JsonPiece): unknown;
}

/** Puts them together. */
class Joined implements Pieces {
  text = "";

  push(piece: JsonPiece): void {
    this.text += typeof piece === "string" ? piece : piece.whole();
  }
}

function* writtenPieces(pieces: readonly JsonPiece[]): Generator<string, void, undefined> {
  for (const piece of pieces) {
    if (typeof piece === "string") yield piece;
    else yield* piece.pieces();
  }
}

/** The text of an object, looked through once, and only when a member is to be found or changed. */
export class JsonText implements ObjectText {
  #text: string | undefined;
  /** Until its text is there: what that was made of may be as large. */
  #later: Later | undefined;
  readonly #from: number;
  #found: readonly Member[] | undefined;
  /** What is left out of whatever is written of it. */
  #leftOut: string | undefined;

  /** The object that opens at or behind `from`, and its members where somebody has found them already. */
  constructor(text: string | Later, from = 0, found?: readonly Member[]) {
    if (typeof text === "string") this.#text = text;
    else this.#later = text;
    this.#from = from;
    this.#found = found;
  }

  get text(): string {
    return this.#text ?? this.#made(this.#later?.whole() ?? "");
  }

  /** Its text, made in steps if it is not there yet. */
  async write(): Promise<string> {
    if (!this.#later) return this.text;
    const text = await joinInSteps(this.#later.pieces());
    await flatten(text);
    return this.#made(text);
  }

  #made(text: string): string {
    this.#text = text;
    this.#later = undefined;
    return text;
  }

  /** Hears of the members of a text, from whoever has looked through it: to look through a large one takes long. */
  know(text: string, members: readonly Member[]): void {
    this.#later?.know(text, members);
    if (this.#text === text) this.#found = members;
  }

  get #members(): readonly Member[] {
    this.#found ??= members(this.text, this.#from);
    return this.#found;
  }

  /** The same object without a member. The text stays as it is; nothing is copied or looked through again. */
  without(name: string): JsonText {
    const json = new JsonText(this.text, this.#from, this.#found);
    json.#leftOut = name;
    return json;
  }

  /** Where the value of a member lies. With doubles it is the last one, as in JSON.parse. */
  locate(name: string): Span | undefined {
    if (name === this.#leftOut) return undefined;
    const member = lastNamed(this.#members, this.text, name);
    return member && { start: member.valueStart, end: member.end };
  }

  memberText(name: string): string | undefined {
    const span = this.locate(name);
    return span && this.text.slice(span.start, span.end);
  }

  /**
   * The text with members set, removed and (at the end of the object) added. What stays keeps its
   * very characters, the space around it included.
   */
  edit(edits: Edits): string {
    const joined = new Joined();
    this.#write(edits, joined);
    return joined.text;
  }

  /** The same in pieces, each made when it is asked for: a large text is not to be put together. */
  pieces(edits: Edits): Iterable<string> {
    const pieces: JsonPiece[] = [];
    this.#write(edits, pieces);
    return writtenPieces(pieces);
  }

  /** In pieces where the text is large, and whole where it is not. */
  written(edits: Edits): Written {
    return isLarge(this.text) ? this.pieces(edits) : this.edit(edits);
  }

  #write(wanted: Edits, out: Pieces): void {
    const { text } = this;
    const leftOut = this.#leftOut;
    const edits = leftOut === undefined ? wanted : { [leftOut]: undefined, ...wanted };
    const names = Object.keys(edits);
    if (names.length === 0) out.push(text);
    else this.#change(text, names, edits, out);
  }

  #change(text: string, names: readonly string[], edits: Edits, out: Pieces): void {
    const all = this.#members;
    let copied = 0;
    let kept = 0;
    for (let i = 0; i < all.length; i++) {
      const member = all[i] as Member;
      const { start, end } = member;
      const name = namedOneOf(names, edits, text, member);
      if (name === undefined) {
        kept++;
        continue;
      }
      const newValue = edits[name];
      if (newValue !== undefined) {
        kept++;
        out.push(text.slice(copied, member.valueStart));
        out.push(newValue);
        copied = end;
        continue;
      }
      // The comma goes too: the one before it, or the one behind while nothing stays before it.
      const cut = kept > 0 ? (all[i - 1]?.end ?? start) : start;
      if (cut > copied) out.push(text.slice(copied, cut));
      copied = kept > 0 ? end : (all[i + 1]?.start ?? end);
    }
    const end = all.at(-1)?.end ?? skipSpace(text, this.#from) + 1;
    if (end > copied) out.push(text.slice(copied, end));
    this.#add(names, edits, kept > 0, out);
    out.push(text.slice(Math.max(end, copied)));
  }

  /** Members that it did not have. */
  #add(names: readonly string[], edits: Edits, comma: boolean, out: Pieces): void {
    let isBehind = comma;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const value = edits[name];
      if (value === undefined || lastNamed(this.#members, this.text, name)) continue;
      out.push(`${isBehind ? "," : ""}${JSON.stringify(name)}:`);
      out.push(value);
      isBehind = true;
    }
  }
}

/** An object with members changed, of which the text is made when somebody asks for it. */
export class Edited implements Later {
  readonly #json: JsonText;
  readonly #edits: Edits;

  constructor(json: JsonText, edits: Edits) {
    this.#json = json;
    this.#edits = edits;
  }

  whole(): string {
    return this.#json.edit(this.#edits);
  }

  pieces(): Iterable<string> {
    return this.#json.pieces(this.#edits);
  }

  know(text: string, members: readonly Member[]): void {
    this.#json.know(text, members);
  }
}

/** The text of an object with one more member. Looked through only if it may have it already. */
export function withMember(object: string, name: string, value: string): string {
  const quoted = JSON.stringify(name);
  const end = object.length - 1;
  if (object.includes(quoted) || object.charCodeAt(end) !== CLOSE_BRACE) {
    return new JsonText(object).edit({ [name]: value });
  }
  const isBare = skipSpace(object, skipSpace(object, 0) + 1) === end;
  return `${object.slice(0, end)}${isBare ? "" : ","}${quoted}:${value}}`;
}
