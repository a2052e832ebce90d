import type { PlatformArticle } from "../../wechat/article.ts";
import type { PlatformRefusal } from "../contract/push.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import type { Reply } from "../platform-api/platform-http.ts";
import { unreached } from "../platform-api/refusal.ts";
import type { PushRun } from "./push-run.ts";

/** An update that is made twice leaves what one leaves, so a lost answer is simply tried again. */
const WAITS_MS = [2_000, 10_000];
/**
 * A call that was given up may still be stored after the one that followed it. It has the same words
 * as long as this push is not over, so the push is over only when nothing of it can arrive any more.
 */
const STRAGGLER_MS = 30_000;
const UNKNOWN_MEDIA_ID = 40007;

type Updated =
  | { readonly kind: "updated" }
  | { readonly kind: "gone"; readonly refusal: PlatformRefusal }
  | { readonly kind: "refused"; readonly refusal: PlatformRefusal }
  | { readonly kind: "unknown"; readonly doubt: string };

interface Parts {
  readonly run: PushRun;
  readonly client: PlatformClient;
  readonly sleep: (ms: number) => Promise<void>;
}

async function insist<T>(parts: Parts, call: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (const waitMs of WAITS_MS) {
    await parts.run.renew();
    const reply = await call();
    if (reply.kind !== "unknown") return reply;
    await parts.sleep(waitMs);
  }
  await parts.run.renew();
  return call();
}

/** Replaces one article, and waits for what was given up on the way. */
async function replace(
  parts: Parts,
  mediaId: string,
  index: number,
  article: PlatformArticle,
): Promise<Reply<true>> {
  const { run, client, sleep } = parts;
  let gaveUp = false;
  const reply = await insist(parts, async () => {
    const tried = await client.update(mediaId, index, article, run.checkHeld);
    gaveUp ||= tried.kind === "unknown" && tried.slow === true;
    return tried;
  });
  if (gaveUp) await sleep(STRAGGLER_MS);
  return reply;
}

/** The same code is for a picture and for a draft that is not known; only the draft can be asked. */
async function judgeRefusal(
  parts: Parts,
  mediaId: string,
  refusal: PlatformRefusal,
): Promise<Updated> {
  if (refusal.errcode !== UNKNOWN_MEDIA_ID) return { kind: "refused", refusal };
  const reply = await insist(parts, () => parts.client.get(mediaId));
  const isGone = reply.kind === "refused" && reply.refusal.errcode === UNKNOWN_MEDIA_ID;
  return { kind: isGone ? "gone" : "refused", refusal };
}

/** Replaces the articles of a draft that is in the box, one after another. */
export async function updateBox(
  parts: Parts,
  mediaId: string,
  articles: readonly PlatformArticle[],
): Promise<Updated> {
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
    if (reply.kind === "refused") return judgeRefusal(parts, mediaId, reply.refusal);
    if (reply.kind === "unknown") {
      if (!reply.sent && index === 0) {
        return { kind: "refused", refusal: unreached(reply.reason, "unreachable") };
      }
      return {
        kind: "unknown",
        doubt: `Whether the update was stored is not known: ${reply.reason}`,
      };
    }
  }
  return { kind: "updated" };
}
