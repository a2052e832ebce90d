import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from "parse5";
import { count } from "../../../test/support/counts.ts";
import { Notes } from "./markdown/notes.ts";
import { readHtml, sanitizeArticle } from "./sanitize.ts";

type Parsed = DefaultTreeAdapterTypes.ChildNode;

/** Everything in written HTML that could run, load or restyle. */
function dangers(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Parsed) => {
    if (node.nodeName === "#comment") found.push("a comment");
    if (!("tagName" in node)) return;
    if (/^(?:script|style|iframe|object|embed|link|meta|base|form|template)$/i.test(node.tagName)) {
      found.push(node.tagName);
    }
    for (const { name, value } of node.attrs) {
      if (/^on|^class$|^id$|^srcdoc$|^formaction$|href$/i.test(name) && name !== "href")
        found.push(name);
      const plain = value.replace(/[\s\p{Cc}]/gu, "").toLowerCase();
      if (/^(?:href|src)$/.test(name) && /^(?:javascript|vbscript|file|blob):/.test(plain)) {
        found.push(`${name}=${value}`);
      }
      if (/^data:/.test(plain) && !plain.startsWith("data:image/")) found.push(value);
      if (name === "style" && /expression|url\(|javascript|position|\\/.test(plain))
        found.push(value);
    }
    node.childNodes.forEach(visit);
  };
  parseFragment(html).childNodes.forEach(visit);
  return found;
}

describe("hostile HTML", () => {
  test.each([
    ["<script>alert(1)</script>a", "a"],
    ["<SCRIPT SRC=//x.example/a.js></SCRIPT>a", "a"],
    ["<p onclick=alert(1)>a</p>", "<p>a</p>"],
    ["<a href='java\tscript:alert(1)'>a</a>", "a"],
    ["<a href='&#106;avascript:alert(1)'>a</a>", "a"],
    ["<a href=' \u0001javascript:alert(1)'>a</a>", "a"],
    ["<a href='data:text/html,<script>'>a</a>", "a"],
    ["<img src=x onerror=alert(1)>", '<img src="x">'],
    ["<img src='data:text/html,x'>", ""],
    ["<img src='javascript:alert(1)'>", ""],
    ["<iframe src=https://x.example></iframe>a", "a"],
    ["<style>p{color:red}</style><p class=a id=b>a</p>", "<p>a</p>"],
    [
      "<svg onload=alert(1)><script>1</script><path d='M0 0'/></svg>",
      '<svg><path d="M0 0"></path></svg>',
    ],
    ["<svg><a href='javascript:1'><text>a</text></a></svg>", "<svg></svg>"],
    ["<svg><foreignObject><p>a</p></foreignObject></svg>", "<svg></svg>"],
    ["<svg><animate attributeName=href to=javascript:1 /></svg>", "<svg></svg>"],
    ["<svg><use href='https://x.example/#a'/></svg>", "<svg></svg>"],
    ["<math><mtext><table><mglyph><style><img src=x onerror=1></style></table></math>a", "a"],
    ["<noscript><p title='</noscript><img src=x onerror=1>'></noscript>a", `<img src="x">'&gt;a`],
    ["<template><script>1</script></template>a", "a"],
    ["<form action=https://x.example><button formaction=javascript:1>a</button></form>", "a"],
    ["<!-- --!><script>1</script> -->a", "--&gt;a"],
    ["<p style='position:fixed;color:red'>a</p>", '<p style="color:red">a</p>'],
  ])("%p is harmless", (hostile, harmless) => {
    const clean = sanitizeArticle(hostile);
    expect(clean.trim()).toBe(harmless);
    expect(dangers(clean)).toEqual([]);
  });

  const names =
    "script style svg math p a img table td tr b i form select option noscript template title textarea iframe xmp plaintext foreignObject annotation-xml mtext mglyph desc section li ul h1 pre br input button frameset body html center font";
  const piece = fc.oneof(
    fc.constantFrom(...names.split(" ")).map((name) => `<${name}>`),
    fc.constantFrom(...names.split(" ")).map((name) => `</${name}>`),
    fc.constantFrom(
      "<img src=x onerror=alert(1)>",
      "<a href=javascript:alert(1)>",
      "<a href='https://a.example/?a=1&b=2'>",
      "<p style='color:red;background:url(javascript:1)' onclick=x>",
      "<svg onload=1><path d='M0 0' onclick=1>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "&lt;script&gt;",
      "\u0000",
      "<div align=center class=x id=y>",
      "<code class='language-js'>",
      "\n",
      "<",
      "\"'>",
    ),
    fc.string({ maxLength: 8 }),
  );

  test("never yields anything that runs, and reads back as itself, whatever it is made of", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const clean = sanitizeArticle(pieces.join(""));
        expect(dangers(clean)).toEqual([]);
        expect(sanitizeArticle(clean)).toBe(clean);
        expect(sanitizeArticle(serialize(parseFragment(clean)))).toBe(clean);
      }),
      { numRuns: count(60, 300) },
    );
  });

  test("may be as deep as it likes", () => {
    const deep = `${"<div>".repeat(20_000)}words<script>1</script>`;
    expect(sanitizeArticle(deep)).toContain("words");
    expect(dangers(sanitizeArticle(deep))).toEqual([]);
  });
});

describe("an article's HTML", () => {
  test("keeps its meaning in the elements that the platform keeps", () => {
    expect(sanitizeArticle("<div><b>a</b><i>b</i><del>c</del><kbd>d</kbd></div>")).toBe(
      "<section><strong>a</strong><em>b</em><s>c</s><code>d</code></section>",
    );
    expect(sanitizeArticle("<center><font color=red>a</font></center>")).toBe(
      '<section style="text-align:center"><span style="color:red">a</span></section>',
    );
  });

  test("keeps addresses of pictures, those of a stored draft and those that are pictures", () => {
    expect(sanitizeArticle("<img data-src='https://a.example/x.png' alt=a>")).toBe(
      '<img src="https://a.example/x.png" alt="a">',
    );
    const data = "data:image/png;base64,iVBORw0KGgo=";
    expect(sanitizeArticle(`<img src="${data}">`)).toBe(`<img src="${data}">`);
    expect(sanitizeArticle("<img src='//a.example/x.png'>")).toBe(
      '<img src="https://a.example/x.png">',
    );
    expect(sanitizeArticle("<img src='pictures/a.png'>")).toBe('<img src="pictures/a.png">');
  });

  test("keeps the card of another account", () => {
    const card = '<mp-common-profile data-id="MzI=" data-nickname="甲"></mp-common-profile>';
    expect(sanitizeArticle(card.replace(" data-id", " onclick=1 data-id"))).toBe(card);
  });

  test("tells what was left out", () => {
    const notes = new Notes();
    readHtml(
      "<script>1</script><style>a{}</style><style>b{}</style><iframe></iframe><a href=javascript:1>x</a><p style='color:var(--a);position:fixed' onclick=1 class=a>",
      notes,
    );
    expect(notes.list()).toEqual([
      { code: "script_removed", count: 1, names: ["<script>"] },
      { code: "style_sheet_removed", count: 2, names: ["<style>"] },
      { code: "element_removed", count: 1, names: ["<iframe>"] },
      { code: "unsafe_address_removed", count: 1, names: ["javascript:"] },
      { code: "style_removed", count: 2, names: ["color", "position"] },
      { code: "attribute_removed", count: 1, names: ["onclick"] },
    ]);
  });
});
