import { describe, expect, test } from "bun:test";
import { plainRenderer } from "../../../test/support/houses/draft-house.ts";
import { type CompiledArticle, compileArticles } from "../article/compile.ts";
import type { ArticleDoc } from "../contract/article.ts";
import { ratioProblems } from "./crops.ts";
import { diagramProblems } from "./diagrams.ts";
import { preflight } from "./preflight.ts";

const DEFAULTS = { author: null, theme: null };
const GOOD: ArticleDoc = {
  type: "news",
  title: "标题",
  source: { format: "markdown", text: "正文" },
  cover: { media_id: "m" },
};

async function judge(...docs: Partial<ArticleDoc>[]) {
  const articles = docs.map((doc) => ({ ...GOOD, ...doc }));
  const compiled = await compileArticles(plainRenderer, articles, DEFAULTS);
  return preflight(compiled, { strictCount: true });
}

async function codes(...docs: Partial<ArticleDoc>[]): Promise<string[]> {
  return (await judge(...docs)).map(({ severity, code }) => `${severity} ${code}`);
}

/** An article whose content is what it is, whatever a renderer would have done to it. */
function compiledOf(content: string, more: Partial<CompiledArticle> = {}): CompiledArticle {
  const article = { doc: GOOD, title: "标题", author: "", digest: "", theme: undefined, content };
  const plain = { bodyImages: [], notes: [], tooComplex: false, tooLong: undefined };
  return { ...article, ...plain, ...more };
}

function withContent(content: string, more: Partial<CompiledArticle> = {}) {
  return preflight([compiledOf(content, more)], { strictCount: true }).map(
    ({ severity, code }) => `${severity} ${code}`,
  );
}

const source = (text: string) => ({ source: { format: "markdown" as const, text } });

