import { describe, expect, test } from "bun:test";
import { foldLines } from "./line-fold.ts";

/** `-` drops, `+` adds, any other letter stays. */
function drawn(letters: string): string {
  const kinds = { "-": "dropped", "+": "added" } as const;
  const lines = [...letters].map((text) => ({
    kind: kinds[text as "-"] ?? ("same" as const),
    depth: 0,
    text,
  }));
  return foldLines(lines)
    .map((one) => ("folded" in one ? `(${one.folded})` : one.line.text))
    .join("");
}

describe("folding lines", () => {
  test("keeps two lines around every change", () => {
    expect(drawn("abcdef-ghijkl")).toBe("(4)ef-gh(4)");
    expect(drawn("-abcdefgh+")).toBe("-ab(4)gh+");
  });

  test("folds nothing that is as short as the fold", () => {
    expect(drawn("-abcdef-")).toBe("-abcdef-");
    expect(drawn("ab-cd")).toBe("ab-cd");
  });

  test("folds everything where nothing has changed", () => {
    expect(drawn("abcd")).toBe("(4)");
    expect(drawn("")).toBe("");
  });

  test("gives every piece a key of its own", () => {
    const same = { kind: "same", depth: 0, text: "a" } as const;
    const lines = [same, same, same, same, { ...same, kind: "added" as const }, same];
    const keys = foldLines(lines).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
