import { isObject, type JsonObject } from "../../fields.ts";

/** This wire nests what the shared form keeps flat. Only addresses have a form on both sides. */
export function flatAnnotation(annotation: unknown): JsonObject | undefined {
  if (!isObject(annotation) || annotation.type !== "url_citation") return undefined;
  const inner = isObject(annotation.url_citation) ? annotation.url_citation : annotation;
  if (typeof inner.url !== "string") return undefined;
  const { url, title, start_index, end_index } = inner;
  const place = {
    start_index: typeof start_index === "number" ? start_index : 0,
    end_index: typeof end_index === "number" ? end_index : 0,
  };
  return { type: "url_citation", url, title: typeof title === "string" ? title : "", ...place };
}

/** The same in a text that begins at `start` of the one that its places count in. */
export function placedFrom(flat: JsonObject, start: number): JsonObject {
  const place = (index: unknown) => Math.max(0, Number(index) - start);
  return {
    ...flat,
    start_index: place(flat.start_index),
    end_index: place(flat.end_index),
  };
}

/** `offset` is where the annotated text begins in the one text that this wire has for all. */
export function nestedAnnotation(annotation: JsonObject, offset: number): JsonObject | undefined {
  const flat = flatAnnotation(annotation);
  if (!flat) return undefined;
  const { url, title } = flat;
  const start_index = Number(flat.start_index) + offset;
  const end_index = Number(flat.end_index) + offset;
  return { type: "url_citation", url_citation: { url, title, start_index, end_index } };
}
