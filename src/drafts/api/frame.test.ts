import { expect, test } from "bun:test";
import { framePage } from "./frame.ts";

const ARTICLE = { title: "A <b> & c", author: '"Ada"', html: "<p>text</p>" };

test("a framed article runs nothing, reaches only pictures, and only we frame it", async () => {
  const page = framePage(ARTICLE, undefined);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toMatch(/(?:^|; )sandbox$/);
  expect(policy).not.toContain("script-src");
  expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  const text = await page.text();
  expect(text).toContain("<h1>A &lt;b&gt; &amp; c</h1>");
  expect(text).toContain("&#34;Ada&#34;");
  expect(text).toContain("<p>text</p>");
});

test("an image message shows its pictures, and its text as text", async () => {
  const page = framePage({ ...ARTICLE, html: "<i>plain</i>" }, ['https://x.example/"a.png']);
  const text = await page.text();
  expect(text).toContain('<img src="https://x.example/&#34;a.png" alt="">');
  expect(text).toContain("&lt;i&gt;plain&lt;/i&gt;");
});

test("there is a target for every percent of the page", async () => {
  const text = await framePage(ARTICLE, undefined).text();
  expect(text).toContain('id="at-0"');
  expect(text).toContain('id="at-100" style="top:100%"');
});
