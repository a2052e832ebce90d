import data from "./families.json" with { type: "json" };
import type { VocabularyName } from "./vocabularies.ts";

/**
 * How the vendors of one family count what they read, at most. Where a number is not published, it
 * is the largest that any of its models has been seen to count, with room above it.
 */
export interface TokenFamily {
  /** Whose vocabulary bounds its texts. */
  readonly vocabulary: VocabularyName;
  /** How many times as many tokens its newest models may make of a text. */
  readonly factor: number;
  /** Tokens around every request, and around every message, item and part of one. */
  readonly request: number;
  readonly message: number;
  /** Tokens of instructions that come with tools at all, around each of them, and with a search. */
  readonly tools: number;
  readonly tool: number;
  readonly search: number;
  /** Searches of one request, from vendors that take no maximum of them and read only once. */
  readonly searches_most?: number;
  /** Tokens of a picture, by the detail that was asked for. */
  readonly image: Readonly<Record<ImageDetail, number>>;
  /** Tokens of a file: one page at least, then by its bytes, and never more than all of its pages. */
  readonly file: { readonly least: number; readonly per_byte: number; readonly most: number };
}

export type ImageDetail = "low" | "high" | "other";

export type TokenFamilyName = keyof typeof data;
export const TOKEN_FAMILY_NAMES = Object.keys(data) as TokenFamilyName[];

/** `unknown` is for models that somebody added: the safest of all. */
export const TOKEN_FAMILIES = data as Readonly<Record<TokenFamilyName, TokenFamily>>;
