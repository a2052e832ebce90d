// Texts that the rules of the parser would read again and again. What they cost is compared with what a
// part of them costs, and with a text of the same length that nobody minds.
import { describe, expect, test } from "bun:test";
import { count } from "../../../../test/support/counts.ts";
import { leastProcessorMs, processorMs } from "../../../../test/support/load/processor-time.ts";
import { renderArticle } from "../render-article.ts";
import { ArticleTooComplex } from "../too-complex.ts";
import { MARKDOWN_CHARS_MAX, markdownToHtml } from "./markdown.ts";

const CHARS = count(MARKDOWN_CHARS_MAX / 2, MARKDOWN_CHARS_MAX);
/** A cost that grows with the length is so many times as high for a whole text as for its part. */
const PARTS = 8;
/** Between that and its square, with room on both sides. */
const GROWTH_MAX = 30;
/** What is too little to be compared. */
const SMALL_MS = 3;
/** A hard text is up to ten times as dear as an ordinary one; one that is read again and again, hundreds. */
const DEARER_MAX = 60;

const filled = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length));
/** As people write: a few marks in each line. */
const ORDINARY = filled("some *words* and [a link](https://a.example), then `code`.\n", CHARS);
const reading = (text: string) => () => markdownToHtml(text);

let ordinary: Promise<number> | undefined;
/** What that costs, asked once. */
function ordinaryMs(): Promise<number> {
  ordinary ??= leastProcessorMs(reading(ORDINARY), 0);
  return ordinary;
}

describe("markdown that was written to be slow", () => {
  test.each<[string, (chars: number) => string]>([
    ["one word with an at-sign", (chars) => `${"a".repeat(chars)}@`],
    ["the same in angle brackets", (chars) => `<${"a".repeat(chars)}@`],
    ["words of two with an at-sign", (chars) => `${filled("a!", chars)}@`],
    ["underscores in a word", (chars) => filled("a_", chars)],
    ["double underscores", (chars) => filled("__a", chars)],
    ["an address that ends in brackets", (chars) => `http://a.b/${")".repeat(chars)}`],
    ["an address that ends in entities", (chars) => `http://a.b/${filled("&a;", chars)}`],
    ["an item of a list that goes on", (chars) => `- a\n${filled("b\n", chars)}`],
    ["items that go on to a quote", (chars) => filled(`- a\n${"b\n".repeat(40)}> c\n`, chars)],
    ["spaces behind a heading", (chars) => `# x${" ".repeat(chars)}y`],
    ["a plain list", (chars) => filled("- an item of it\n", chars)],
    ["tasks", (chars) => "- [ ] a\n".repeat((1_000 * chars) / CHARS)],
  ])("costs what its length says, and not its square: %s", async (_, textOf) => {
    const part = reading(textOf(CHARS / PARTS));
    // The first reading of a text pays for what the engine learns of the patterns.
    await processorMs(part);
    const grown = GROWTH_MAX * ((await leastProcessorMs(part, 0)) + SMALL_MS);
    const bearable = Math.min(grown, DEARER_MAX * ((await ordinaryMs()) + SMALL_MS));
    expect(await leastProcessorMs(reading(textOf(CHARS)), bearable)).toBeLessThan(bearable);
  });

  test("makes no table of millions of cells, nor more tasks than anybody sets", async () => {
    const wide = `${"|a".repeat(200)}\n${"|-".repeat(200)}\n${"|\n".repeat(10_000)}`;
    expect(() => markdownToHtml(wide)).toThrow(ArticleTooComplex);
    expect(() => markdownToHtml("- [ ] a\n".repeat(1_001))).toThrow(ArticleTooComplex);
    const many = { format: "markdown", text: "-\n".repeat(20_001) } as const;
    await expect(renderArticle(many)).rejects.toBeInstanceOf(ArticleTooComplex);
  });

  test("has code in one colour where its lines are no lines", async () => {
    const code = (text: string) =>
      renderArticle({ format: "markdown", text: `\`\`\`js\n${text}\n\`\`\`` });
    const short = await code(`const a = 1;\n${"b".repeat(900)}`);
    const long = await code(`const a = 1;\n${"`${".repeat(400)}`);
    expect(short.html).toMatch(/<span style="color:[^"]*">const</);
    expect(long.html).not.toMatch(/<span style="color:[^"]*">const</);
    expect(long.html).toContain("const a = 1;");
  });
});

describe("what is read in pieces", () => {
  const paragraph = (text: string) => `<p>${text}</p>\n`;

  test("is one text, wherever it was divided", () => {
    for (const words of ["one word and another ", "一段没有空格的文字", "😀", "x".repeat(2_500)]) {
      const text = words.repeat(400).trim();
      expect(markdownToHtml(text)).toBe(paragraph(text));
    }
  });

  test("keeps addresses, line breaks and entities whole at every place", () => {
    for (let at = 1_980; at < 2_010; at++) {
      const before = `${"w ".repeat(at / 2)}${"w".repeat(at % 2)}`;
      const html = markdownToHtml(
        `${before} a.b@c.example www.d.example 字www.e.example &#65;  \nend`,
      );
      expect(html).toContain('<a href="mailto:a.b@c.example">a.b@c.example</a>');
      expect(html).toContain('<a href="http://www.d.example">www.d.example</a>');
      expect(html).toContain("字www.e.example A<br>end");
    }
  });

  test("has headings of many lines, and long addresses, as far as anybody writes them", () => {
    const lines = "line\n".repeat(50);
    expect(markdownToHtml(`${lines}===\nx`)).toStartWith("<h1>line\nline");
    expect(markdownToHtml(`- ${lines}\n`)).toContain("<li>line\nline");
    const address = `https://a.example/${"p".repeat(3_900)}`;
    expect(markdownToHtml(`see ${address} there`)).toContain(`<a href="${address}">`);
    expect(markdownToHtml(`see ${address}${"p".repeat(200)} there`)).not.toContain("<a ");
  });
});
