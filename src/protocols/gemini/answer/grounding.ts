import { isObject, type JsonObject } from "../../fields.ts";
import { number, objectOf, objectsOf, textOf, texts } from "../../optional.ts";
import { candidatesOf } from "./chunks.ts";

/** Searches that the vendor ran and what it cites of them: `groundingMetadata` of a candidate. */

function groundingOf(candidate: JsonObject): JsonObject {
  return objectOf(candidate.groundingMetadata);
}

/** What the vendor can look for, each by queries of its own. */
const KINDS = ["webSearchQueries", "imageSearchQueries"] as const;

/**
 * The searches of an answer, each counted once: chunks tell them again, and the vendor has no price
 * for words that it has looked for already.
 */
export class SearchQueries {
  readonly #seen = { webSearchQueries: new Set<string>(), imageSearchQueries: new Set<string>() };
  total = 0;

  /** Takes what a chunk tells and returns the queries that are new. */
  add(chunk: JsonObject): string[] {
    const found = candidatesOf(chunk)
      .map(groundingOf)
      .flatMap((told) => this.#newOf(told));
    this.total += found.length;
    return found;
  }

  #newOf(grounding: JsonObject): string[] {
    return KINDS.flatMap((kind) => {
      const seen = this.#seen[kind];
      const found = new Set(texts(grounding[kind])).difference(seen);
      found.delete("");
      for (const query of found) seen.add(query);
      return [...found];
    });
  }
}

/** The pages that an answer rests on, by their place in the vendor's list. */
function pagesOf(grounding: JsonObject): (JsonObject | undefined)[] {
  const chunks = Array.isArray(grounding.groundingChunks) ? grounding.groundingChunks : [];
  return chunks.map((chunk) => (isObject(chunk) && isObject(chunk.web) ? chunk.web : undefined));
}

/** The addresses of all pages, as sources of a search. */
export function sourcesOf(candidate: JsonObject): JsonObject[] {
  return pagesOf(groundingOf(candidate)).flatMap((page) =>
    typeof page?.uri === "string" ? [{ type: "url", url: page.uri }] : [],
  );
}

/** The vendor counts bytes, everyone else characters. */
function charsOf(bytes: Uint8Array, end: unknown): number {
  return Buffer.from(bytes.subarray(0, number(end) ?? 0)).toString().length;
}

/** Citations of a text, as the Responses wire writes them. */
export function citationsOf(candidate: JsonObject, text: string): JsonObject[] {
  const grounding = groundingOf(candidate);
  const supports = objectsOf(grounding.groundingSupports);
  if (supports.length === 0) return [];
  const pages = pagesOf(grounding);
  const bytes = Buffer.from(text);
  return supports.flatMap((support) => {
    const segment = objectOf(support.segment);
    const start_index = charsOf(bytes, segment.startIndex);
    const end_index = charsOf(bytes, segment.endIndex);
    const places = Array.isArray(support.groundingChunkIndices)
      ? support.groundingChunkIndices
      : [];
    return places.flatMap((place) => {
      const page = typeof place === "number" ? pages[place] : undefined;
      if (typeof page?.uri !== "string") return [];
      const title = textOf(page.title);
      return [{ type: "url_citation", start_index, end_index, url: page.uri, title }];
    });
  });
}

/** A citation and the text that its places count in. */
export interface Cited {
  readonly annotation: JsonObject;
  readonly text: string;
  /** Bytes of the answer before that text. */
  readonly offset: number;
}

function segmentOf({ annotation, text, offset }: Cited): JsonObject {
  const start = number(annotation.start_index) ?? 0;
  const end = number(annotation.end_index) ?? start;
  const startIndex = offset + Buffer.byteLength(text.slice(0, start));
  const piece = text.slice(start, end);
  return { startIndex, endIndex: startIndex + Buffer.byteLength(piece), text: piece };
}

/** The other way round: searches and citations in the vendor's words; undefined for none. */
export function writeGrounding(
  queries: readonly string[],
  cited: readonly Cited[],
): JsonObject | undefined {
  const found = cited.filter(({ annotation }) => typeof annotation.url === "string");
  if (queries.length === 0 && found.length === 0) return undefined;
  const urls = [...new Set(found.map(({ annotation }) => annotation.url))];
  const groundingChunks = urls.map((uri) => {
    const title = found.find(({ annotation }) => annotation.url === uri)?.annotation.title;
    return { web: { uri, ...(typeof title === "string" ? { title } : {}) } };
  });
  const groundingSupports = found.map((each) => ({
    segment: segmentOf(each),
    groundingChunkIndices: [urls.indexOf(each.annotation.url)],
  }));
  return {
    ...(queries.length > 0 ? { webSearchQueries: queries } : {}),
    ...(found.length > 0 ? { groundingChunks, groundingSupports } : {}),
  };
}
