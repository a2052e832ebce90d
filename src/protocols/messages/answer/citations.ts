import { isObject, type JsonObject } from "../../fields.ts";
import { textOf } from "../../optional.ts";

/** A source of the text between two places, as the Responses wire writes it. */
export function readCitation(citation: JsonObject, start: number, end: number): JsonObject {
  const url = citation.url ?? citation.source;
  if (typeof url === "string") {
    const title = textOf(citation.title);
    return { type: "url_citation", url, title, start_index: start, end_index: end };
  }
  return {
    type: "file_citation",
    file_id: `document_${citation.document_index ?? 0}`,
    filename: textOf(citation.document_title),
    index: end,
  };
}

/** Undefined for sources that this wire has no words for. */
export function writeCitation(annotation: JsonObject): JsonObject | undefined {
  if (annotation.type !== "url_citation" || typeof annotation.url !== "string") return undefined;
  return {
    type: "web_search_result_location",
    url: annotation.url,
    title: textOf(annotation.title) || null,
    cited_text: "",
    // Only the wire's own vendors can fill it. Empty, it tells that the citation came from another.
    encrypted_index: "",
  };
}

export function isOwnCitation(citation: unknown): boolean {
  return isObject(citation) && citation.encrypted_index === "";
}
