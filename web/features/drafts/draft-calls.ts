// The calls of the drafts' pages, in one place.
import type { Draft, Shortened, Written } from "../../../src/drafts/contract/draft.ts";
import { ApiError, api, OWN_WORDS } from "../../lib/api.ts";
import { intentFor } from "../../lib/intents/intent.ts";

/** The draft whose receipt is to have the call. */
export type WrittenFor = Pick<Draft, "id" | "version">;

interface ModelCall {
  /** The account that pays, as a path of the API. */
  readonly account: string;
  readonly model: string;
}

export interface WriteCall extends ModelCall {
  readonly brief: string;
  /** Stands for the draft where there is none yet: what is written becomes one. */
  readonly intent: string;
}

/** Paid once, however often it is sent. */
export function writeArticle(draft: WrittenFor | undefined, call: WriteCall): Promise<Written> {
  const { account, intent: id, ...form } = call;
  const body = { ...form, ...(draft ? { draft: draft.id } : { keep: true }) };
  const intent = intentFor(draft ?? { id, version: 0 }, body);
  return api.post(`${account}/drafts/write`, body, { intent });
}

/** A draft of what was written for one that is not looked at any more. It is paid, and would be nowhere else. */
export function keepArticle(account: string, { article }: Written, intent: string): Promise<Draft> {
  return api.post(`${account}/drafts`, { articles: [article] }, { intent });
}

interface ShortenCall extends ModelCall {
  readonly field: string;
  readonly text: string;
  readonly limit: number;
  /** How many answers the same form got before. */
  readonly turn: number;
}

export function shortenText(draft: WrittenFor, call: ShortenCall): Promise<Shortened> {
  const { account, turn, ...form } = call;
  const body = { ...form, draft: draft.id };
  return api.post(`${account}/drafts/shorten`, body, { intent: intentFor(draft, body, turn) });
}

/** A complaint of this page itself, for where refusals of the server are told too. */
export function inWords(words: string): ApiError {
  return new ApiError(400, OWN_WORDS, words, null);
}
