import { expect, test } from "bun:test";
import type { PlatformArticle } from "../../wechat/article.ts";
import { readDifferently } from "./read-differently.ts";

const article = (content: string, more: Partial<PlatformArticle> = {}): PlatformArticle => ({
  title: "t",
  content,
  ...more,
});
const compare = (sent: string, kept: string) => readDifferently([article(sent)], [article(kept)]);

test("another way of writing the same is no difference", () => {
  const sent = '<section><p>a "b" &amp; c</p><img src="https://x.example/1"></section>';
  const kept =
    '<section><p><span leaf="">a &quot;b&quot; &amp;&nbsp;c</span></p>\n<img data-src="https://x.example/1"></section>';
  expect(compare(sent, kept)).toEqual([]);
});

test("lost words are told by where the texts part, lost pictures by their number", () => {
  const same = "s".repeat(5_000);
  expect(compare(`<p>${same}lost</p>`, `<p>${same}</p>`)).toEqual([
    {
      article: 0,
      field: "content",
      submitted: `…${"s".repeat(20)}lost`,
      stored: `…${"s".repeat(20)}`,
    },
  ]);
  expect(compare("<p>a<img><img></p>", "<p>a<img></p>")).toMatchObject([
    { field: "content", submitted: "2 <img>", stored: "1 <img>" },
  ]);
});

test("other fields are told in short", () => {
  const found = readDifferently([article("a")], [article("a", { author: "x".repeat(500) })]);
  expect(found).toEqual([
    { article: 0, field: "author", submitted: "", stored: `${"x".repeat(80)}…` },
  ]);
});
