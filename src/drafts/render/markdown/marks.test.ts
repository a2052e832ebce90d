// What markdown has no rule for and writers of public accounts use all the same.
import { describe, expect, test } from "bun:test";
import { filterContent } from "../../../wechat/content-filter.ts";
import { placeImages, renderArticle, renderPlain } from "../render-article.ts";
import { sanitizeArticle } from "../sanitize.ts";
import { THEMES } from "../themes.ts";
import { markdownToHtml } from "./markdown.ts";

async function html(text: string, theme?: string, format: "markdown" | "html" = "markdown") {
  return (await renderArticle({ format, text }, { theme })).html;
}

function bare(rendered: string): string {
  return rendered
    .replace(/ style="[^"]*"/g, "")
    .replace(/^<section>|<p><br><\/p><p><br><\/p><\/section>$/g, "");
}

/** As the platform keeps it, which has to be as it was written. */
async function kept(text: string, theme?: string): Promise<string> {
  const rendered = await html(text, theme);
  expect(sanitizeArticle(rendered)).toBe(rendered);
  expect(placeImages(rendered, new Map())).toBe(rendered);
  expect(filterContent(rendered, { isOwnImage: () => true })).toBe(rendered);
  return rendered;
}

/** How a highlight begins. */
const MARKED = '<span style="background-color:#';

describe("==words== are highlighted", () => {
  test.each([
    ["这是==重点==内容", "<p>这是<span>重点</span>内容</p>"],
    ["a ==b **c** d== e", "<p>a <span>b <strong>c</strong> d</span> e</p>"],
    ["**==a==**", "<p><strong><span>a</span></strong></p>"],
    ["==a=b==", "<p><span>a=b</span></p>"],
    [
      "这是==“引用”==和==**粗**==的",
      "<p>这是<span>“引用”</span>和<span><strong>粗</strong></span>的</p>",
    ],
    ["==a\\==b== c", "<p><span>a==b</span> c</p>"],
    ["- ==a==", "<span>a</span>"],
    ["a <mark>b</mark>", "<p>a <span>b</span></p>"],
  ])("in %p", async (text, wanted) => {
    expect(bare(await kept(text))).toContain(wanted);
  });

  test.each([
    "a == b and c == d",
    "if a==b or c==d",
    "a ==b",
    "====",
    "== a ==",
    "`==a==`",
    "\\==a==",
    "==a\n\nb==",
    "dGVzdA==和dGVzdDI==",
    "密钥是abc==，另一个是def==。",
    "if (x=='a' || y=='b')",
    "x==-1&&y==-1",
    "比较：==和===有什么区别？用==即可",
    "==\\==",
  ])("but not in %p", async (text) => {
    expect(await html(text)).not.toContain(MARKED);
  });

  test("in the colours of each theme, and without them in what brought its own look", async () => {
    const looks = await Promise.all(THEMES.map(({ id }) => kept("==a==", id)));
    for (const look of looks) expect(look).toContain(MARKED);
    expect(new Set(looks.map((look) => /<span style="([^"]*)"/.exec(look)?.[1])).size).toBe(
      THEMES.length,
    );
    const own =
      '<section style="color:#000000"><mark style="background-color:#ff0000">a</mark></section>';
    expect(await html(own, undefined, "html")).toBe(own.replaceAll("mark", "span"));
  });
});

const READING = "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>";

describe("readings stand above their letters", () => {
  test.each([
    ["{漢|かん}字", `<p>${READING}字</p>`],
    ["[漢]{かん}字", `<p>${READING}字</p>`],
    ["<ruby>漢<rt>かん</rt></ruby>字", "<p><ruby>漢<rt>かん</rt></ruby>字</p>"],
    ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", `<p>${READING}</p>`],
    [
      "{喜大|xǐ dà}",
      "<ruby>喜<rp>(</rp><rt>xǐ</rt><rp>)</rp>大<rp>(</rp><rt>dà</rt><rp>)</rp></ruby>",
    ],
    ["{喜大普奔|xǐ dà}", "<ruby>喜大普奔<rp>(</rp><rt>xǐ dà</rt><rp>)</rp></ruby>"],
    ["{漢<b>|か&}", "<ruby>漢&lt;b&gt;<rp>(</rp><rt>か&amp;</rt><rp>)</rp></ruby>"],
  ])("in %p", async (text, wanted) => {
    expect(bare(await kept(text))).toContain(wanted);
  });

  test.each([
    "{a|b}",
    "the set {x|x>0}",
    "[中文]{.red}",
    "[中文]{#id}",
    "[中文]{a=b}",
    "{漢|}",
    "{|かん}",
    "`{漢|かん}`",
    "[漢]",
    "\\{漢|かん}",
    "{漢|か\nん}",
    "{{ 变量|default }}",
    "{{变量|过滤}}",
    "{% if 中|文 %}",
    "集合 {x|x是偶数}",
    "集合{x | x 为整数}",
    "![图]{x}",
  ])("but not in %p", async (text) => {
    expect(await html(text)).not.toContain("<ruby");
  });

  test("and behind them where nothing can stand above", () => {
    expect(renderPlain("{漢|かん}字", "markdown")).toBe("漢(かん)字");
    expect(renderPlain("<ruby>漢<rt>かん</rt></ruby>字", "html")).toBe("漢(かん)字");
  });
});

