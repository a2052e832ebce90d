import { describe, expect, test } from "bun:test";
import { count } from "../../../../test/support/counts.ts";
import { leastProcessorMs, processorMs } from "../../../../test/support/load/processor-time.ts";
import { ArticleTooComplex } from "../too-complex.ts";
import { charsToRead } from "./inline-pictures.ts";
import { markdownToHtml } from "./markdown.ts";

function paragraph(markdown: string): string {
  return markdownToHtml(markdown).trim();
}

const inline = (tex: string) => `<span data-math="inline">${tex}</span>`;
const display = (tex: string) => `<span data-math="display">${tex}</span>`;

describe("formulas in markdown", () => {
  test.each([
    ["a $x^2$ b", `<p>a ${inline("x^2")} b</p>`],
    ["公式$x$，$y$", `<p>公式${inline("x")}，${inline("y")}</p>`],
    ["$5$ is one", `<p>${inline("5")} is one</p>`],
    ["$2x + 1$", `<p>${inline("2x + 1")}</p>`],
    ["\\(a_1\\) b", `<p>${inline("a_1")} b</p>`],
    ["$$\na < b\n$$", `<p>${display("a &lt; b")}</p>`],
    ["\\[\na\n\\]", `<p>${display("a")}</p>`],
    ["a\n$$b$$\nc", `<p>a</p>\n<p>${display("b")}</p>\n<p>c</p>`],
    ["a $$b$$ c", `<p>a ${display("b")} c</p>`],
    ["$a*b*c$", `<p>${inline("a*b*c")}</p>`],
  ])("%p are read", (markdown, html) => {
    expect(paragraph(markdown)).toBe(html);
  });

  test.each([
    "costs $5 and $6",
    "costs $5 to 6$ there",
    "US$5 and US$6",
    "from $1,000 or $2,000",
    "a $ b $ c",
    "a $x",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: such a text is not a template here.
    "${name} and $x y",
  ])("%p are prices or words", (markdown) => {
    expect(paragraph(markdown)).toBe(`<p>${markdown}</p>`);
  });

  test("are not looked for in code or behind a backslash", () => {
    expect(paragraph("`$x$`")).toBe("<p><code>$x$</code></p>");
    expect(paragraph("\\$x$")).toBe("<p>$x$</p>");
    expect(paragraph("```\n$$\nx\n$$\n```")).not.toContain("data-math");
  });
});

describe("markdown", () => {
  test("has bold Chinese text beside punctuation", () => {
    expect(paragraph("**“词”**的**概念（a）**是")).toBe(
      "<p><strong>“词”</strong>的<strong>概念（a）</strong>是</p>",
    );
  });

  test("has notes, called and written", () => {
    expect(markdownToHtml("a[^1].\n\n[^1]: b *c*\n  d\n[^2]: e\n")).toBe(
      [
        '<p>a<sup data-note="1">[^1]</sup>.</p>',
        '<section data-note-text="1">b <em>c</em>\nd</section>',
        '<section data-note-text="2">e</section>\n',
      ].join("\n"),
    );
  });

  test("takes only elements for elements", () => {
    expect(paragraph("Vec<T> and <u>b</u>")).toBe("<p>Vec&lt;T&gt; and <u>b</u></p>");
  });

  test("costs no more than as much ordinary text many times over, however it is nested", async () => {
    const part = count(0.3, 1);
    const hard = [
      ">".repeat(50_000 * part),
      "- ".repeat(20_000 * part),
      "\n$$".repeat(3_000 * part),
      "\n[^a".repeat(3_000 * part),
      "1. ".repeat(15_000 * part),
      "[".repeat(30_000 * part),
      // Marks of lists with two spaces between them, too few to be cut off.
      `${"-  ".repeat(20)}\n\n`.repeat(200 * part),
      "\\[\n".repeat(15_000 * part),
    ];
    const reading = (text: string) => () => expect(markdownToHtml(`${text} end`)).toContain("end");
    await processorMs(reading("warm"));
    const ordinary = reading("some *words* and [a link](b) ".repeat(1_700 * part));
    const bearable = 50 * (await processorMs(ordinary));
    for (const text of hard) {
      expect(await leastProcessorMs(reading(text), bearable)).toBeLessThan(bearable);
    }
  });

  test("brings the pictures that stand in it, which are not counted as text", () => {
    const picture = (bytes: string) => `data:image/png;base64,${bytes.repeat(200_000)}`;
    const [first, second] = [picture("iVBO"), picture("AAA+/=")];
    const text = `a ![b](${first}) **c**\n\n<img src="${second}">\n\n\`${first}\``;
    expect(markdownToHtml(text)).toBe(
      `<p>a <img src="${first}" alt="b"> <strong>c</strong></p>\n` +
        `<img src="${second}"><p><code>${first}</code></p>\n`,
    );
    expect(charsToRead(text)).toBeLessThan(150);
    expect(charsToRead("data:image/png;base64,字")).toBe(23);
  });

  test("gives nobody a picture again for a few letters that stand for it", () => {
    const picture = `data:image/png;base64,${"iVBO".repeat(1_000_000)}`;
    const marks = "![](data:x-kept-picture-0-) ".repeat(100);
    expect(markdownToHtml(`![](${picture})\n\n${marks}`).length).toBeLessThan(4_100_000);
    const shown = (times: number) => `${"![a][p]\n".repeat(times)}\n[p]: ${picture}`;
    expect(markdownToHtml(shown(5)).length).toBeGreaterThan(20_000_000);
    expect(() => markdownToHtml(shown(50))).toThrow(ArticleTooComplex);
  });
});
