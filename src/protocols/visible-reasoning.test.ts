import { describe, expect, test } from "bun:test";
import type { ReasoningItem } from "./canon.ts";
import { VisibleReasoningStream, visibleReasoning } from "./visible-reasoning.ts";

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
  expect(visibleReasoning(given)).toBe(shown);
});

describe("a thought that is told as it comes", () => {
  test("is told by the name that came first, the other at the end", () => {
    const stream = new VisibleReasoningStream();
    expect(stream.add("thinking", "t")).toBe("t");
    expect(stream.add("summary", "a", 0)).toBe("");
    expect(stream.rest(thought(["a"], "t"))).toBe("\n\na");
  });

  test("has a gap between the parts of its summary, and none before the first", () => {
    const stream = new VisibleReasoningStream();
    const parts = [stream.add("summary", "b", 1), stream.add("summary", "c", 2)];
    expect(parts).toEqual(["b", "\n\nc"]);
    expect(stream.rest(thought(["", "b", "c", "d"]))).toBe("\n\nd");
  });

  test("is left as it was told where its end says something else", () => {
    const stream = new VisibleReasoningStream();
    stream.add("summary", "a", 0);
    expect(stream.rest(thought(["other"]))).toBe("");
  });
});
