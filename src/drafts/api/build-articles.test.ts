import { describe, expect, test } from "bun:test";
import { Fault } from "../../lib/faults.ts";
import type { ArticleDoc } from "../contract/article.ts";
import { buildArticles, changeArticles, sourceOf, writingRequestOf } from "./build-articles.ts";

function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
    return thrown as Fault;
  }
  throw new Error("nothing was thrown");
}

const cranes: ArticleDoc = {
  type: "news",
  title: "Cranes",
  author: "Ada",
  source: { format: "markdown", text: "They stay." },
  open_comment: true,
};

const WRITTEN = { title: "T", digest: "D", markdown: "M", coverIdea: "", calls: [] };

describe("an article of a form", () => {
  test("takes its title from the text's own heading", () => {
    expect(buildArticles({ markdown: "intro\n\n# Cranes #\n\ntext" })[0]?.title).toBe("Cranes");
    expect(buildArticles({ html: "<h1>A <b>crane</b></h1>" })[0]?.title).toBe("A crane");
  });

  test("takes from above the text what the form does not say", () => {
    const markdown =
      "---\ntitle: Above\nauthor: Ada\nopen_comment: true\ncover: https://x.example/a.png\n---\ntext";
    const [doc] = buildArticles({ markdown, title: "Said" });
    expect(doc).toEqual({
      type: "news",
      title: "Said",
      author: "Ada",
      open_comment: true,
      cover: { url: "https://x.example/a.png" },
      source: { format: "markdown", text: "text" },
    });
  });

  test("reads an address and a data URL as pictures", () => {
    const images = ["https://x.example/a.png", "data:image/png;base64,AA", { media_id: "m" }];
    const [doc] = buildArticles({ markdown: "# T", type: "newspic", images });
    expect(doc?.images).toEqual([
      { url: "https://x.example/a.png" },
      { data: "data:image/png;base64,AA" },
      { media_id: "m" },
    ]);
  });

  test("is what the model wrote, under what the form says", () => {
    const [doc] = buildArticles({ brief: "b", model: "m", author: "Ada" }, WRITTEN);
    expect(doc).toMatchObject({ title: "T", digest: "D", author: "Ada" });
    expect(doc?.source).toEqual({ format: "markdown", text: "M" });
  });

  test("may be one of several, in either spelling", () => {
    const source = { format: "html", text: "<p>b</p>" };
    const docs = buildArticles({ articles: [{ markdown: "# A" }, { title: "B", source }] });
    expect(docs.map(({ title, source: { format } }) => [title, format])).toEqual([
      ["A", "markdown"],
      ["B", "html"],
    ]);
  });

  test.each([
    [{ markdown: "# T", theme: "none" }, "theme"],
    [{ articles: [{ markdown: "# T" }, { markdown: "# T", theme: "none" }] }, "articles[1].theme"],
    [{ articles: [{ markdown: "# T", cover: 7 }] }, "articles[0].cover"],
    [{ markdown: "# T", title: 7 }, "title"],
    [{ articles: [{ markdown: "# T" }], title: "beside" }, "title"],
    [{ markdown: "---\ntitle: [\n---\ntext" }, "markdown"],
  ])("%j is wrong at its field", (form, param) => {
    const fault = faultOf(() => buildArticles(form));
    expect(fault.fault).toBe("invalid_value");
    expect(fault.param).toBe(param);
  });
});

test("a form brings its article in exactly one way", () => {
  expect(sourceOf({ brief: "b", model: "m" })).toBe("brief");
  expect(faultOf(() => sourceOf({})).fault).toBe("missing_required_parameter");
  expect(faultOf(() => sourceOf({ markdown: "a", html: "b" })).param).toBe("html");
});

test("a brief needs a model, and keeps a title that is given", () => {
  expect(faultOf(() => writingRequestOf({ brief: "b" })).param).toBe("model");
  expect(writingRequestOf({ brief: "b", model: "m", title: "T" })).toMatchObject({ title: "T" });
});

describe("a change", () => {
  const source = { format: "markdown", text: "t" } as const;
  const before = [
    { type: "news", title: "A", author: "Ada", source },
    { type: "news", title: "B", source },
  ] as const;

  test("leaves what it does not name, and takes away what is null", () => {
    const [first, second] = changeArticles(before, { title: "C", author: null });
    expect(first).toEqual({ type: "news", title: "C", source });
    expect(second).toEqual(before[1]);
  });

  test("may be about another article, or replace its text", () => {
    const [first, second] = changeArticles(before, { article: 1, html: "<p>x</p>" });
    expect(first).toEqual(before[0]);
    expect(second).toMatchObject({ title: "B", source: { format: "html", text: "<p>x</p>" } });
    expect(faultOf(() => changeArticles(before, { article: 2, title: "x" })).param).toBe("article");
  });

  test("takes from a new text what creating takes: the settings above it and its heading", () => {
    const markdown =
      "---\nauthor: Bob\ncover: https://x.example/b.png\ntheme: ink\nfans_only_comment: true\n" +
      "source_url: https://x.example/\n---\n# Storks\n\nThey go.\n";
    const [doc] = changeArticles([{ ...cranes, digest: "Kept." }], { markdown });
    expect(doc).toEqual({
      type: "news",
      title: "Storks",
      author: "Bob",
      digest: "Kept.",
      source: { format: "markdown", text: "# Storks\n\nThey go.\n" },
      cover: { url: "https://x.example/b.png" },
      theme: "ink",
      source_url: "https://x.example/",
      open_comment: true,
      fans_only_comment: true,
    });
    expect(changeArticles([cranes], { html: "<h1>A <b>stork</b></h1>" })[0]?.title).toBe("A stork");
  });

  test("keeps the title where a new text has none", () => {
    for (const form of [{ markdown: "They go." }, { html: "<p>They go.</p>" }]) {
      expect(changeArticles([cranes], form)[0]).toMatchObject({ title: "Cranes", author: "Ada" });
    }
  });

  test("is what the form says before it is what a text says, also where that is nothing", () => {
    const markdown = "---\ntitle: Above\nauthor: Bob\ntheme: ink\n---\n# Below\n\ntext";
    const [doc] = changeArticles([cranes], {
      markdown,
      title: "Said",
      author: null,
      theme: "calm",
    });
    expect(doc).toMatchObject({ title: "Said", theme: "calm" });
    expect(doc).not.toHaveProperty("author");
  });

  test("keeps the crops of a cover that is named again, and forgets them with another", () => {
    const crops = { square: { x1: 0, y1: 0, x2: 0.5, y2: 1 } };
    const url = "https://x.example/a.png";
    const articles = [{ ...cranes, cover: { url, crops } }];
    const again = `---\ncover: ${url}\n---\ntext`;
    expect(changeArticles(articles, { markdown: again })[0]?.cover).toEqual({ url, crops });
    expect(changeArticles(articles, { cover: url })[0]?.cover).toEqual({ url, crops });
    expect(changeArticles(articles, { cover: { url } })[0]?.cover).toEqual({ url });
    const other = changeArticles(articles, { cover: "data:image/png;base64,AA==" });
    expect(other[0]?.cover).toEqual({ data: "data:image/png;base64,AA==" });
  });

  test("refuses settings that cannot be read, as creating does", () => {
    const markdown = "---\ntitle: [\n---\ntext";
    const fault = faultOf(() => changeArticles([cranes], { markdown }));
    expect(fault).toMatchObject({ fault: "invalid_value", param: "markdown" });
    expect(fault.message).toBe(faultOf(() => buildArticles({ markdown })).message);
  });
});
