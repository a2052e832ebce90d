import type { Clock } from "../lib/clock.ts";
import { type DraftMark, matches } from "./fingerprint.ts";
import type { PlatformClient } from "./platform-client.ts";
import type { RemoteItem } from "./read-back.ts";

const PAGE_ITEMS = 20;
/** Beyond so many pages a box counts as unreadable, since nobody can say what is not in it. */
const PAGES_MAX = 50;
/** Clocks of two machines, and the whole seconds of the platform's. */
const LEEWAY_MS = 5_000;

export type Search =
  | { readonly kind: "found"; readonly mediaIds: readonly string[] }
  | { readonly kind: "unreadable"; readonly reason: string };

interface Wanted {
  readonly mark: DraftMark;
  /** By our clock. */
  readonly sentAtMs: number;
}

/** Whether a page goes from new to old, so that what follows is older still. */
function newestFirst(items: readonly RemoteItem[]): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    return before === undefined || before.updatedAtMs >= item.updatedAtMs;
  });
}

/**
 * Reads the box for drafts that are what was sent, and not older. The platform's own clock, as its
 * answers show it, says how its times compare with ours.
 */
export async function searchBox(
  client: PlatformClient,
  { mark, sentAtMs }: Wanted,
  clock: Clock,
): Promise<Search> {
  const found = new Set<string>();
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const offset = page * PAGE_ITEMS;
    const reply = await client.list(offset, PAGE_ITEMS, true);
    if (reply.kind === "refused") return { kind: "unreadable", reason: reply.refusal.errmsg };
    if (reply.kind === "unknown") return { kind: "unreadable", reason: reply.reason };
    const skewMs = (reply.platformTimeMs ?? clock()) - clock();
    const sinceMs = sentAtMs + skewMs - LEEWAY_MS;
    const { items, total } = reply.value;
    for (const item of items) {
      if (item.updatedAtMs < Math.floor(sinceMs / 1000) * 1000) continue;
      if (matches(mark, item.articles)) found.add(item.mediaId);
    }
    const last = items.at(-1);
    const isOld = last !== undefined && last.updatedAtMs < sinceMs && newestFirst(items);
    if (last === undefined || offset + items.length >= total || isOld) {
      return { kind: "found", mediaIds: [...found] };
    }
  }
  return { kind: "unreadable", reason: `it has over ${PAGES_MAX * PAGE_ITEMS} drafts.` };
}
