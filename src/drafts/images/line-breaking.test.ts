import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { breakLines, drawable } from "./line-breaking.ts";

/** Chinese is two wide and everything else one. */
function width(text: string): number {
  return [...text].reduce((sum, mark) => sum + ((mark.codePointAt(0) ?? 0) > 0x2000 ? 2 : 1), 0);
}

const lines = (text: string, widthMax: number) => breakLines(text, widthMax, width).lines;

describe("lines", () => {
  test("divide Chinese between words", () => {
    expect(lines("人工智能如何改变我们的生活方式", 12)).toEqual([
      "人工智能如何",
      "改变我们的",
      "生活方式",
    ]);
    expect(breakLines("生活", 2, width).cuts).toBe(1);
  });

  test("never begin with a mark that belongs to the line before", () => {
    for (let widthMax = 14; widthMax < 40; widthMax += 1) {
      for (const line of lines(
        "读书，写字、喝茶。你好？《红楼梦》（上）：“走吧！”他说……",
        widthMax,
      )) {
        expect(line).not.toMatch(/^[，。、；：？！）》”…]/u);
        expect(line).not.toMatch(/[（《“]$/u);
      }
    }
  });

  test("keep words of other writings whole while they fit", () => {
    expect(lines("用 Node.js 和 GPT-4o 写网关", 10)).toEqual(["用 Node.js", "和 GPT-4o", "写网关"]);
    expect(lines("internationalization", 8)).toEqual(["internat", "ionaliza", "tion"]);
  });

  test("are about equally long", () => {
    const found = lines("春眠不觉晓处处闻啼鸟夜来风雨声花落知多少", 30).map(width);
    expect(Math.max(...found) - Math.min(...found)).toBeLessThanOrEqual(4);
  });

  test("hold all of any text, none wider than allowed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const clean = drawable(text);
        const found = lines(clean, 24);
        expect(found.join("").replace(/\s/gu, "")).toBe(clean.replace(/\s/gu, ""));
      }),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."中文字abc ，。"), { maxLength: 60 }), (marks) => {
        for (const line of lines(drawable(marks.join("")), 12)) {
          const overhang = /^.[，。]*$/u.test(line) || /[，。]{2}/u.test(line);
          expect(width(line) <= 12 || overhang).toBe(true);
        }
      }),
    );
  });
});

describe("what can be drawn", () => {
  test.each([
    ["发布 🚀 了", "发布 了"],
    ["👨‍👩‍👧‍👦家庭", "家庭"],
    ["🇨🇳国庆", "国庆"],
    ["第1️⃣名", "第1名"],
    ["©2026 #话题", "©2026 #话题"],
    ["一\n二\t三\u0000四", "一 二 三 四"],
    ["🎉🎉", ""],
  ])("of %p is %p", (text, wanted) => {
    expect(drawable(text)).toBe(wanted);
  });
});
