import { describe, expect, test } from "bun:test";
import { textForPattern } from "./pattern-text.ts";

describe("a text for a pattern", () => {
  const patterns = [
    "^[A-Z]{3}-\\d{4}$",
    "^(foo|bar)+$",
    "^[^a]+$",
    "^\\w+@\\w+\\.(com|org)$",
    "^#[0-9a-f]{6}$",
    "^(?:\\+\\d{1,3} )?\\d{3,}$",
    "^(?<year>\\d{4})[-/](0[1-9]|1[0-2])$",
    "^[\\w.-]{5,10}$",
    "^x*y?z{2}$",
  ];
  for (const pattern of patterns) {
    test(`matches ${pattern}`, () => {
      expect(textForPattern(pattern, 0)).toMatch(new RegExp(pattern));
    });
  }

  test("grows to the length asked for", () => {
    const text = textForPattern("^[a-z]+$", 12);
    expect(text).toMatch(/^[a-z]{12}$/);
  });

  test("is given up when the pattern looks around, names a group again or is broken", () => {
    expect(textForPattern("^(?=a)a$", 0)).toBeNull();
    expect(textForPattern("(a)\\1", 0)).toBeNull();
    expect(textForPattern("(a", 0)).toBeNull();
    expect(textForPattern("[a", 0)).toBeNull();
    expect(textForPattern("*", 0)).toBeNull();
  });

  test("is given up when it would be enormous", () => {
    expect(textForPattern("((a{999}){999}){999}", 0)).toBeNull();
    expect(textForPattern("(".repeat(200), 0)).toBeNull();
  });
});
