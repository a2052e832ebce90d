import { describe, expect, test } from "bun:test";
import { compareVersions, entryOf, withEntry } from "../../dev/ship/join-changes.ts";

const FILES = [
  { name: "b.md", text: "# Running it\n\n- A stop ends\n  in time.\n" },
  { name: "a.md", text: "Calling models\n\nA [header](../docs/wires.md) has a name.\n" },
  { name: "c.md", text: "Running it\n\nA start says more.\n" },
];

describe("the entry of a release", () => {
  test("has the changes by section, in the order of the sections and of the names", () => {
    expect(entryOf("0.2.0", "2026-12-01", FILES)).toBe(
      "## 0.2.0 (2026-12-01)\n\n### Calling models\n\n- A [header](docs/wires.md) has a name.\n\n" +
        "### Running it\n\n- A stop ends in time.\n- A start says more.\n",
    );
  });

  test("stands above all earlier ones", () => {
    const before = "# Changelog\n\nWords.\n\n## 0.1.0\n\nThe first.\n";
    expect(withEntry(before, "## 0.2.0\n\n- New.\n")).toBe(
      "# Changelog\n\nWords.\n\n## 0.2.0\n\n- New.\n\n## 0.1.0\n\nThe first.\n",
    );
  });

  test.each([
    ["An unknown section\n\nwords", 'begins with "An unknown section"'],
    ["Console\n", "says nothing"],
  ])("refuses %p", (text, words) => {
    expect(() => entryOf("1.0.0", "2026-12-01", [{ name: "x.md", text }])).toThrow(words);
  });

  test("is refused without a change", () => {
    expect(() => entryOf("1.0.0", "2026-12-01", [])).toThrow("nothing to release");
  });
});

test("versions are compared by their numbers", () => {
  expect(compareVersions("0.10.0", "0.9.9")).toBeGreaterThan(0);
  expect(compareVersions("1.0.0", "1.0.0")).toBe(0);
  expect(compareVersions("0.1.9", "0.2.0")).toBeLessThan(0);
});
