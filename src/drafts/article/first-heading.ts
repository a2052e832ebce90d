// The first heading of a text, found without reading any part of it twice: this is asked of whatever
// a client sends, before anything else is known of it.

const HEADING_START = /^ {0,3}# +/gm;
/** Lines that look like one and say nothing; who writes more of them has no title. */
const EMPTY_HEADINGS_MAX = 1_000;
const LINE_END = /[\n\r\u2028\u2029]/g;

/** The words of a line without the marks that may close a heading: `Title ##`. */
function withoutClosing(line: string): string {
  const words = line.trimEnd();
  let end = words.length;
  while (end > 0 && words[end - 1] === "#") end -= 1;
  return end < words.length && words[end - 1] === " " ? words.slice(0, end).trimEnd() : words;
}

/** The words of the first heading of the first rank, as they are written; empty where there is none. */
export function markdownHeading(markdown: string): string {
  let looked = 0;
  for (const { index, 0: start } of markdown.matchAll(HEADING_START)) {
    if (++looked > EMPTY_HEADINGS_MAX) return "";
    LINE_END.lastIndex = index + start.length;
    const words = withoutClosing(
      markdown.slice(index + start.length, LINE_END.exec(markdown)?.index),
    );
    if (words !== "") return words;
  }
  return "";
}

/** What stands in the first `<h1>` that is closed, elements included. */
export function htmlHeading(html: string): string | undefined {
  const opening = /<h1\b/i.exec(html);
  if (!opening) return undefined;
  // Where the first is never closed, neither is any that follows it.
  const start = html.indexOf(">", opening.index) + 1;
  const rest = start === 0 ? "" : html.slice(start);
  const closing = /<\/h1>/i.exec(rest);
  return closing ? rest.slice(0, closing.index) : undefined;
}

/** A text without tags. A pattern would look for the end of each `<` to the end of the text. */
export function withoutTags(html: string): string {
  const lastEnd = html.lastIndexOf(">") + 1;
  return html.slice(0, lastEnd).replace(/<[^>]*>/g, "") + html.slice(lastEnd);
}
