import { describe, expect, test } from "bun:test";
import { codePoints, firstCodePoints, visibleText, widthUnits } from "./measure.ts";

describe("measures", () => {
  test("a character outside the basic plane is one", () => {
    expect(codePoints("a字😀")).toBe(3);
    expect(codePoints("")).toBe(0);
  });

  test("a width unit is half of a Chinese character", () => {
    expect(widthUnits("ab字😀")).toBe(6);
    expect(widthUnits("\\u4f5c")).toBe(6);
  });

  test("a text is cut between characters", () => {
    expect(firstCodePoints("😀😀😀", 2)).toBe("😀😀");
    expect(firstCodePoints("ab", 5)).toBe("ab");
  });

  test("only what is seen is text", () => {
    const html =
      "<style>p{}</style><script>1</script><p title='x'>a &amp;\n  <b>b</b></p>\n<p>&nbsp;c</p><!-- d -->";
    expect(visibleText(html)).toBe("a & b \u00a0c");
    expect(visibleText("  <p> </p> ")).toBe("");
  });
});
