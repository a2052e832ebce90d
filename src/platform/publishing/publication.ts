import { addressSignature, pageUrl } from "../article-address.ts";
import type { StoredArticle } from "../draftbox/draft.ts";

/**
 * Where a publish stands: 0 done, 1 under way, 2 not original, 3 failed, 4 refused by review,
 * 5 all of it deleted afterwards.
 */
type PublishStatus = 0 | 1 | 2 | 3 | 4 | 5;

/** What a publish that has been handed in will come to. */
export type PublishOutcome = 0 | 2 | 3 | 4;

export interface Publish {
  readonly publishId: number;
  readonly appid: string;
  /** Where the platform was reached when it was handed in, for the addresses of its articles. */
  readonly origin: string;
  readonly status: PublishStatus;
  /** Which articles have failed, counted from one. */
  readonly failed: readonly number[];
  readonly articleId: string | undefined;
  /** How many articles there are, once it is done. */
  readonly articles: number;
}

/** Articles that everybody can see: one draft that was published or sent. */
export interface Publication {
  readonly articleId: string;
  readonly appid: string;
  /** Those that were sent to followers are not listed among the published. */
  readonly isSent: boolean;
  /** Names it in the addresses of its articles. */
  readonly mid: number;
  readonly articles: readonly StoredArticle[];
  /** Which articles were deleted, counted from one. */
  readonly deleted: readonly number[];
  /** The same as it is kept, which tells whether others were deleted since. */
  readonly deletedText: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Where an article is read; `index` counts from one. */
export function articleUrl(origin: string, appid: string, mid: number, index: number): string {
  return pageUrl(origin, appid, String(mid), index, addressSignature(appid, mid, index));
}
