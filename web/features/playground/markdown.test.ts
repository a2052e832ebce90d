import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { loadCatalogue, SpeechProvider } from "../../i18n/language.tsx";
import { Markdown } from "./markdown.tsx";

const initial = { language: "en", catalogue: await loadCatalogue("en") } as const;

function draw(text: string): string {
  const props = { initial, children: createElement(Markdown, { text }) };
  return renderToStaticMarkup(createElement(SpeechProvider, props));
}

test("an answer is drawn as it was meant", () => {
  const html = draw(
    "# Title\n\nSome **bold** and `code`.\nNext line\n\n3. three\n4. four\n\n- [x] done\n\n" +
      "| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nlet a = 1 < 2;\n```\n",
  );
  for (const part of [
    "<strong",
    "<br/>",
    '<ol start="3"',
    "<li>",
    "☑",
    "<td",
    "let a = 1 &lt; 2;",
  ]) {
    expect(html).toContain(part);
  }
  // The outline of the page stays the page's own.
  expect(html).not.toMatch(/<h[1-6]/);
});

test("nothing that an answer says runs, leads astray or is fetched", () => {
  const html = draw(
    "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1)) " +
      "[b](data:text/html,x) [c](//evil.example) ![d](https://evil.example/?q=said)\n\n" +
      "[ok](https://good.example)",
  );
  expect(html).not.toMatch(/<script|<img|href="(?:javascript|data|\/\/)/);
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain('href="https://good.example"');
  expect(html).toContain('rel="noopener noreferrer nofollow"');
});

test("half an answer is drawn as far as it has come", () => {
  const text = "Look:\n\n```py\nprint(**1**)\n```\n\n| a |\n| - |\n| [x](https://y) |";
  for (let end = 0; end <= text.length; end++) expect(() => draw(text.slice(0, end))).not.toThrow();
});