describe("the preflight", () => {
  test("finds nothing in a good article", async () => {
    expect(await judge({})).toEqual([]);
  });

  test("measures the content as it is sent: with addresses in place of the pictures", async () => {
    const inText = (bytes: number) =>
      `![](data:image/gif;base64,${Buffer.alloc(bytes, "x").toString("base64")})`;
    expect(await codes(source(`a ${inText(2 * 1024 * 1024)}`))).toEqual([]);
    const two = inText(1_100_000) + inText(1_100_001);
    expect(await codes(source(`a ${two}`))).toEqual([]);
    const signed = (at: number) => `![](https://pictures.test/${at}?sign=${"x".repeat(2_000)})`;
    const many = Array.from({ length: 25 }, (_, at) => signed(at)).join("");
    expect(await codes(source(`a ${many}`))).toEqual([]);
    // What is in no picture is sent as it stands.
    const style = `<p title="${"x".repeat(1024 * 1024)}">a</p>`;
    expect(withContent(style)).toContain("error content_too_large");
    const unknown = `<p>a<img src="data:image/gif;base64,${"x".repeat(1024 * 1024)}"></p>`;
    expect(withContent(unknown)).toContain("error content_too_large");
  });

  test("refuses what is too long to be rendered, with both numbers", async () => {
    const [problem] = await judge(source("a".repeat(60_001)));
    expect(problem).toMatchObject({
      severity: "error",
      code: "text_too_long",
      field: "source.text",
      limit: 60_000,
      found: 60_001,
    });
    const picture = `![](data:image/png;base64,${"A".repeat(100_000)})`;
    expect(await codes(source(`words ${picture}`))).toEqual([]);
    expect(await codes({ ...source("<p>a".repeat(20_001)) })).toContain("error text_too_long");
    const dense = { format: "html" as const, text: "<b></b>".repeat(20_001) };
    expect(await codes({ source: dense })).toEqual(["error content_too_complex"]);
  });

  test("takes two hundred pictures in a text, and not one more", async () => {
    const pictures = (count: number) =>
      Array.from({ length: count }, (_, i) => `![](https://e.cn/${i}.png)`).join("");
    expect(await codes(source(pictures(200)))).toEqual([]);
    expect(await codes(source(pictures(201)))).toEqual(["error body_images_too_many"]);
  });

  test.each([
    ["an empty title", { title: " " }, ["error title_empty"]],
    ["a title without width", { title: "\u200b\u2060" }, ["error title_empty"]],
    ["32 characters of title", { title: "字".repeat(32) }, []],
    ["33 characters of title", { title: "字".repeat(33) }, ["error title_too_long"]],
    ["32 characters beyond the basic plane", { title: "𠮷".repeat(32) }, []],
    ["a line break in the title", { title: "a\nb" }, ["error title_control"]],
    ["an escape in the title", { title: "\\u4f5c者" }, ["error title_escaped"]],
    ["16 letters of author", { author: "a".repeat(16) }, []],
    ["9 Chinese characters of author", { author: "字".repeat(9) }, ["warning author_wide"]],
    ["17 characters of author", { author: "a".repeat(17) }, ["error author_too_long"]],
    ["121 letters of digest", { digest: "a".repeat(121) }, ["warning digest_long"]],
    ["121 Chinese characters of digest", { digest: "字".repeat(121) }, ["warning digest_wide"]],
    ["129 characters of digest", { digest: "a".repeat(129) }, ["error digest_too_long"]],
    ["no text", source(" "), ["error content_empty"]],
    ["text without width", source("\u200b&nbsp;\u2060"), ["error content_empty"]],
    ["exactly 20,000 characters", source("字".repeat(20_000)), ["info markup_long"]],
    ["20,001 characters", source("字".repeat(20_001)), ["error text_too_long"]],
    [
      "a long address",
      { source_url: `https://x.test/${"a".repeat(1024)}` },
      ["error source_url_too_long"],
    ],
    ["an address of 1,024 bytes", { source_url: `https://x.test/${"a".repeat(1009)}` }, []],
    ["another scheme", { source_url: "javascript:alert(1)" }, ["error source_url_invalid"]],
    ["comments for nobody", { fans_only_comment: true }, ["warning comment_rule_idle"]],
    ["a product without a key", { product_key: " " }, ["error product_key_empty"]],
    ["an image message without images", { type: "newspic" as const }, ["error images_missing"]],
    [
      "21 images",
      { type: "newspic" as const, images: [...Array(21)].map(() => ({ media_id: "m" })) },
      ["error images_too_many"],
    ],
    [
      "20 images, tags and a long title",
      {
        type: "newspic" as const,
        title: "字".repeat(21),
        images: [...Array(20)].map(() => ({ media_id: "m" })),
        ...source(`<b>${"字".repeat(1000)}</b>`),
      },
      ["error tags_in_plain_text", "warning newspic_title_long", "warning newspic_text_long"],
    ],
    [
      "a crop outside, and one from right to left",
      {
        cover: {
          media_id: "m",
          crops: { wide: { x1: 0, y1: 0, x2: 1.1, y2: 1 }, square: { x1: 1, y1: 0, x2: 0, y2: 1 } },
        },
      },
      ["error crop_range", "error crop_order"],
    ],
  ])("judges %s", async (_what, doc, expected) => {
    expect(await codes(doc)).toEqual(expected);
  });

  test("takes an article that only shows a drawing", () => {
    expect(withContent('<svg width="9" height="9"><path d="M0 0h9"></path></svg>')).toEqual([]);
    expect(withContent("<section><p>\u00a0</p></section>")).toEqual(["error content_empty"]);
  });

  test("says the limit and what was found, and what to do", async () => {
    expect(await judge({}, { title: "字".repeat(40) })).toEqual([
      {
        severity: "error",
        code: "title_too_long",
        article: 1,
        field: "title",
        limit: 32,
        found: 40,
        message: "The title has 40 characters; at most 32 are taken.",
        fix: { kind: "shorten" },
      },
    ]);
    const [escaped] = await judge({ title: "\\u4f5c者" });
    expect(escaped?.fix).toEqual({ kind: "decode_escapes", value: "作者" });
  });

  test("counts articles, strictly where the platform is a real one", async () => {
    expect(await codes()).toEqual(["error articles_missing"]);
    const nine = [...Array(9)].map(() => ({}));
    expect(await codes(...nine)).toEqual(["error articles_too_many"]);
    const compiled = await compileArticles(
      plainRenderer,
      nine.map(() => GOOD),
      DEFAULTS,
    );
    expect(preflight(compiled, { strictCount: false })).toMatchObject([{ severity: "warning" }]);
    expect(await codes({ digest: "d" }, {})).toEqual(["info digest_unused"]);
  });

  test("names what rendering took out, and the lines where it stands", () => {
    const doc: ArticleDoc = { ...GOOD, ...source("a\n\n<iframe src=x></iframe>\n<video></video>") };
    const compiled: CompiledArticle = {
      ...{ doc, title: "t", author: "", digest: "", theme: undefined, content: "<p>a</p>" },
      ...{ bodyImages: [], tooComplex: false, tooLong: undefined },
      notes: [{ code: "element_removed", count: 2, names: ["<iframe>", "<video>"] }],
    };
    expect(preflight([compiled], { strictCount: true })).toMatchObject([
      {
        severity: "warning",
        message: "Elements that no article may have were taken out: <iframe>, <video>.",
        taken: [
          { name: "<iframe>", lines: [3] },
          { name: "<video>", lines: [4] },
        ],
      },
    ]);
  });

  test("tells of settings above a text that nobody has applied, and how to", async () => {
    const text = "---\nauthor: Ada\ncover: https://x.example/a.png\nopen_comment: true\n---\nwords";
    const [problem] = await judge(source(text));
    expect(problem).toMatchObject({
      ...{ severity: "warning", code: "settings_above", field: "source.text" },
      found: "author, cover, open_comment",
    });
    expect(problem?.fix).toEqual({
      kind: "apply_settings",
      members: { author: "Ada", cover: { url: "https://x.example/a.png" }, open_comment: true },
    });
    expect(await codes(source("---\ntitle: [\n---\nwords"))).toEqual([
      "warning settings_unreadable",
    ]);
    expect(await codes(source("---\n\nwords between rules\n\n---\n"))).toEqual([]);
    const html = { format: "html" as const, text: "---\nauthor: Ada\n---\nwords" };
    expect(await codes({ source: html })).toEqual([]);
  });

  test("tells that a cover will be drawn", async () => {
    expect(await codes({ cover: { card: true } })).toEqual(["info cover_drawn"]);
  });

  test.each([
    ["<p>x</p><script>1</script>", ["error script"]],
    ['<p onclick="x()">x</p>', ["error event_handler"]],
    ['<a href=" java\tscript:x">x</a>', ["error script_address", "warning outside_link"]],
    ["<style>p{}</style><p>x</p>", ["warning style_sheet"]],
    ['<p class="a">x</p>', ["warning class_used"]],
    ['<p style="color:var(--x)">x</p>', ["warning css_variable"]],
    ['<a href="https://mp.weixin.qq.com/s/1">x</a>', []],
    ["<ul><li>x<ol><li>y</li></ol></li></ul>", ["warning nested_list"]],
    ["<h1>标题</h1><p>x</p>", ["warning title_repeated"]],
    [
      `<p>x</p>${"<b></b>".repeat(100_001)}`,
      ["warning content_near_wall", "error content_too_complex"],
    ],
    [`<p>${"a".repeat(1024 * 1024)}</p>`, ["error content_too_large", "error text_too_long"]],
  ])("looks into the markup: %#", (content, expected) => {
    expect(withContent(content)).toEqual(expected);
  });

  test("does not let a renderer near what would keep it busy", async () => {
    const text = "<b>".repeat(500);
    expect(await codes({ source: { format: "html", text } })).toEqual([
      "error content_too_complex",
    ]);
  });

  test.each([
    ["markdown", 60_000],
    ["html", 2 * 1024 * 1024],
  ] as const)("says how long a text may be before it is read: %s", async (format, limit) => {
    const picture = `data:image/png;base64,${"A".repeat(3_000_000)}`;
    const short = { source: { format, text: `<img src="${picture}">x` } };
    expect((await codes(short)).filter((code) => code.endsWith("text_too_long"))).toEqual([]);
    const [problem] = await judge({ source: { format, text: "<b>".repeat(limit) } });
    expect(problem).toMatchObject({ code: "text_too_long", limit, found: 3 * limit });
  });

  test("looks at the sources of pictures", () => {
    const bodyImages = ["/local.png", "https://x.test/a.webp", "data:image/png;base64,AA"];
    expect(withContent("<p>x</p>", { bodyImages })).toEqual([
      "error image_address",
      "info image_kinds",
    ]);
  });

  test("names each diagram that is not drawn by its line, where that can be known", () => {
    const text = "a\n\n```mermaid\ngraph TD\n```\n\n```dot\n```\n";
    const found = (count: number, article: ArticleDoc) =>
      diagramProblems(
        compiledOf("<p>x</p>", { doc: article, notes: [{ code: "diagram_not_drawn", count }] }),
      );
    expect(found(2, { ...GOOD, ...source(text) })).toMatchObject([
      { severity: "warning", code: "diagram_not_drawn", found: "mermaid", line: 3 },
      { severity: "warning", code: "diagram_not_drawn", found: "dot", line: 7 },
    ]);
    const [one, ...more] = found(3, { ...GOOD, ...source(text) });
    expect([one?.found, one?.line, more]).toEqual([3, undefined, []]);
    expect(found(1, { ...GOOD, source: { format: "html", text } })).toHaveLength(1);
    const notes = [{ code: "diagram_not_drawn", count: 1 } as const];
    expect(withContent("<p>x</p>", { notes })).toEqual(["warning diagram_not_drawn"]);
  });

  test("compares crops with the real cover", () => {
    const crops = {
      wide: { x1: 0, y1: 0, x2: 1, y2: 1 },
      square: { x1: 0.25, y1: 0, x2: 0.75, y2: 1 },
    };
    const doc: ArticleDoc = { ...GOOD, cover: { media_id: "m", crops } };
    expect(ratioProblems(doc, { width: 2000, height: 1000 })).toMatchObject([
      { code: "crop_ratio", field: "cover.crops.wide", limit: 2.35, found: 2 },
    ]);
  });
});
