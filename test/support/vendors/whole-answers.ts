// A vendor's whole answer, read and written as the gateway does.
import { JsonText, type Written } from "../../../src/protocols/bytes/splice.ts";

/** What a reader makes of the text of an answer. */
export function readText<Read>(read: (body: unknown, json: JsonText) => Read, text: string): Read {
  return read(JSON.parse(text), new JsonText(text));
}

/** What is written of an answer, whole. */
export function textOf(written: Written): string {
  return typeof written === "string" ? written : [...written].join("");
}
