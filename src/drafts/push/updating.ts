import type { PlatformArticle } from "../../wechat/article.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import type { Reply } from "../platform-api/platform-http.ts";
import { unreached } from "../platform-api/refusal.ts";
import { isGone, UNKNOWN_MEDIA_ID } from "../platform-api/reply-value.ts";
import type { Added } from "./adding.ts";
import type { PushRun } from "./push-run.ts";

/** An update that is made twice leaves what one leaves, so a lost answer is simply tried again. */
const WAITS_MS = [2_000, 10_000];
/**
 * A call that was given up may still be stored after the one that followed it. It has the same words
 * as long as this push is not over, so the push is over only when nothing of it can arrive any more.
 */
const STRAGGLER_MS = 30_000;

/** What comes of a push; "gone" is a draft that was to be updated and is not in the box any more. */
export type Outcome = Added | { readonly kind: "gone"; readonly refusal: PlatformRefusal };

interface Parts {
  readonly run: PushRun;
  readonly client: PlatformClient;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * How it ended where an earlier try may have been stored. A refusal of the article itself is for all tries; any other
 * is only for the one that met it.
 */
function afterLostAnswer(reply: Reply<true>): Reply<true> {
  if (reply.kind === "unknown") return { ...reply, sent: true };
  if (reply.kind === "ok" || reply.refusal.class === "input") return reply;
  const { errmsg, fix } = reply.refusal;
  return { kind: "unknown", reason: `${errmsg} ${fix}`, sent: true };
}

/** Replaces one article, and waits for what was given up on the way. */
async function replace(
  { run, client, sleep }: Parts,
  mediaId: string,
  index: number,
  article: PlatformArticle,
): Promise<Reply<true>> {
  let gaveUp = false;
  // Of a push that is taken up, somebody else may have sent it before.
  let wasSent = run.push.sends > 1;
  const reply = await run.retry(WAITS_MS, async () => {
    const tried = await client.update(mediaId, index, article, run.checkHeld);
    if (tried.kind === "unknown") {
      gaveUp ||= tried.slow === true;
      wasSent ||= tried.sent;
    }
    return tried;
  });
  if (gaveUp) await sleep(STRAGGLER_MS);
  return wasSent ? afterLostAnswer(reply) : reply;
}

export function unknownUpdate(reason: string): string {
  return `Whether the update was stored is not known: ${reason}`;
}

/** Says which article was refused, and that the box has those before it already. */
function atArticle(refusal: PlatformRefusal, index: number): PlatformRefusal {
  const { field } = refusal;
  const isPath = field === null || field === "articles";
  const placed = { ...refusal, field: isPath ? field : `articles[${index}].${field}` };
  return index === 0 ? placed : { ...placed, replaced: index };
}

/** The same code is for a picture and for a draft that is not known; only the draft can be asked. */
async function judgeRefusal(
  { run, client }: Parts,
  mediaId: string,
  refusal: PlatformRefusal,
): Promise<Outcome> {
  if (refusal.errcode !== UNKNOWN_MEDIA_ID) return { kind: "refused", refusal };
  const reply = await run.retry(WAITS_MS, () => client.get(mediaId));
  return { kind: isGone(reply) ? "gone" : "refused", refusal };
}

/** An update replaces articles; it can neither add nor remove one, nor make it another kind. */
export function canReplace(before: readonly ArticleDoc[], after: readonly ArticleDoc[]): boolean {
  const kinds = (articles: readonly ArticleDoc[]) => articles.map(({ type }) => type).join();
  return kinds(before) === kinds(after);
}

/** Replaces the articles of a draft that is in the box, one after another. */
export async function updateBox(
  parts: Parts,
  mediaId: string,
  articles: readonly PlatformArticle[],
): Promise<Outcome> {
  const { run } = parts;
  await run.step({
    state: "sending",
    request: JSON.stringify(articles),
    sends: run.push.sends + 1,
    sentAtMs: run.clock(),
    mediaId,
    doubt: null,
  });
  for (const [index, article] of articles.entries()) {
    const reply = await replace(parts, mediaId, index, article);
    if (reply.kind === "refused") {
      return judgeRefusal(parts, mediaId, atArticle(reply.refusal, index));
    }
    if (reply.kind === "unknown") {
      if (!reply.sent && index === 0) {
        return { kind: "refused", refusal: unreached(reply.reason, "unreachable") };
      }
      return { kind: "unknown", doubt: unknownUpdate(reply.reason) };
    }
  }
  return { kind: "added", mediaId, reconciled: false };
}
