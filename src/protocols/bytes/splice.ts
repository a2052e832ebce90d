import { COMMA, QUOTE, readName, skipSpace, skipString, skipValue } from "./json-scan.ts";

/**
 * Changes single members of a JSON text and leaves every other byte alone, so that fields and number
 * forms that we do not know reach the other side as they were written. The text must be valid JSON.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly name: string;
  /** Where the name's opening quote stands; the member ends where its value does. */
  readonly start: number;
  readonly value: Span;
}

/** The members of the object that opens at or behind `from`, in order, doubles included. */
function members(text: string, from: number): Member[] {
  const found: Member[] = [];
  let i = skipSpace(text, skipSpace(text, from) + 1);
  while (text.charCodeAt(i) === QUOTE) {
    const nameEnd = skipString(text, i);
    const colon = text.indexOf(":", nameEnd);
    const start = skipSpace(text, colon + 1);
    const end = skipValue(text, start);
    found.push({ name: readName(text, i, nameEnd), start: i, value: { start, end } });
    i = skipSpace(text, end);
    if (text.charCodeAt(i) !== COMMA) break;
    i = skipSpace(text, i + 1);
  }
  return found;
}

/** A member's new value as JSON text; undefined takes the member out. */
export type Edits = Readonly<Record<string, string | undefined>>;

/** The text of an object, looked through once, and only when a member is to be found or changed. */
export class JsonText {
  readonly text: string;
  readonly #from: number;
  #found: readonly Member[] | undefined;
  /** What is left out of whatever is written of it. */
  #leftOut: string | undefined;

  /** The object that opens at or behind `from`. */
  constructor(text: string, from = 0) {
    this.text = text;
    this.#from = from;
  }

  /** Its members, of whoever has looked through it: over a large one others would wait when it is needed. */
  know(members: readonly Member[]): void {
    this.#found = members;
  }

  get #members(): readonly Member[] {
    this.#found ??= members(this.text, this.#from);
    return this.#found;
  }

  /** The same object without a member. The text stays as it is; nothing is copied or looked through again. */
  without(name: string): JsonText {
    const json = new JsonText(this.text, this.#from);
    json.#found = this.#found;
    json.#leftOut = name;
    return json;
  }

  /** Where the value of a member lies. With doubles it is the last one, as in JSON.parse. */
  locate(name: string): Span | undefined {
    if (name === this.#leftOut) return undefined;
    const all = this.#members;
    for (let i = all.length - 1; i >= 0; i--) if (all[i]?.name === name) return all[i]?.value;
    return undefined;
  }

  /**
   * The text with members set, removed and (at the end of the object) added. What stays keeps its
   * very characters, the space around it included.
   */
  edit(edits: Edits): string {
    let written = "";
    for (const piece of this.pieces(edits)) written += piece;
    return written;
  }

  /** The same in pieces: whoever has a large text in hand does not want it put together. */
  pieces(wanted: Edits): readonly string[] {
    const { text } = this;
    const leftOut = this.#leftOut;
    const edits = leftOut === undefined ? wanted : { [leftOut]: undefined, ...wanted };
    if (isEmpty(edits)) return [text];
    const all = this.#members;
    const written: string[] = [];
    let copied = 0;
    let kept = 0;
    for (let i = 0; i < all.length; i++) {
      const { name, start, value } = all[i] as Member;
      if (!Object.hasOwn(edits, name)) {
        kept++;
        continue;
      }
      const newValue = edits[name];
      if (newValue !== undefined) {
        kept++;
        written.push(text.slice(copied, value.start), newValue);
        copied = value.end;
        continue;
      }
      // The comma goes too: the one before it, or the one behind while nothing stays before it.
      const cut = kept > 0 ? (all[i - 1]?.value.end ?? start) : start;
      if (cut > copied) written.push(text.slice(copied, cut));
      copied = kept > 0 ? value.end : (all[i + 1]?.start ?? value.end);
    }
    const end = all.at(-1)?.value.end ?? skipSpace(text, this.#from) + 1;
    if (end > copied) written.push(text.slice(copied, end));
    written.push(this.#additions(edits, kept > 0), text.slice(Math.max(end, copied)));
    return written;
  }

  #additions(edits: Edits, comma: boolean): string {
    let added = "";
    for (const name in edits) {
      const value = edits[name];
      if (value === undefined || this.#members.some((member) => member.name === name)) continue;
      added += `${comma || added !== "" ? "," : ""}${JSON.stringify(name)}:${value}`;
    }
    return added;
  }
}

function isEmpty(edits: Edits): boolean {
  for (const _ in edits) return false;
  return true;
}

/** The text of an object with one more member. Looked through only if it may have it already. */
export function withMember(object: string, name: string, value: string): string {
  const quoted = JSON.stringify(name);
  if (object.includes(quoted) || !object.endsWith("}")) {
    return new JsonText(object).edit({ [name]: value });
  }
  const inside = object.slice(0, -1);
  return `${inside}${inside.trim() === "{" ? "" : ","}${quoted}:${value}}`;
}
