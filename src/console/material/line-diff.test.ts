import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines, type Line } from "./line-diff.ts";

const lines = (text: string): Line[] => [...text].map((letter) => ({ depth: 0, text: letter }));

/** `-` before what was dropped, `+` before what was added. */
function words(one: string, two: string): string {
  const signs = { same: "", dropped: "-", added: "+" };
  return diffLines(lines(one), lines(two))
    .map(({ kind, text }) => signs[kind] + text)
    .join("");
}

/** The length of the longest text that is left of both when letters are struck out. */
function commonLength(one: string, two: string): number {
  let row = new Array<number>(two.length + 1).fill(0);
  for (const letter of one) {
    const next = [0];
    for (let i = 0; i < two.length; i++) {
      const longer = Math.max(row[i + 1] ?? 0, next[i] ?? 0);
      next.push(letter === two[i] ? (row[i] ?? 0) + 1 : longer);
    }
    row = next;
  }
  return row[two.length] ?? 0;
}

describe("the difference of two texts", () => {
  test("tells what is gone and what is new, where it stood", () => {
    expect(words("abc", "abc")).toBe("abc");
    expect(words("axbyc", "abc")).toBe("a-xb-yc");
    expect(words("abc", "aXbc")).toBe("a+Xbc");
    expect(words("", "ab")).toBe("+a+b");
    expect(words("ab", "")).toBe("-a-b");
    expect(words("aa", "aaa")).toBe("aa+a");
  });

  test("leads from one to the other, with as few changes as there can be", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 14 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const changes = diffLines(lines(one), lines(two));
        const left = (kind: string) =>
          changes.filter((line) => line.kind !== kind).map((line) => line.text);
        expect(left("added").join("")).toBe(one);
        expect(left("dropped").join("")).toBe(two);
        const same = changes.filter(({ kind }) => kind === "same");
        expect(same).toHaveLength(commonLength(one, two));
      }),
    );
  });

  test("shows a line as deep as it stands in the second text", () => {
    const changes = diffLines([{ depth: 3, text: "a" }], [{ depth: 1, text: "a" }]);
    expect(changes).toEqual([{ kind: "same", depth: 1, text: "a" }]);
  });

  test("gives up on texts that have nothing in common, and still shows both whole", () => {
    const many = (word: string) =>
      Array.from({ length: 3000 }, (_, i) => ({ depth: 0, text: `${word} ${i}` }));
    const changes = diffLines(many("old"), many("new"));
    expect(changes).toHaveLength(6000);
    expect(changes[0]).toEqual({ kind: "dropped", depth: 0, text: "old 0" });
    expect(changes.at(-1)).toEqual({ kind: "added", depth: 0, text: "new 2999" });
  });
});
