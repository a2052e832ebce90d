import { describe, expect, test } from "bun:test";
import { isBlank, productKeysIn, showsPicture } from "./seen.ts";

describe("what a reader sees", () => {
  test.each([
    "",
    " \n\t",
    "\u00a0\u3000",
    "\u200b\u200d\u2060\ufeff",
    "\u00ad\u202a",
    "\u3164\u2800",
  ])("nothing of %j", (text) => expect(isBlank(text)).toBe(true));

  test.each(["a", "\u200b.", "😀", "é", "\u0301x"])("something of %j", (text) => {
    expect(isBlank(text)).toBe(false);
  });

  test.each([
    ["<p></p>", false],
    ["<img>", false],
    ['<img alt="words">', false],
    ['<p><b><img data-src="x"></b></p>', true],
    ["<section style='background:URL(x)'></section>", true],
    ["<mpvoice></mpvoice>", true],
    ["<svg></svg>", true],
  ])("a picture in %s: %p", (html, isShown) => expect(showsPicture(html)).toBe(isShown));

  test("finds every product card, also one without a key", () => {
    const card = '<mp-common-product data-product-key="K1"></mp-common-product>';
    expect(productKeysIn(`<p>${card}</p><MP-COMMON-PRODUCT></MP-COMMON-PRODUCT>`)).toEqual([
      "K1",
      "",
    ]);
    expect(productKeysIn('<section data-product-key="K2">x</section>')).toEqual(["K2"]);
    expect(productKeysIn("<p>a product</p>")).toEqual([]);
  });
});
