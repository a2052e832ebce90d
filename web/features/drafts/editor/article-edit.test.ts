import { describe, expect, test } from "bun:test";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Problem } from "../../../../src/drafts/contract/preview.ts";
import {
  canFix,
  changeArticle,
  changeType,
  EMPTY_ARTICLE,
  fixArticle,
  moveAt,
} from "./article-edit.ts";

const ARTICLE: ArticleDoc = {
  ...EMPTY_ARTICLE,
  title: "One",
  digest: "Two",
  source: { format: "markdown", text: "# One\n\nText" },
};

function problem(field: string, fix: Problem["fix"]): Problem {
  const facts = { severity: "error", code: "x", article: 0, message: "" } as const;
  return { ...facts, field, ...(fix && { fix }) };
}

describe("changing an article", () => {
  test("takes a member away that is set to nothing", () => {
    expect(changeArticle(ARTICLE, { digest: undefined })).not.toHaveProperty("digest");
  });

  test("gives an image message a place for its pictures, and keeps the cover for the way back", () => {
    const cover = { card: true } as const;
    const pictures = changeType({ ...ARTICLE, cover }, "newspic");
    expect(pictures).toMatchObject({ type: "newspic", images: [], cover });
  });

  test("does nothing when the first is moved to the front", () => {
    expect(moveAt(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moveAt(["a", "b"], 0, 1)).toEqual(["b", "a"]);
  });
});

describe("a fix with one click", () => {
  test("writes the text that the preflight offers into its field", () => {
    const fixed = fixArticle(ARTICLE, problem("title", { kind: "trim", value: "Better" }));
    expect(fixed.title).toBe("Better");
  });

  test("clears, centres and takes out headings", () => {
    expect(fixArticle(ARTICLE, problem("digest", { kind: "clear" }))).not.toHaveProperty("digest");
    const heading = fixArticle(ARTICLE, problem("source.text", { kind: "remove_heading" }));
    expect(heading.source.text).toBe("Text");
    const box = { x1: 0, y1: 0, x2: 1, y2: 1 };
    const cover = { url: "https://example.com/a.jpg", crops: { wide: box, square: box } };
    const centred = fixArticle(
      { ...ARTICLE, cover },
      problem("cover.crops.wide", { kind: "centre_crop" }),
    );
    expect(centred.cover).toEqual({ url: cover.url, crops: { square: box } });
  });

  test("applies the settings above a text, and leaves what they do not name", () => {
    const text = "---\nauthor: Ada\ncover: https://example.com/a.jpg\n---\n# One\n\nText\n\n---\n";
    const url = "https://example.com/a.jpg";
    const crops = { wide: { x1: 0, y1: 0, x2: 1, y2: 1 } };
    const before: ArticleDoc = { ...ARTICLE, source: { format: "markdown", text } };
    const fix = { kind: "apply_settings" as const, members: { author: "Ada", cover: { url } } };
    expect(canFix(problem("source.text", fix))).toBe(true);
    const after = fixArticle(before, problem("source.text", fix));
    expect(after).toMatchObject({ title: "One", digest: "Two", author: "Ada", cover: { url } });
    expect(after.source.text).toBe("# One\n\nText\n\n---\n");
    const cropped = fixArticle({ ...before, cover: { url, crops } }, problem("source.text", fix));
    expect(cropped.cover).toEqual({ url, crops });
  });

  test("is only offered where it does something", () => {
    expect(canFix(problem("title", { kind: "shorten" }))).toBe(false);
    expect(canFix(problem("source.text", { kind: "footnote_links" }))).toBe(false);
    expect(canFix(problem("digest", { kind: "clear" }))).toBe(true);
  });
});
