// The calls of the drafts' pages, in one place.
import type { Draft, Shortened, Written } from "../../../src/drafts/contract/draft.ts";
import { ApiError, api, OWN_WORDS } from "../../lib/api.ts";
import { intentFor } from "../../lib/intent.ts";

/** The draft whose receipt is to have the call. */
export type WrittenFor = Pick<Draft, "id" | "version">;

interface ModelCall {
  /** The account that pays, as a path of the API. */
  readonly account: string;
  readonly model: string;
}

interface WriteCall extends ModelCall {
  readonly brief: string;
}

/** Paid once, however often it is sent. */
export function writeArticle(draft: WrittenFor, call: WriteCall): Promise<Written> {
  const { account, ...wish } = call;
  const body = { ...wish, draft: draft.id };
  return api.post(`${account}/drafts/write`, body, { intent: intentFor(draft, body) });
}

/** The same where there is no draft yet: what is written becomes one. */
export function writeDraft(intent: string, call: WriteCall): Promise<Written> {
  const { account, ...wish } = call;
  const body = { ...wish, keep: true };
  const about = { id: intent, version: 0 };
  return api.post(`${account}/drafts/write`, body, { intent: intentFor(about, body) });
}

interface ShortenCall extends ModelCall {
  readonly field: string;
  readonly text: string;
  readonly limit: number;
  /** How many answers to the same wish were had before. */
  readonly turn: number;
}

export function shortenText(draft: WrittenFor, call: ShortenCall): Promise<Shortened> {
  const { account, turn, ...wish } = call;
  const body = { ...wish, draft: draft.id };
  return api.post(`${account}/drafts/shorten`, body, { intent: intentFor(draft, body, turn) });
}

/** A complaint of this page itself, for where refusals of the server are told too. */
export function inWords(words: string): ApiError {
  return new ApiError(400, OWN_WORDS, words, null);
}
