import { describe, expect, test } from "bun:test";
import { htmlLines } from "./html-lines.ts";

const drawn = (html: string) =>
  htmlLines(html).map(({ depth, text }) => `${"  ".repeat(depth)}${text}`);

describe("the lines of HTML", () => {
  test("are the same however it was written", () => {
    const wanted = ['<section id="a">', "  <p>Hello</p>", "  <br>", "</section>"];
    expect(drawn('<section id="a"><p>Hello</p><br></section>')).toEqual(wanted);
    expect(drawn("<SECTION id=a>\n  <p>\n Hello \n</p>\n<br/>")).toEqual(wanted);
  });

  test("keep the line breaks of code, which the platform loses", () => {
    expect(drawn("<pre><code>a\n  b</code></pre>")).toEqual([
      "<pre>",
      "  <code>",
      "    a",
      "    b",
      "  </code>",
      "</pre>",
    ]);
    expect(drawn("<pre><code>ab</code></pre>")).toEqual(["<pre>", "  <code>ab</code>", "</pre>"]);
  });

  test("show what nobody sees on a page", () => {
    expect(drawn("<script>alert(1)</script><!-- note -->")).toEqual([
      "<script>alert(1)</script>",
      "<!-- note -->",
    ]);
    expect(drawn("<p>a&nbsp;b</p>")).toEqual(["<p>a&nbsp;b</p>"]);
    expect(drawn("<i hidden title='\"'></i>")).toEqual(['<i hidden title="&quot;"></i>']);
  });

  test("are those of the text where nothing can be made of it", () => {
    const deep = `${"<div>".repeat(500)}\nend`;
    expect(htmlLines(deep).at(-1)).toEqual({ depth: 0, text: "end" });
  });
});
