// Articles that nobody would write, but somebody may send.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../test/support/counts.ts";
import { leastProcessorMs, processorMs } from "../../../test/support/load/processor-time.ts";
import { filterContent } from "../../wechat/content-filter.ts";
import { placeImages, renderArticle, renderPlain } from "./render-article.ts";
import { sanitizeArticle } from "./sanitize.ts";
import { THEMES } from "./themes.ts";
import { ArticleTooComplex } from "./too-complex.ts";

const PIECES = [
  "# a\n\n",
  "## b\n",
  "\n\n",
  "\n",
  "- x\n",
  "  1. y\n",
  "   ",
  "> ",
  "```js\n",
  "```\n",
  "`",
  "**",
  "*",
  "~~",
  "|a|b|\n|-|-|\n|1|2|\n",
  "[^1]",
  "\n[^1]: n\n",
  "[a](https://a.example/)",
  "[a](javascript:alert(1))",
  "![a](https://a.example/1.png)",
  "![a](data:text/html,1)",
  "==",
  "==a==",
  "{漢|かん}",
  "[漢]{かん}",
  "{漢|",
  "<ruby>漢<rt>",
  "<mark>",
  "> [!WARNING]\n",
  "```mermaid\n",
  "$x$",
  "$$\n",
  "\\[",
  "---\n",
  "<script>alert(1)</script>",
  "<style>*{}</style>",
  "<div style='position:fixed;color:red'>",
  "</div>",
  "<p onclick=alert(1)>",
  "<b>",
  "</b>",
  "<a href='https://b.example/'>",
  "<table>",
  "<td>",
  "<svg><foreignObject>",
  "<pre>",
  "<li>",
  "<section data-note-text=1>",
  "<sup data-note=1>",
  "<span data-math=display>",
  "<span data-task=open>",
  "<!--",
  "文字。",
];

const article = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), { maxLength: 25 })
  .map((pieces) => pieces.join(""));
const theme = fc.constantFrom(...THEMES.map(({ id }) => id));
const format = fc.constantFrom("markdown" as const, "html" as const);

describe("any article", () => {
  test("renders to what needs no sanitising, loses nothing in the box and says no script", async () => {
    await fc.assert(
      fc.asyncProperty(article, format, theme, async (text, kind, id) => {
        const { html, images } = await renderArticle({ format: kind, text }, { theme: id });
        expect(sanitizeArticle(html)).toBe(html);
        expect(placeImages(html, new Map())).toBe(html);
        expect(html).not.toMatch(
          /<(?:script|style|iframe)|<[^>]* on\w+=|href="javascript|src="data:text/,
        );
        const kept = filterContent(html, { isOwnImage: () => true });
        expect(kept.replaceAll("data-src=", "src=")).toBe(html);
        for (const src of images) expect(src).not.toBe("");
        expect(typeof renderPlain(text, kind)).toBe("string");
      }),
      { numRuns: count(40, 200) },
    );
  });
});

describe("an article that was written to be slow", () => {
  test("costs no more for its spaces than its length in words many times over", async () => {
    const length = count(120_000, 400_000);
    const words = `<p>${"ab ".repeat(length / 3)}x</p>`;
    const spaces = " ".repeat(length);
    const hard = [
      `<pre>${spaces}x</pre>`,
      `<p><code>${spaces}x</code></p>`,
      `<p>a${spaces}x</p>`,
      `<p>字${"\n".repeat(length)}x</p>`,
      `<p><code>${"\n".repeat(length)}x</code></p>`,
    ];
    const rendering = (text: string) => async () => {
      const { html } = await renderArticle({ format: "html", text });
      expect(html).toContain("x</");
      expect(renderPlain(text, "html")).toEndWith("x");
    };
    // A cost that grows with the square of the spaces would be thousands of times as high.
    const bearable = 20 * (await processorMs(rendering(words)));
    for (const text of hard) {
      expect(await leastProcessorMs(rendering(text), bearable)).toBeLessThan(bearable);
    }
  });

  test("costs no more for marks without an end than its length in words many times over", async () => {
    const length = count(6_000, 20_000);
    const filled = (piece: string) =>
      piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const rendering = (text: string) => async () => {
      await renderArticle({ format: "markdown", text });
      renderPlain(text, "markdown");
    };
    const ordinary = rendering(filled("字 ab "));
    await processorMs(ordinary);
    const bearable = 60 * (await processorMs(ordinary));
    const hard = [
      "==a ",
      "==字",
      "==",
      "== ",
      "=a=",
      "{漢",
      "{漢|",
      "{漢|か",
      "[漢]{",
      "[漢]{か ",
      "{",
      "==*a==*",
      "_==_ ",
      "**==**",
    ];
    for (const piece of hard) {
      const cost = await leastProcessorMs(rendering(filled(piece)), bearable);
      expect(cost).toBeLessThan(bearable);
    }
    for (const piece of ["> [!NOTE]\n", "```mermaid\n", "~~~dot\n~~~\n", "<ruby>漢<rt>か"]) {
      // Elements cost more than words, and too many of them are refused.
      const work = () =>
        rendering(filled(piece))().catch((thrown) => {
          if (!(thrown instanceof ArticleTooComplex)) throw thrown;
        });
      expect(await leastProcessorMs(work, bearable)).toBeLessThan(bearable);
    }
  });

  test("has no formula that grows to thousands of signs", async () => {
    const calls = (name: string) => `\\${name}`.repeat(10);
    const text =
      `$$\\newcommand\\a{${calls("b")}}\\newcommand\\b{${calls("c")}}` +
      `\\newcommand\\c{${"x".repeat(40)}}\\a$$\n\n$$${"1".repeat(3_000)}$$\n\n$y$`;
    const { html, notes } = await renderArticle({ format: "markdown", text });
    expect(html.length).toBeLessThan(20_000);
    expect(notes).toContainEqual({ code: "formula_unreadable", count: 2 });
    expect(html.match(/<svg/g)).toHaveLength(1);
  });

  test("is not rendered when its formulas are more than any article may be", async () => {
    const formula = `$${"x+".repeat(300)}x$`;
    const same = `${formula}\n\n`.repeat(60);
    const article = { format: "markdown", text: same } as const;
    await expect(renderArticle(article)).rejects.toBeInstanceOf(ArticleTooComplex);
    const lines = Array.from({ length: 60 }, (_, i) => `$${"x+".repeat(400)}x_{${i}}$`);
    const many = { format: "markdown", text: lines.join("\n\n") } as const;
    await expect(renderArticle(many)).rejects.toBeInstanceOf(ArticleTooComplex);
  });
});
