import { expect, test } from "bun:test";
import { sampleArticle } from "./sample-article.ts";

const TEXT = { type: "string" };
const SCHEMA = { type: "object", properties: { title: TEXT, digest: TEXT, markdown: TEXT } };

function article(message: string) {
  return sampleArticle(SCHEMA, message) as { title: string; digest: string; markdown: string };
}

test("a brief becomes an article of the usual parts, within the limits of one", () => {
  const { title, digest, markdown } = article(
    "Write an article about the harbour of Rotterdam in winter, and its cranes. Be brief.",
  );
  expect(title).toBe("The harbour of Rotterdam");
  expect([...digest].length).toBeLessThanOrEqual(120);
  for (const part of [/^## /m, /^> /m, /^1\. /m, /^\| /m, /^```sh/m])
    expect(markdown).toMatch(part);
});

test("a Chinese brief is answered in Chinese", () => {
  const { title, markdown } = article("写一篇关于江南春天的花的公众号文章。");
  expect(title).toBe("江南春天的花");
  expect(markdown).toContain("## 为什么值得写");
});

test("a title that is asked for is used, however long", () => {
  const long = "x".repeat(40);
  expect(article(`Write about spring. The title is "${long}"`).title).toBe(long);
});

test("another schema is not an article", () => {
  const other = { properties: { title: TEXT, body: TEXT } };
  expect(sampleArticle(other, "Write about spring")).toBeUndefined();
});
