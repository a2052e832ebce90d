import { describe, expect, test } from "bun:test";
import { processorMs } from "../../../test/support/load/processor-time.ts";
import { htmlHeading, markdownHeading, withoutTags } from "./first-heading.ts";

describe("the first heading", () => {
  test.each([
    ["# Title", "Title"],
    ["words\n\n   #  Title ##  \nmore", "Title"],
    ["# C#", "C#"],
    ["# a # b #", "a # b"],
    ["#no\n    # code\n# yes\r\nmore", "yes"],
    ["#   \n# Second", "Second"],
    ["# #", "#"],
    ["## no", ""],
    ["", ""],
  ])("of markdown: %j", (markdown, heading) => {
    expect(markdownHeading(markdown)).toBe(heading);
  });

  test.each([
    ["<p>x</p><H1 class='a'>A <b>b</b></H1><h1>c</h1>", "A <b>b</b>"],
    ["<h1>\nx\n</h1>", "\nx\n"],
    ["<h1>never closed", undefined],
    ["<h1", undefined],
    ["<h10>x</h10>", undefined],
  ])("of HTML: %j", (html, heading) => {
    expect(htmlHeading(html)).toBe(heading);
  });

  test("has words without its tags", () => {
    expect(withoutTags("A <b>b</b> <c")).toBe("A b <c");
    expect(withoutTags("1 < 2")).toBe("1 < 2");
  });
});

describe("a heading that was written to be slow", () => {
  const CHARS = 400_000;
  const costOf = (text: string) =>
    processorMs(async () => {
      markdownHeading(text);
      withoutTags(htmlHeading(text) ?? text);
    });

  test.each([
    ["<h1>", "<h1>".repeat(CHARS / 4)],
    ["spaces", `# x${" ".repeat(CHARS)}y`],
    ["hashes", `# x ${"# ".repeat(CHARS / 2)}y`],
    ["openings", "<".repeat(CHARS)],
    ["empty headings", "# \n".repeat(CHARS / 3)],
  ])("costs no more than its length in words many times over: %s", async (_, text) => {
    const bearable = 100 * ((await costOf("ab ".repeat(CHARS / 3))) + 1);
    // A cost that grows with the square of the length would be thousands of times as high.
    expect(await costOf(text)).toBeLessThan(bearable);
  });
});
