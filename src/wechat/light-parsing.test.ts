import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { defaultTreeAdapter, parseFragment, serialize } from "parse5";
import { count } from "../../test/support/counts.ts";
import { lightened, parseLightly } from "./light-parsing.ts";

const DATA = `data:image/png;base64,${"aB3/+=_b".repeat(200)}`;
const OTHER = `data:image/gif;base64,${"R0lGOD/".repeat(300)}==`;
const DASHED = `data:image/gif;base64,${"R0lGOD-".repeat(300)}`;

const parsed = (html: string) => serialize(parseLightly(html, () => defaultTreeAdapter));
const plain = (html: string) => serialize(parseFragment(html));

describe("HTML with pictures in it", () => {
  test("is read without their letters", () => {
    const html = `<p>a<img src="${DATA}"><img src='${OTHER}'></p>`;
    const light = lightened(html);
    expect(light.html.length).toBeLessThan(200);
    expect(light.values.map((value) => value.length)).toEqual([1_600, 2_102]);
    expect(lightened(`<img src="data:image/png;base64,AAAA">`).values).toEqual([]);
  });

  test.each([
    ["a value in quotes", `<p>a<img src="${DATA}" alt='${OTHER}'>b</p>`],
    ["a value without quotes", `<img src=${DATA}>`],
    ["a text", `<p>${DATA} ${OTHER}</p>`],
    ["a text that is moved out of a table", `<table>${DATA}<tr><td>${OTHER}</table>`],
    ["a comment", `<!-- ${DATA} --><p>x</p>`],
    ["a comment that ends with it", `<!--${DASHED}-->x<!--${DATA}--><p>x</p>`],
    ["a script", `<script>"${DATA}"</script><textarea>${OTHER}</textarea>`],
    ["a template and a drawing", `<template><img src="${DATA}"></template><svg><a b="${OTHER}">`],
    ["a format that is opened again", `<b title="${DATA}"><p>x</b>y<p>z`],
    ["the name of an element", `<p"src="${DATA}">x</p>`],
    ["the name of an attribute", `<p ${DATA}>x</p>`],
    ["an end tag, which has no attributes", `<p>x</p title="${DATA}">`],
    ["an attribute that is there twice", `<img src="${DATA}" src="${OTHER}">`],
    ["what a list of choices drops", `<select><img src="${DATA}"><option>${OTHER}</select>`],
    ["a text that looks like marks", `<p>kept0end &#107;ept0end</p><img src="${DATA}">`],
    ["a tag that never ends", `<img src="${DATA}`],
  ])("comes out as if every letter had been read: %s", (_where, html) => {
    expect(parsed(html)).toBe(plain(html));
  });

  test("has marks that nobody can write beforehand", () => {
    const html = `<img src="${DATA}">`;
    const [one, two] = [lightened(html), lightened(html)];
    expect(one.html).toContain(one.mark);
    expect(one.mark.length).toBeGreaterThan(32);
    expect(one.mark).not.toBe(two.mark);
  });

  test("comes out so whatever stands around them", () => {
    const piece = fc.constantFrom(
      ...["<", ">", '"', "'", "=", "/", " ", "&", ";", "<!--", "-->", "</", "<p ", "<b>", "</b>"],
      ...[
        "<table>",
        "<td>",
        "<svg>",
        "<select>",
        "<script>",
        "</script>",
        "src=",
        "a",
        DATA,
        OTHER,
        DASHED,
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const html = pieces.join("");
        expect(parsed(html)).toBe(plain(html));
      }),
      { numRuns: count(300, 20_000) },
    );
  });
});
