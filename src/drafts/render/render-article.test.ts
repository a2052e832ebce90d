import { describe, expect, test } from "bun:test";
import { isFull } from "../../../test/support/counts.ts";
import { renderedSample, SAMPLES, sample } from "../../../test/support/samples/rendered-samples.ts";
import { filterContent } from "../../wechat/content-filter.ts";
import { placeImages, renderArticle, renderPlain } from "./render-article.ts";
import { sanitizeArticle } from "./sanitize.ts";
import { THEMES } from "./themes.ts";

async function markdown(text: string, theme?: string, title?: string): Promise<string> {
  return (await renderArticle({ format: "markdown", text, title }, { theme })).html;
}

async function html(text: string): Promise<string> {
  return (await renderArticle({ format: "html", text })).html;
}

/** Without styles, for tests of what stands where. */
function bare(rendered: string): string {
  return rendered
    .replace(/ style="[^"]*"/g, "")
    .replace(/^<section>|<p><br><\/p><p><br><\/p><\/section>$/g, "");
}

describe("every theme", () => {
  for (const [at, { id, name, colours }] of THEMES.entries()) {
    test(`${id} renders the samples so that nothing is left to remove`, async () => {
      for (const [number, file] of SAMPLES.entries()) {
        const rendered = await renderedSample(file, id);
        expect(sanitizeArticle(rendered)).toBe(rendered);
        expect(rendered).not.toMatch(/ class=| id=|<style|var\(|<ul|<ol|<div|\n/);
        expect(rendered.startsWith('<section style="')).toBeTrue();
        // Twice the same; where time is short, each theme with one of the samples.
        if (isFull || number === at % SAMPLES.length) {
          expect(await markdown(sample(file), id)).toBe(rendered);
        }
      }
      expect(name.en).toMatch(/^[A-Z]/);
      expect(name.zh).toMatch(/^\p{Script=Han}+$/u);
      expect(Object.values(colours).join("")).toMatch(/^(#[\da-f]{6}){3}$/);
    });
  }

  test("differs from the others", async () => {
    const all = await Promise.all(THEMES.map(({ id }) => markdown("# a\n\nb", id)));
    expect(new Set(all).size).toBe(THEMES.length);
    expect(THEMES.length).toBeGreaterThanOrEqual(4);
    expect(await markdown("# a\n\nb", "gone")).toBe(all[0] ?? "");
  });
});

describe("what the platform keeps", () => {
  const stored = async (text: string, theme?: string) =>
    filterContent(await markdown(text, theme), { isOwnImage: () => true });

  test("is all of an article but its pictures' address", async () => {
    for (const file of SAMPLES) {
      const rendered = await renderedSample(file);
      const kept = filterContent(rendered, { isOwnImage: () => true });
      expect(kept.replaceAll("data-src=", "src=")).toBe(rendered);
    }
  });

  test("has the lines, the indents and the colours of code", async () => {
    const kept = await stored("```js\nif (a) {\n  return  1;\n}\n```", "engineer");
    const pre = /<pre[^>]*>(.*)<\/pre>/.exec(kept)?.[1] ?? "";
    expect(pre.replace(/<\/?(?:span|code)[^>]*>/g, "")).toBe(
      "if (a) {<br>&nbsp;&nbsp;return&nbsp;&nbsp;1;<br>}",
    );
    expect(pre).toContain('<span style="color:#ff8fa3">return</span>');
    expect(kept).toMatch(/<pre style="[^"]*font-family/);
    expect(kept).not.toMatch(/<code style/);
  });

  test("has the marks of lists", async () => {
    const kept = bare(await stored("1. a\n2. b\n   - c\n     - d"));
    expect(kept).toBe(
      "<section>" +
        "<section><span><span>1.</span></span>a</section>" +
        "<section><span><span>2.</span></span>b</section>" +
        "<section><span><span>◦</span></span>c</section>" +
        "<section><span><span>▪</span></span>d</section></section>",
    );
  });
});

describe("lists", () => {
  test("begin where they say, and hang by the width of their numbers", async () => {
    const rendered = await markdown("9. a\n10. b");
    expect(bare(rendered)).toContain("<span>9.</span></span>a");
    expect(rendered).toContain("padding-left:1.9em;text-indent:-1.9em");
  });

  test("indent what is nested, by its parents", async () => {
    const rendered = await markdown("- a\n  - b\n    1. c\n- d");
    const edges = [...rendered.matchAll(/padding-left:([\d.]+em);text-indent/g)].map(
      ([, edge]) => edge,
    );
    expect(edges).toEqual(["1.3em", "2.6em", "3.9em", "1.3em"]);
  });

  test("hold paragraphs and code below their first line", async () => {
    const rendered = bare(await markdown("- a\n\n  b\n\n  ```\n  c\n  ```\n"));
    expect(rendered).toBe(
      "<section><section><span><span>•</span></span>a</section>" +
        "<section><p>b</p><section><pre><code>c</code></pre></section></section></section>",
    );
  });

  test("show what is done", async () => {
    const rendered = await markdown("- [x] a\n- [ ] b");
    expect(rendered.match(/<svg/g)?.length).toBe(2);
    expect(rendered.match(/<path/g)?.length).toBe(1);
  });
});

describe("links", () => {
  test("become references, except the platform's own", async () => {
    const rendered = bare(
      await markdown(
        "[a](https://a.example/x) [b](https://mp.weixin.qq.com/s/1) [c](#d) [e](https://a.example/x)",
      ),
    );
    expect(rendered).toBe(
      '<p><span>a</span><sup>[1]</sup> <a href="https://mp.weixin.qq.com/s/1">b</a> c ' +
        "<span>e</span><sup>[1]</sup></p>" +
        "<section><p>References</p><section><span>[1]</span>a: <span>https://a.example/x</span></section></section>",
    );
  });

  test("that show their address need no reference", async () => {
    const rendered = bare(await markdown("see https://a.example/x and <https://b.example>"));
    expect(rendered).toBe(
      "<p>see <span>https://a.example/x</span> and <span>https://b.example</span></p>",
    );
  });

  test("that run something are words", async () => {
    expect(bare(await markdown("[a](javascript:alert(1))"))).toBe("<p>a</p>");
  });

  test("share their numbers with notes, which may hold links", async () => {
    const text =
      "中文很多字[^n]，[甲](https://a.example/)，没有[^x]。\n\n[^n]: 注[乙](https://b.example/)";
    expect(bare(await markdown(text))).toBe(
      "<p>中文很多字<sup>[1]</sup>，<span>甲</span><sup>[2]</sup>，没有[^x]。</p>" +
        "<section><p>注释与引用</p><section><span>[1]</span>注<span>乙</span><sup>[3]</sup></section>" +
        "<section><span>[2]</span>甲：<span>https://a.example/</span></section>" +
        "<section><span>[3]</span>乙：<span>https://b.example/</span></section></section>",
    );
  });
});

describe("pictures", () => {
  test("alone are figures, with what was said of them", async () => {
    expect(bare(await markdown('![a b](https://a.example/1.png "title")'))).toBe(
      '<figure><img src="https://a.example/1.png" alt="a b"><figcaption>title</figcaption></figure>',
    );
    expect(bare(await markdown("![IMG_1.png](https://a.example/1.png)"))).not.toContain(
      "figcaption",
    );
  });

  test("have their size in their style", async () => {
    const rendered = await html(
      '<p><img src="https://a.example/1.png" width="300" height="200"></p>',
    );
    expect(rendered).toMatch(/<img src="[^"]*" style="max-width:100%;height:auto;[^"]*width:300px/);
    expect(rendered).not.toMatch(/ width="/);
  });

  test("are listed once each, and placed", async () => {
    const data = "data:image/png;base64,iVBORw0KGgo=";
    const text = `a ![x](https://a.example/1.png?a=1&b=2) b\n\n![y](${data})\n\n![z](${data})`;
    const { html: rendered, images } = await renderArticle({ format: "markdown", text });
    expect(images).toEqual(["https://a.example/1.png?a=1&b=2", data]);
    expect(rendered).toContain(' alt="x"');
    const places = new Map([[data, "https://mmbiz.qpic.cn/a?wx_fmt=png&b=1"]]);
    const placed = placeImages(rendered, places);
    expect(placed).toBe(rendered.replaceAll(data, "https://mmbiz.qpic.cn/a?wx_fmt=png&amp;b=1"));
  });

  test("keep a link that the platform keeps", async () => {
    const text = "[![a](https://a.example/1.png)](https://mp.weixin.qq.com/s/1)";
    expect(bare(await markdown(text))).toBe(
      '<p><a href="https://mp.weixin.qq.com/s/1"><img src="https://a.example/1.png" alt="a"></a></p>',
    );
    expect(bare(await markdown(text.replace("mp.weixin", "b")))).not.toContain("<a");
  });
});

describe("formulas", () => {
  test("are drawings that need nothing", async () => {
    const rendered = await markdown("a $x^2$ b\n\n$$\\boxed{\\frac{1}{2}}$$");
    expect(
      rendered.match(/<svg [^>]*style="vertical-align:[^"]*width:[\d.]+em;height:[\d.]+em/g),
    ).toHaveLength(2);
    expect(rendered).toContain('fill="none"');
    expect(rendered).not.toMatch(/data-|class=|<use|<defs|mjx/);
  });

  test("that cannot be read are shown as they were written", async () => {
    const { html: rendered, notes } = await renderArticle({
      format: "markdown",
      text: "a $\\frac{1$ b $\\href{javascript:alert(1)}{x}$ c",
    });
    expect(bare(rendered)).toBe(
      "<p>a <span>\\frac{1</span> b <span>\\href{javascript:alert(1)}{x}</span> c</p>",
    );
    expect(notes).toEqual([{ code: "formula_unreadable", count: 2 }]);
  });

  test("do not know what another article defined", async () => {
    expect(await markdown("$\\newcommand{\\own}{x}\\own$")).toContain("<svg");
    expect(await markdown("$\\own$")).not.toContain("<svg");
  });
});

describe("an article", () => {
  test("does not repeat its title", async () => {
    expect(bare(await markdown("# 标题 A\n\nb", "calm", "标题a"))).toBe("<p>b</p>");
    expect(bare(await markdown("# Other\n\nb", "calm", "a"))).toContain("Other");
  });

  test("has headings with ornaments that are elements, and numbers where none were written", async () => {
    const numbered = bare(await markdown("## a\n\n## b", "magazine"));
    expect(numbered).toBe(
      "<h2><span>01</span><span>a</span></h2><h2><span>02</span><span>b</span></h2>",
    );
    const owned = bare(await markdown("## 一、甲\n\n## 二、乙", "magazine"));
    expect(owned).not.toContain("01");
  });

  test("has tables that scroll, quotes in quotes and alerts", async () => {
    const table = await markdown("|a|b|c|d|\n|:-|-:|-|-|\n|1|2|3|4|");
    expect(table).toMatch(
      /<section style="[^"]*overflow-x:auto[^"]*"><table style="[^"]*min-width:368px/,
    );
    expect(table).toMatch(/<td style="[^"]*text-align:right">2</);
    expect(bare(await markdown("> a\n> > b"))).toBe(
      "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>",
    );
    expect(bare(await markdown("> [!NOTE]\n> a"))).toBe(
      "<blockquote><p><strong>Note</strong></p><p>a</p></blockquote>",
    );
  });

  test("joins the lines of a Chinese sentence, and parts those of others", async () => {
    expect(bare(await markdown("中文\n中文 a\nb"))).toBe("<p>中文中文 a b</p>");
  });

  test("may hold HTML, of which only the harmless stays", async () => {
    const text =
      'a <mark onclick="x">b</mark> H<sub>2</sub>O<script>alert(1)</script>\n\n<div align="center">\n\n**c**\n\n</div>';
    expect(bare(await markdown(text))).toBe(
      "<p>a <span>b</span> H<sub>2</sub>O</p><section><p><strong>c</strong></p></section>",
    );
  });

  test("may be empty", async () => {
    expect(bare(await markdown(""))).toBe("");
    expect(renderPlain("", "markdown")).toBe("");
  });
});

describe("HTML that brought its own look", () => {
  const designed =
    '<section style="background:#eee;padding:10px"><p style="color:red">a <a href="https://a.example/">b</a></p>' +
    '<ul style="margin:0"><li>c</li></ul><pre style="color:blue">x\n  y</pre></section>';

  test("keeps it, but for what the platform would lose", async () => {
    const rendered = await html(designed);
    expect(rendered).toStartWith(
      '<section style="background:#eee;padding:10px"><p style="color:red">a b<sup',
    );
    expect(rendered).toContain('<ul style="margin:0"><li>c</li></ul>');
    expect(rendered).toContain('<pre style="color:blue">x<br>&nbsp;&nbsp;y</pre>');
    expect(rendered).toContain("https://a.example/");
  });

  test("and that was rendered before stays as it is", async () => {
    for (const file of SAMPLES) {
      const once = await renderedSample(file, "magazine");
      expect(await html(once)).toBe(once);
      const stored = filterContent(once, { isOwnImage: () => true });
      expect(await html(stored)).toBe(once);
    }
  });

  test("is dressed where it has none", async () => {
    const rendered = await html('<h2>a</h2><p style="text-align:center">b</p>plain <b>text</b>');
    expect(rendered).toMatch(/<h2 style="[^"]+"><span style/);
    expect(rendered).toMatch(/<p style="margin:[^"]*text-align:center">b<\/p>/);
    expect(bare(rendered)).toContain("<p>plain <strong>text</strong></p>");
  });
});

describe("words alone", () => {
  test("keep their lines, lists and addresses", () => {
    const text =
      "---\ntitle: t\n---\n# a\n\nb **c**\\\nd [e](https://a.example/)\n\n- f\n  1. g\n- [x] h\n\n```\ni\n  j\n```";
    expect(renderPlain(text, "markdown")).toBe(
      "a\n\nb c\nd e (https://a.example/)\n\n• f\n  1. g\n☑ h\n\ni\n  j",
    );
    expect(renderPlain("<p>a &lt;b&gt;</p><script>1</script>", "html")).toBe("a <b>");
  });

  test("are the author's where they say which language an article is in", async () => {
    const text = "# T\n\n汉[字](https://a.example/b/c)[^1] ![x y z](https://a.example/1.png)";
    const note = "[^1]: one two three";
    const source = { format: "markdown", text: `${text}\n\n${note}`, title: "T" } as const;
    expect((await renderArticle(source)).html).toContain("注释与引用");
  });
});
