import { HtmlTooComplex, parseHtml } from "../../wechat/html-tree.ts";
import { visibleText } from "../../wechat/measure.ts";
import { SOURCE_ELEMENTS_MAX } from "../render/too-complex.ts";

/** What a reader sees of HTML; undefined where it was written to cost its reader time. */
export function readableText(html: string): string | undefined {
  try {
    return visibleText(html);
  } catch (thrown) {
    if (thrown instanceof HtmlTooComplex) return undefined;
    throw thrown;
  }
}

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
