// What a model writes, and nothing else: it is shown, and kept where that is asked for.
import type { ArticleDoc } from "../contract/article.ts";
import type { Shortened, Written } from "../contract/draft.ts";
import { type ShortenRequest, shortenText } from "../writing/shorten.ts";
import { showWriting, writingCost } from "../writing/show-writing.ts";
import { type WrittenArticle, writeArticle } from "../writing/write-article.ts";
import type { WritingRequest } from "../writing/writing-request.ts";
import { askedOnce } from "./asked-once.ts";
import { buildArticle } from "./build-articles.ts";
import type { Client, DraftServices } from "./client.ts";
import { bringingWords } from "./paid-words.ts";

/** The draft that a model is asked for, if there is one already. */
interface ForDraft {
  readonly draft?: string | undefined;
}

/** Whether what is written becomes a draft, where it is not for one. */
interface Keeping {
  readonly keep?: boolean | undefined;
}

export function showWritten(written: WrittenArticle, article: ArticleDoc): Written {
  return {
    object: "written_article",
    article,
    cover_idea: written.coverIdea,
    writing: showWriting(written.calls),
    writing_cost: writingCost(written.calls),
  };
}

/**
 * Has an article written, and keeps nothing but the receipt of the call unless it is told to. `onWritten` hears of what
 * was written, and not of who gets it again under its key. It comes before the answer is kept: where it fails, the next
 * who asks goes on from there.
 */
export async function writeForDraft(
  { draftService }: DraftServices,
  { accountId, ask, by }: Client,
  request: WritingRequest & ForDraft & Keeping,
  key: string | undefined,
  onWritten: () => Promise<void> = async () => {},
): Promise<Written> {
  const { draft: draftId, keep } = request;
  if (draftId !== undefined) await draftService.find(accountId, draftId);
  const isKept = keep && draftId === undefined;
  const asked = { accountId, purpose: "write", form: request, key, ask };
  return askedOnce(draftService, asked, async (once) => {
    if (isKept) await draftService.checkRoom(accountId, []);
    const written = await writeArticle(once.ask, request);
    const { calls: writing } = written;
    const article = buildArticle({ brief: request.brief }, written);
    const shown = showWritten(written, article);
    return bringingWords(shown, async () => {
      await onWritten();
      if (draftId !== undefined) await draftService.wrote(accountId, draftId, writing);
      if (!isKept) return once.keep(shown);
      const ticket = once.ticket && { ...once.ticket, answer: JSON.stringify(shown) };
      const draft = await draftService.create(accountId, {
        articles: [article],
        by,
        writing,
        ticket,
      });
      return { ...shown, draft_id: draft.id };
    });
  });
}

/** Has a text shortened, and keeps nothing but the receipt of the call. */
export async function shortenForDraft(
  { draftService }: DraftServices,
  { accountId, ask }: Client,
  request: ShortenRequest & ForDraft,
  key: string | undefined,
): Promise<Shortened> {
  const { draft: draftId } = request;
  if (draftId !== undefined) await draftService.find(accountId, draftId);
  const asked = { accountId, purpose: "shorten", form: request, key, ask };
  return askedOnce(draftService, asked, async (once) => {
    const { text, call } = await shortenText(once.ask, request);
    const shown: Shortened = { object: "shortened_text", text, writing: showWriting([call]) };
    return bringingWords(shown, async () => {
      if (draftId !== undefined) await draftService.wrote(accountId, draftId, [call]);
      return once.keep(shown);
    });
  });
}
