import { jsonPieces } from "../../lib/json/json-pieces.ts";
import type { UpstreamBody, UsedInstead } from "../wire.ts";
import type { Edits, JsonText } from "./splice.ts";

/** Where the text of a body comes from. */
interface Source {
  text(): string;
  pieces(): Iterable<string>;
}

/**
 * A body for a vendor. Its text is made when somebody asks for it: whole, or in pieces where it is so long that others
 * must have their turns meanwhile.
 */
class WrittenBody implements UpstreamBody {
  readonly #source: Source;
  readonly dropped: readonly string[];
  readonly used: UsedInstead | undefined;

  constructor(source: Source, dropped: readonly string[], used: UsedInstead | undefined) {
    this.#source = source;
    this.dropped = dropped;
    this.used = used;
  }

  get text(): string {
    return this.#source.text();
  }

  pieces(): Iterable<string> {
    return this.#source.pieces();
  }

  withDropped(dropped: readonly string[]): UpstreamBody {
    return new WrittenBody(this.#source, dropped, this.used);
  }
}

/** The client's own text with some of its members changed. */
export function spliced(json: JsonText, edits: Edits, dropped: readonly string[]): UpstreamBody {
  const source = { text: () => json.edit(edits), pieces: () => json.pieces(edits) };
  return new WrittenBody(source, dropped, undefined);
}

/** A body that was put together anew. */
export function composed(
  body: unknown,
  dropped: readonly string[],
  used: UsedInstead,
): UpstreamBody {
  const source = { text: () => JSON.stringify(body), pieces: () => jsonPieces(body) };
  return new WrittenBody(source, dropped, used);
}
