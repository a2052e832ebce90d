import { describe, expect, test } from "bun:test";
import type { ReasoningItem } from "./canon.ts";
import { shownThought, ThoughtTelling } from "./shown-thoughts.ts";

const thought = (summary: readonly string[], text?: string): ReasoningItem => ({
  type: "reasoning",
  summary,
  ...(text === undefined ? {} : { text }),
});

test.each([
  [thought([]), ""],
  [thought(["a", "", "b"]), "a\n\nb"],
  [thought([], "t"), "t"],
  [thought(["a"], "t"), "a\n\nt"],
  [thought(["a", "b"], "a\n\nb"), "a\n\nb"],
])("%j is shown as %j", (given, shown) => {
  expect(shownThought(given)).toBe(shown);
});

describe("a thought that is told as it comes", () => {
  test("is told by the name that came first, the other at the end", () => {
    const telling = new ThoughtTelling();
    expect(telling.add("thinking", "t")).toBe("t");
    expect(telling.add("summary", "a", 0)).toBe("");
    expect(telling.rest(thought(["a"], "t"))).toBe("\n\na");
  });

  test("has a gap between the parts of its summary, and none before the first", () => {
    const telling = new ThoughtTelling();
    const parts = [telling.add("summary", "b", 1), telling.add("summary", "c", 2)];
    expect(parts).toEqual(["b", "\n\nc"]);
    expect(telling.rest(thought(["", "b", "c", "d"]))).toBe("\n\nd");
  });

  test("is left as it was told where its end says something else", () => {
    const telling = new ThoughtTelling();
    telling.add("summary", "a", 0);
    expect(telling.rest(thought(["other"]))).toBe("");
  });
});
