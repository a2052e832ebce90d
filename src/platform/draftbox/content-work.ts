import type { ArticleType } from "../../wechat/article.ts";
import { filterContent } from "../../wechat/content-filter.ts";
import { HtmlTooComplex } from "../../wechat/html-tree.ts";
import { codePoints, firstCodePoints, visibleText } from "../../wechat/measure.ts";
import { isBlank, productKeysIn, showsPicture } from "../../wechat/seen.ts";
import { isOwnImage } from "../image-lookup.ts";
import type { ProfileRules } from "../profile.ts";

const DIGEST_CHARS = 54;
const TOO_LONG = 45002;
const INVALID = 45166;
const EMPTY = 40035;

/** The content of an article and by what it is judged. Only plain values: it goes to a thread. */
export interface ContentTask {
  readonly content: string;
  readonly type: ArticleType;
  readonly bounds: Pick<ProfileRules, "contentBytesMax" | "visibleCharsMax" | "imageTextCharsMax">;
  /** Where the platform is reached, for its own images. */
  readonly origin: string;
}

export interface StoredContent {
  /** What the box keeps. */
  readonly content: string;
  /** Its first words, for an article that brought no digest. */
  readonly opening: string;
  /** Of the product cards in it. */
  readonly productKeys: readonly string[];
}

/** What the box keeps of a content, or the code of its refusal. */
export type ContentResult = StoredContent | { readonly errcode: number };

function kept({ content, type, bounds, origin }: ContentTask): string | number {
  // A text is never longer than its HTML: most need not be measured.
  if (content.length > bounds.visibleCharsMax) {
    if (codePoints(visibleText(content)) > bounds.visibleCharsMax) return TOO_LONG;
  }
  if (type === "newspic") {
    if (codePoints(content) > bounds.imageTextCharsMax) return INVALID;
    // Plain text is kept as it is: `a & b` is not HTML.
    if (!/<[a-z!/]/i.test(content)) return content;
  }
  return filterContent(content, { isOwnImage: (url) => isOwnImage(url, origin) });
}

export function storeContent(task: ContentTask): ContentResult {
  if (Buffer.byteLength(task.content) > task.bounds.contentBytesMax) return { errcode: TOO_LONG };
  try {
    const content = kept(task);
    if (typeof content === "number") return { errcode: content };
    const text = visibleText(content);
    if (isBlank(text) && !showsPicture(content)) return { errcode: EMPTY };
    const opening = firstCodePoints(text, DIGEST_CHARS);
    return { content, opening, productKeys: productKeysIn(content) };
  } catch (thrown) {
    // So deep that even walking through it fails.
    const isTooComplex = thrown instanceof HtmlTooComplex || thrown instanceof RangeError;
    if (isTooComplex) return { errcode: INVALID };
    throw thrown;
  }
}
