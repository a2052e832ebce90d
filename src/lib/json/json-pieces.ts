import { stepEnd } from "../text/chunked-text.ts";

/** A string that is longer is written in several pieces. */
const STRING_CHARS_MAX = 256 * 1024;
/** A piece is given away once it has come to this. */
const PIECE_CHARS = 64 * 1024;
/** Numbers and words of a list are written so many at a time: one by one they would take ten times as long. */
const RUN_ELEMENTS = 2_048;

/** Whether a value is neither a text nor has others in it. */
function isSimple(value: unknown): boolean {
  return typeof value !== "string" && (typeof value !== "object" || value === null);
}

/**
 * What `JSON.stringify` makes of a plain value, in pieces that are each made within a moment. Plain is what
 * `JSON.parse` gives, and members that are undefined.
 */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  const writer = new PieceWriter();
  yield* writer.value(value);
  if (writer.written !== "") yield writer.written;
}

/** Behind the last of the simple values that come one after another; `from` where there is none. */
function runEnd(items: readonly unknown[], from: number): number {
  const most = Math.min(from + RUN_ELEMENTS, items.length);
  let end = from;
  while (end < most && isSimple(items[end])) end++;
  return end;
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
    yield* this.#given();
  }

  *#given(): Generator<string, void, undefined> {
    if (this.written.length <= PIECE_CHARS) return;
    yield this.written;
    this.written = "";
  }

  *#array(items: readonly unknown[]): Generator<string, void, undefined> {
    this.written += "[";
    for (let i = 0; i < items.length; ) {
      if (i > 0) this.written += ",";
      const end = runEnd(items, i);
      if (end === i) yield* this.value(items[i++]);
      else {
        this.written += JSON.stringify(items.slice(i, end)).slice(1, -1);
        yield* this.#given();
        i = end;
      }
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