describe("alerts", () => {
  const KINDS = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"];

  for (const { id } of THEMES) {
    test(`differ by colour in ${id}`, async () => {
      const boxes = await Promise.all(KINDS.map((kind) => kept(`> [!${kind}]\n> 文字`, id)));
      const styles = boxes.map((box) => /<blockquote style="([^"]*)"/.exec(box)?.[1] ?? "");
      const titles = boxes.map((box) => /<p style="([^"]*)"><strong/.exec(box)?.[1] ?? "");
      for (const read of [
        styles.map((style) => /background-color:(#\w+)/.exec(style)?.[1]),
        styles.map((style) => /border-left:[^;]*(#\w+)/.exec(style)?.[1]),
        titles.map((style) => /color:(#\w+)/.exec(style)?.[1]),
      ]) {
        expect(read).not.toContain(undefined);
        expect(new Set(read).size).toBe(KINDS.length);
      }
      // The edges of the theme's quotes have colours of their own.
      for (const style of styles) expect(style.match(/border[^;]*#/g)).toHaveLength(1);
    });
  }

  test("have their own look inside of a quote too", async () => {
    const rendered = await kept("> a\n>\n> > [!WARNING]\n> > b");
    expect(rendered.match(/background-color:#/g)?.length).toBeGreaterThanOrEqual(2);
    expect(bare(rendered)).toContain("<blockquote><p><strong>Warning</strong></p><p>b</p>");
  });
});

describe("a formula that is wider than a phone", () => {
  const WIDE = "x_1+".repeat(30);

  test("keeps its width in a box that scrolls", async () => {
    for (const text of [`$$${WIDE}y$$`, `文字 $${WIDE}y$ 文字`, `- $${WIDE}y$`, `# a $${WIDE}y$`]) {
      const found = /<span style="([^"]*)"><svg [^>]*style="([^"]*)"/.exec(await kept(text));
      const [, box = "", drawing = ""] = found ?? [];
      expect(box).toContain("max-width:100%");
      expect(box).toContain("overflow-x:auto");
      expect(box).toContain("display:inline-block");
      // The drawing stands where it stood, with room for what reaches beyond it.
      expect(box).toMatch(/(?:^|;)padding:0\.2em 0(?:;|$)/);
      expect(Number(/vertical-align:(-?[\d.]+)em/.exec(box)?.[1])).toBeLessThanOrEqual(-0.2);
      const width = /(?:^|;)width:([\d.]+em)/.exec(drawing)?.[1];
      expect(width).toBeDefined();
      expect(drawing).toContain(`min-width:${width}`);
    }
  });

  test("and one that is not stands in its line as it is", async () => {
    const rendered = await kept("文字 $x$ 文字");
    expect(rendered).not.toContain("min-width");
    expect(rendered).not.toContain("overflow-x");
  });
});

describe("both edges of a text are straight", () => {
  const left = /<p style="[^"]*text-align:left/;

  test("where its words can be broken anywhere", async () => {
    const rendered = await kept("中文的段落里有 GitHub 和 HTTP 这样的短词，不需要改变。");
    expect(rendered).toMatch(/^<section style="[^"]*text-align:justify/);
    expect(rendered).not.toMatch(left);
  });

  test.each([
    "中文的段落里有 TypeScript 这样的长词，留下大片空白。",
    "地址是 https://example.com/a/b/c 请看，中文中文中文中文中文中文。",
    "调用 `previous_response_id` 中文中文中文中文中文中文中文中文。",
  ])("and not in %p", async (text) => {
    const rendered = await kept(`${text}\n\n中文的段落，两端对齐，一直如此。`);
    expect(rendered.match(new RegExp(left, "g"))).toHaveLength(1);
    const listed = await kept(`- ${text}\n- 中文\n\n> ${text}\n\n中文的段落，两端对齐。`);
    expect(listed.match(/text-align:left/g)).toHaveLength(2);
  });

  test("nor where most of a paragraph is in Latin letters", async () => {
    const text = "He said it is so, and so it is. 中文。";
    const rendered = await kept(`${text}\n\n${"中文的段落，两端对齐。".repeat(4)}`);
    expect(rendered.match(new RegExp(left, "g"))).toHaveLength(1);
  });

  test("nor beside a formula that cannot be broken, and beside one that can", async () => {
    const after = `\n\n${"中文的段落，两端对齐。".repeat(4)}`;
    const wide = await kept(`中文 $${"x_1+".repeat(30)}y$ 中文中文${after}`);
    expect(wide.match(new RegExp(left, "g"))).toHaveLength(1);
    const narrow = await kept(`中文 $\\alpha+\\beta+\\gamma$ 中文中文${after}`);
    expect(narrow).not.toMatch(left);
  });

  test("unless the author has said how", async () => {
    const text = `<p style="text-align:center">TypeScript TypeScript</p><p>${"中文".repeat(9)}</p>`;
    expect(await html(text, undefined, "html")).not.toContain("text-align:left");
  });
});

describe("an address in a Chinese sentence", () => {
  test.each([
    ["见 https://example.com/a?b=1，然后继续。", "https://example.com/a?b=1"],
    ["（https://example.com/a）", "https://example.com/a"],
    ["https://example.com/a。", "https://example.com/a"],
    ["https://example.com/维基/中国 后", "https://example.com/维基/中国"],
  ])("ends where the sentence goes on: %p", (text, address) => {
    const found = /<a href="[^"]*">([^<]*)<\/a>/.exec(markdownToHtml(text));
    expect(found?.[1]).toBe(address);
  });
});
