import { jsonPieces } from "../../lib/json/json-pieces.ts";
import type { JsonObject } from "../fields.ts";
import type { Edits, ObjectText } from "./splice.ts";

/**
 * An object that is too large to be one text: members are changed as in one, and it is written in pieces, each made
 * when it is asked for.
 */
export class UnwrittenObject implements ObjectText {
  readonly #value: JsonObject;

  constructor(value: JsonObject) {
    this.#value = value;
  }

  memberText(name: string): string | undefined {
    return JSON.stringify(this.#value[name]);
  }

  *written(edits: Edits): Generator<string, void, undefined> {
    let opening = "{";
    for (const name of Object.keys({ ...this.#value, ...edits })) {
      const edit = Object.hasOwn(edits, name) ? edits[name] : this.#value[name];
      if (edit === undefined) continue;
      yield `${opening}${JSON.stringify(name)}:`;
      opening = ",";
      yield* this.#member(name, edits);
    }
    yield opening === "{" ? "{}" : "}";
  }

  #member(name: string, edits: Edits): Iterable<string> {
    const edit = edits[name];
    if (edit === undefined) return jsonPieces(this.#value[name]);
    return typeof edit === "string" ? [edit] : edit.pieces();
  }
}
