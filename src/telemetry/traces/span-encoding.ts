import type { Attributes, Span } from "./span.ts";

/** What makes the spans: the name and the version of this program. */
export interface Scope {
  readonly name: string;
  readonly version: string;
}

/**
 * One of the ways in which OTLP is written. A span is written by itself, so that those of a batch can be written
 * yielding to the loop between them.
 */
export interface SpanEncoding<Written> {
  readonly contentType: string;
  span(span: Span): Written;
  /** The request for a batch, all of one resource. */
  request(resource: Attributes, scope: Scope, spans: readonly Written[]): string | Uint8Array;
  /** A collector may take a part, and says how many it will not have. */
  rejected(answer: Uint8Array): number;
}

export const PROTOCOLS = ["http/json", "http/protobuf"] as const;
export type Protocol = (typeof PROTOCOLS)[number];
