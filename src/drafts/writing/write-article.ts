import { Fault } from "../../lib/faults.ts";
import * as z from "../../lib/schemas.ts";
import { codePoints } from "../../wechat/measure.ts";
import { LINE_CHARS_MAX, TEXT_CHARS_MAX } from "../contract/article.ts";
import type { WritingCall } from "../draft.ts";
import { type AskModel, parseJsonText, readModelText, writingFault } from "./model-answer.ts";
import { articleRequest, DIGEST_CHARS_MAX, type LongText, TITLE_CHARS_MAX } from "./prompts.ts";
import { shorten } from "./shorten.ts";
import type { WritingRequest } from "./writing-request.ts";

export interface WrittenArticle {
  readonly title: string;
  readonly digest: string;
  readonly markdown: string;
  readonly coverIdea: string;
  /** Every call that was made for it, in order. */
  readonly calls: readonly WritingCall[];
}

const articleSchema = z.object({
  title: z.string(),
  digest: z.string(),
  markdown: z.string().trim().min(1),
  cover_idea: z.string().catch(""),
});

type Words = Pick<WrittenArticle, "title" | "digest">;

function longFields(words: Words, request: WritingRequest): readonly LongText[] {
  const bounds = [
    { field: "title", limit: TITLE_CHARS_MAX },
    { field: "digest", limit: DIGEST_CHARS_MAX },
  ] as const;
  return bounds.flatMap(({ field, limit }) => {
    const text = words[field];
    const found = codePoints(text);
    // What the caller has given is for the caller to shorten.
    return found > limit && request[field] === undefined ? [{ field, text, limit, found }] : [];
  });
}

/** Once, and only to ask: words that stay too long are refused later, never cut. */
async function shortenWords(
  ask: AskModel,
  model: string,
  long: readonly LongText[],
): Promise<{ readonly words: Partial<Words>; readonly calls: readonly WritingCall[] }> {
  try {
    const { words, answer } = await shorten(ask, model, long);
    return { words, calls: [answer.call] };
  } catch (thrown) {
    // The article is written and paid for; it must not be lost with this call.
    if (!(thrown instanceof Fault)) throw thrown;
    return { words: {}, calls: [] };
  }
}

/**
 * So much of a model's words as a draft can hold: they are paid for and kept. What is still that long is far over
 * what the platform takes, so it is refused before it is sent.
 */
function held(words: string, charsMax: number): string {
  return words.length > charsMax ? words.slice(0, charsMax).toWellFormed() : words;
}

/** Has an article written, and its title and digest shortened where they are too long. */
export async function writeArticle(
  ask: AskModel,
  request: WritingRequest,
): Promise<WrittenArticle> {
  const answer = await readModelText(await ask(articleRequest(request)), "write");
  if (answer.trouble !== undefined) throw writingFault(answer.trouble, answer);
  const read = articleSchema.safeParse(parseJsonText(answer.text));
  if (!read.success) {
    const message = "The model's answer is not the JSON of an article; try again or use another.";
    throw writingFault(message, answer);
  }
  const { markdown, cover_idea: coverIdea } = read.data;
  const words = {
    title: request.title ?? read.data.title.trim(),
    digest: request.digest ?? read.data.digest.trim(),
  };
  const long = longFields(words, request);
  const shorter = long.length > 0 ? await shortenWords(ask, request.model, long) : undefined;
  const { title, digest } = { ...words, ...shorter?.words };
  return {
    title: held(title, LINE_CHARS_MAX),
    digest: held(digest, LINE_CHARS_MAX),
    markdown: held(markdown, TEXT_CHARS_MAX),
    coverIdea,
    calls: [answer.call, ...(shorter?.calls ?? [])],
  };
}
