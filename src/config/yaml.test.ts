import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ConfigError } from "./members.ts";
import { parseYaml } from "./yaml.ts";

function complaint(...lines: string[]): string {
  try {
    parseYaml(lines.join("\n"), "faregate.yaml");
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  return "";
}

describe("a member that is given twice is refused with its lines", () => {
  test.each<[string, string[]]>([
    [
      "markup_percent is given twice, in lines 1 and 3",
      ["markup_percent: 5", "", "markup_percent: 6"],
    ],
    ["a[0].b is given twice, in lines 2 and 4", ["a:", "  - b: 1", "    c: 2", "    b: 3"]],
    ["a.b.c[1].d is given twice, in line 1", ["a: {b: {c: [{d: 1}, {d: 1, e: 2, d: 3}]}}"]],
    ["a is given twice, in line 1", ['{"a":1,"a":2}']],
    ["a is given twice, in lines 1 and 2", ["a: 1", '"a": 2']],
    ["a is given twice, in lines 1 and 2", ["'a': 1", "a : 2"]],
    ["a is given twice, in lines 1 and 2", ['"\\x61": 1', "a: 2"]],
    ["a is given twice, in lines 1 and 3", ["a: 1\r", "b: 1\r", "a: 2\r"]],
    ["a- is given twice, in lines 1 and 2", ['"a-": 1', '"a-": 2']],
    ["a: b is given twice, in lines 1 and 2", ['"a: b": 1', "'a: b': 2"]],
    ["it's is given twice, in lines 1 and 2", ["'it''s': 1", '"it\'s": 2']],
    ["__proto__ is given twice, in lines 1 and 2", ["__proto__: 1", "__proto__: 2"]],
    ["b is given twice, in lines 4 and 5", ["a: |", "  b: 1", "  b: 2", "b: 3", "b: 4"]],
    // Where it is written, and not where it is used.
    ["x.a is given twice, in line 1", ["x: &x {a: 1, a: 2}", "y: *x", "z: {<<: *x}"]],
    [
      "y.a is given twice, in lines 4 and 5",
      ["x: &x {a: 1}", "y:", "  <<: *x", "  a: 2", "  a: 3"],
    ],
    [
      "y.<< is given twice, in lines 4 and 5",
      ["x: &x {a: 1}", "z: &z {a: 2}", "y:", "  <<: *x", "  <<: *z"],
    ],
  ])("%s", (words, lines) => {
    expect(complaint(...lines)).toContain(`faregate.yaml: ${words}; leave one out.`);
  });
});

describe("what only looks like a member is none", () => {
  test.each<[unknown, string[]]>([
    [{ a: "b: 1\nb: 2\n" }, ["a: |", "  b: 1", "  b: 2"]],
    [{ a: "b: 1 b: 2" }, ["a: >-", "  b: 1", "  b: 2"]],
    [{ a: "b: 1 b: 2" }, ['a: "b: 1', '  b: 2"']],
    [{ a: 1, b: 2 }, ["a: 1 # b: 3", "# a: 4", "b: 2"]],
    [{ a: "it': x", b: ": y" }, ["a: 'it'': x'", 'b: ": y"']],
    [{ a: 'say "hi": x', b: "\\" }, ['a: "say \\"hi\\": x"', 'b: "\\\\"']],
    [{ a: [":8080", "http://x:80"] }, ['a: [":8080", http://x:80]']],
    [{ x: { a: 1 }, y: { a: 2 }, z: { a: 1 } }, ["x: &x {a: 1}", "y: {<<: *x, a: 2}", "z: *x"]],
    [{ a: [{ b: 1 }, { b: 2 }] }, ["a:", "  - b: 1", "  - b: 2"]],
  ])("%j", (value, lines) => {
    expect(parseYaml(lines.join("\n"), "faregate.yaml")).toEqual(value);
  });

  test("in whatever a writer of YAML or JSON writes", () => {
    const signs = fc.stringMatching(/^[a-z:'" \\#{},[\]\n-]{1,10}$/);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.oneof(signs, fc.string({ maxLength: 12 }), fc.integer(), fc.boolean()),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.oneof(signs, fc.string({ maxLength: 6 })), tie("tree"), { maxKeys: 4 }),
      ),
    }));
    const file = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tree, { minKeys: 1, maxKeys: 4 });
    const same = fc.property(file, fc.constantFrom(0, 2, undefined), (value, indent) => {
      const text =
        indent === undefined ? JSON.stringify(value) : Bun.YAML.stringify(value, null, indent);
      expect(parseYaml(text, "faregate.yaml")).toEqual(Bun.YAML.parse(text));
    });
    fc.assert(same, { numRuns: 500 });
  });
});

describe("a name that would be lost is refused", () => {
  test.each<[string, string[]]>([
    // It would be "4.1".
    [
      "faregate.yaml: models.4.10 (line 2) is read as another name; write it in quotes.",
      ["models:", "  4.10: x"],
    ],
    ["faregate.yaml has a list, a mapping or an alias where a name must be", ["[a]: 1"]],
    [
      "faregate.yaml: has a member that is not written as a name, a colon and a value",
      ["? a", ": 1", "? a", ": 2"],
    ],
    [
      "faregate.yaml: must be a mapping of names to values, in one document",
      ["a: 1", "---", "a: 2"],
    ],
  ])("%s", (words, lines) => {
    expect(complaint(...lines)).toContain(words);
  });

  test("without a word of what may be secret", () => {
    expect(complaint("keys: {sk-secret, sk-secret}")).not.toContain("sk-secret");
  });
});
