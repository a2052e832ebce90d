import { HtmlTooComplex, parseHtml } from "../wechat/html-tree.ts";
import { visibleText } from "../wechat/measure.ts";

/** What a reader sees of HTML; undefined where it was written to cost its reader time. */
export function readableText(html: string): string | undefined {
  try {
    return visibleText(html);
  } catch (thrown) {
    if (thrown instanceof HtmlTooComplex) return undefined;
    throw thrown;
  }
}

/** Dressed in a theme, so many are more than the platform takes. */
const SOURCE_ELEMENTS_MAX = 20_000;

/** Whether HTML, or markdown with HTML in it, is nothing that a renderer should be given. */
export function isTooComplex(text: string): boolean {
  try {
    parseHtml(text, SOURCE_ELEMENTS_MAX);
    return false;
  } catch (thrown) {
    if (thrown instanceof HtmlTooComplex) return true;
    throw thrown;
  }
}
