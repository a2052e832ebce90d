import { describe, expect, test } from "bun:test";
import { readFrontMatter } from "./front-matter.ts";

describe("settings above an article", () => {
  test("are read, with the article below them", () => {
    const text = [
      "---",
      "title: 标题",
      "author: 2026",
      "description: 摘要",
      "cover: ./cover.png",
      "source_url: https://a.example/x",
      "theme: ink",
      "type: image",
      "image_list:",
      "  - a.png",
      "  - https://a.example/b.png",
      "need_open_comment: 1",
      "only_fans_can_comment: false",
      "tags: [a, b]",
      "---",
      "# Text",
    ].join("\n");
    expect(readFrontMatter(text)).toEqual({
      fields: {
        title: "标题",
        author: "2026",
        digest: "摘要",
        cover: "./cover.png",
        source_url: "https://a.example/x",
        theme: "ink",
        type: "newspic",
        image_list: ["a.png", "https://a.example/b.png"],
        need_open_comment: true,
        only_fans_can_comment: false,
      },
      body: "# Text",
    });
  });

  test("may be missing", () => {
    expect(readFrontMatter("# a\n\n---\n\nb")).toEqual({ fields: {}, body: "# a\n\n---\n\nb" });
    expect(readFrontMatter("\uFEFFa")).toEqual({ fields: {}, body: "a" });
  });

  test("are not two rules around a paragraph", () => {
    const text = "---\njust a sentence\n---\nmore";
    expect(readFrontMatter(text)).toEqual({ fields: {}, body: text });
  });

  test("may be empty, and may have the line ends of Windows", () => {
    expect(readFrontMatter("---\n---\na")).toEqual({ fields: {}, body: "a" });
    const { fields, body } = readFrontMatter("---\r\ntitle: a\r\n---\r\nb");
    expect(fields).toEqual({ title: "a" });
    expect(body).toBe("b");
  });

  test("that cannot be read are told, and the article is read all the same", () => {
    const { fields, body, problem } = readFrontMatter("---\ntitle: [a\n---\nb");
    expect(fields).toEqual({});
    expect(body).toBe("b");
    expect(problem).toBeString();
  });

  test("of another kind are left out", () => {
    expect(
      readFrontMatter("---\ntitle: {a: 1}\nneed_open_comment: maybe\ntype: x\n---\n").fields,
    ).toEqual({});
  });
});

test("settings that stand for others by the million are not read", () => {
  const lines = Array.from({ length: 20 }, (_, at) =>
    at === 0 ? "a0: &a0 [x]" : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
  );
  const read = readFrontMatter(`---\n${lines.join("\n")}\n---\nbody`);
  expect(read).toEqual({ fields: {}, body: "body", problem: expect.stringContaining("aliases") });
});
