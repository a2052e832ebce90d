import { describe, expect, test } from "bun:test";
import { count } from "../../test/support/counts.ts";
import { processorMs } from "../../test/support/load/processor-time.ts";
import { filterContent } from "./content-filter.ts";

const CHARS = count(300_000, 1_000_000);

describe("HTML that was written to be slow", () => {
  test.each([
    ["what stands in a table and must not", `<table>${"<b></b>".repeat(CHARS * 0.099)}`],
    ["text in a table", `<table>${"<tr>a".repeat(CHARS * 0.015)}`],
    ["addresses in a style", `<p style="a:${"url(".repeat(CHARS / 4)})">x</p>`],
    ["attributes", `<p ${Array.from({ length: CHARS / 8 }, (_, at) => `a${at}`).join(" ")}>x</p>`],
    ["tags that are none", "<a".repeat(CHARS / 2)],
    ["quotes that are not closed", `<p a="${'b="'.repeat(CHARS / 3)}`],
  ])("costs no more than an ordinary one many times over: %s", async (_, html) => {
    const costOf = (text: string) =>
      processorMs(() => filterContent(text, { isOwnImage: () => true }));
    const ordinary = '<p style="color:red">some <b>words</b> and more of them</p>'.repeat(
      CHARS * 0.015,
    );
    await costOf("<p>warm</p>");
    const bearable = 20 * (await costOf(ordinary));
    expect(await costOf(html)).toBeLessThan(bearable);
  });
});
