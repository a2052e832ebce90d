import { jsonPieces } from "../../lib/json/json-pieces.ts";
import type { JsonObject } from "../fields.ts";
import type { ClientRequest, UpstreamBody, UsedInstead } from "../wire.ts";
import { type Edits, edited, type JsonText } from "./splice.ts";

/** Where a body comes from. */
interface Source {
  value(): JsonObject;
  text(): string;
  pieces(): Iterable<string>;
}

/** The client's own text with some of its members changed. */
class Spliced implements Source {
  readonly #body: JsonObject;
  readonly #json: JsonText;
  readonly #edits: Edits;

  constructor(body: JsonObject, json: JsonText, edits: Edits) {
    this.#body = body;
    this.#json = json;
    this.#edits = edits;
  }

  value(): JsonObject {
    return edited(this.#body, this.#edits);
  }

  text(): string {
    return this.#json.edit(this.#edits);
  }

  pieces(): Iterable<string> {
    return this.#json.pieces(this.#edits);
  }
}

/** A body that was put together anew. */
class Composed implements Source {
  readonly #body: JsonObject;

  constructor(body: JsonObject) {
    this.#body = body;
  }

  value(): JsonObject {
    return this.#body;
  }

  text(): string {
    return JSON.stringify(this.#body);
  }

  pieces(): Iterable<string> {
    return jsonPieces(this.#body);
  }
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

  get value(): JsonObject {
    return this.#source.value();
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

export function spliced(
  { body, json }: Pick<ClientRequest, "body" | "json">,
  edits: Edits,
  dropped: readonly string[],
): UpstreamBody {
  return new WrittenBody(new Spliced(body, json, edits), dropped, undefined);
}

export function composed(
  body: JsonObject,
  dropped: readonly string[],
  used: UsedInstead,
): UpstreamBody {
  return new WrittenBody(new Composed(body), dropped, used);
}
