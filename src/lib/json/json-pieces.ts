import { stepEnd } from "../text/chunked-text.ts";

/** A string that is longer is written in several pieces. */
const STRING_CHARS_MAX = 256 * 1024;
/** A piece is given away once it has come to this. */
const PIECE_CHARS = 64 * 1024;

/**
 * What `JSON.stringify` makes of a plain value, in pieces that are each made within a moment. Plain is what
 * `JSON.parse` gives, and members that are undefined.
 */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  const writer = new PieceWriter();
  yield* writer.value(value);
  if (writer.written !== "") yield writer.written;
}

class PieceWriter {
  written = "";

  *value(value: unknown): Generator<string, void, undefined> {
    if (typeof value === "string") {
      if (value.length > STRING_CHARS_MAX) yield* this.#long(value);
      else this.written += JSON.stringify(value);
    } else if (Array.isArray(value)) yield* this.#array(value);
    else if (typeof value === "object" && value !== null) yield* this.#object(value);
    else this.written += JSON.stringify(value) ?? "null";
    if (this.written.length > PIECE_CHARS) {
      yield this.written;
      this.written = "";
    }
  }

  *#array(items: readonly unknown[]): Generator<string, void, undefined> {
    this.written += "[";
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.written += ",";
      yield* this.value(items[i]);
    }
    this.written += "]";
  }

  *#object(members: object): Generator<string, void, undefined> {
    let opening = "{";
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined) continue;
      this.written += `${opening}${JSON.stringify(name)}:`;
      opening = ",";
      yield* this.value(value);
    }
    this.written += opening === "{" ? "{}" : "}";
  }

  *#long(text: string): Generator<string, void, undefined> {
    yield `${this.written}"`;
    this.written = "";
    for (let from = 0; from < text.length; ) {
      const to = stepEnd(text, from, STRING_CHARS_MAX);
      yield JSON.stringify(text.slice(from, to)).slice(1, -1);
      from = to;
    }
    this.written = '"';
  }
}
