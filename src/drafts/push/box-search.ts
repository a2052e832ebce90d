import type { Clock, Clocks } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import type { PlatformArticle } from "../../wechat/article.ts";
import type { Push } from "../draft.ts";
import type { PlatformClient } from "../platform-api/platform-client.ts";
import type { RemoteItem } from "../read-back/read-back.ts";
import type { ArticleRenderer } from "../render-pool/article-renderer.ts";

const PAGE_ITEMS = 20;
/** Beyond so many pages a box counts as unreadable, since nobody can say what is not in it. */
const PAGES_MAX = 50;
/** Clocks of two machines, and the whole seconds of the platform's. */
const LEEWAY_MS = 5_000;

export type Search =
  | { readonly kind: "found"; readonly mediaIds: readonly string[] }
  | { readonly kind: "unreadable"; readonly reason: string };

interface Wanted {
  readonly articles: readonly PlatformArticle[];
  /** How long ago it was first sent; infinity where nobody can say, and all of the box is read. */
  readonly sentAgoMs: number;
}

/**
 * How long ago a push was first sent, by what is written of it. That was told by the time of day, which may
 * have been set back since: this process knows by its steady clock, and whoever finds a time that is
 * yet to come does not know how far.
 */
export function sentAgo({ sentAtMs, updatedAtMs }: Push, { clock, steady }: Clocks): number {
  const nowMs = Math.max(clock(), steady());
  return nowMs < updatedAtMs ? Number.POSITIVE_INFINITY : nowMs - (sentAtMs ?? nowMs);
}

/** Whether a page goes from new to old, so that what follows is older still. */
function newestFirst(items: readonly RemoteItem[]): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    return before === undefined || before.updatedAtMs >= item.updatedAtMs;
  });
}

/**
 * Reads the box for drafts that are what was sent, and not older, by the platform's own clock, as its
 * answers show it.
 */
export async function searchBox(
  client: PlatformClient,
  renderer: ArticleRenderer,
  wanted: Wanted,
  clock: Clock,
): Promise<Search> {
  try {
    return await search(client, renderer, wanted, clock);
  } catch (thrown) {
    // What somebody else has put into the box may be more than can be read.
    if (!(thrown instanceof Fault)) throw thrown;
    return { kind: "unreadable", reason: thrown.message };
  }
}

async function search(
  client: PlatformClient,
  renderer: ArticleRenderer,
  { articles, sentAgoMs }: Wanted,
  clock: Clock,
): Promise<Search> {
  const found = new Set<string>();
  const mark = await renderer.mark(articles);
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const offset = page * PAGE_ITEMS;
    const reply = await client.list(offset, PAGE_ITEMS, true);
    if (reply.kind === "refused") return { kind: "unreadable", reason: reply.refusal.errmsg };
    if (reply.kind === "unknown") return { kind: "unreadable", reason: reply.reason };
    const sinceMs = (reply.platformTimeMs ?? clock()) - sentAgoMs - LEEWAY_MS;
    const { items, total } = reply.value;
    const oldestMs = Math.floor(sinceMs / 1000) * 1000;
    const recent = items.filter(({ updatedAtMs }) => updatedAtMs >= oldestMs);
    const same = recent.length === 0 ? [] : await renderer.matching(mark, recent);
    for (const mediaId of same) found.add(mediaId);
    const last = items.at(-1);
    const isOld = last !== undefined && last.updatedAtMs < sinceMs && newestFirst(items);
    if (last === undefined || offset + items.length >= total || isOld) {
      return { kind: "found", mediaIds: [...found] };
    }
  }
  return { kind: "unreadable", reason: `it has over ${PAGES_MAX * PAGE_ITEMS} drafts.` };
}
