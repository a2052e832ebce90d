import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../faults.ts";
import { readBoundedJson, UNBOUNDED, weighJson } from "./json-bounds.ts";

const BOUNDS = { partsMax: 1_000, depthMax: 16, elementsMax: 5_000 };

function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}

/** Objects, lists and texts of a value, and how deep it goes. */
function shapeOf(value: unknown): { members: number; depth: number } {
  if (typeof value === "string") return { members: 1, depth: 0 };
  if (typeof value !== "object" || value === null) return { members: 0, depth: 0 };
  const inner = Object.values(value).map(shapeOf);
  const named = Array.isArray(value) ? 0 : inner.length;
  return {
    members: 1 + named + inner.reduce((sum, { members }) => sum + members, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

describe("a JSON text is weighed before it is parsed", () => {
  test("and its bounds are those of the value, whatever its strings hold", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0);
        const { members, depth } = shapeOf(JSON.parse(text));
        weighJson(text, { ...UNBOUNDED, partsMax: members, depthMax: depth });
        if (depth > 0) {
          const over = { ...UNBOUNDED, partsMax: members - 1, depthMax: depth };
          expect(faultOf(() => weighJson(text, over)).fault).toBe("invalid_value");
          const deep = { ...UNBOUNDED, partsMax: members, depthMax: depth - 1 };
          expect(faultOf(() => weighJson(text, deep)).message).toContain("levels deep");
        }
      }),
    );
  });

  test("and a text that is not JSON is weighed without an end that is missing", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "\\", "[", "{", ":", ",", "a") }),
        (text) => {
          weighJson(text, UNBOUNDED);
        },
      ),
    );
  });

  test("so that one which would fill the memory is refused at its first too many", () => {
    // The rest is not looked at: it is longer than anybody would wait for.
    const text = `[${"{},".repeat(1_000_000)}0]`;
    const fault = faultOf(() => readBoundedJson(text, BOUNDS));
    expect(fault.message).toBe("The body has more than 1000 objects, lists and texts; send fewer.");
    expect(faultOf(() => readBoundedJson("[".repeat(1_000_000), BOUNDS)).message).toBe(
      "The body is nested more than 16 levels deep.",
    );
  });

  test("and so is one of very many numbers or words, in lists or as members", () => {
    const one = ["0", "-1.5e9", "true", "false", "null"];
    for (const value of one) {
      const list = `[${Array(5_002).fill(value).join(",")}]`;
      const fault = faultOf(() => readBoundedJson(list, BOUNDS));
      expect([fault.fault, fault.message]).toEqual([
        "invalid_value",
        "The body has more than 5000 elements of lists and members of objects; send fewer.",
      ]);
      const fewer = `[${Array(5_001).fill(value).join(",")}]`;
      expect(readBoundedJson(fewer, BOUNDS)).toHaveLength(5_001);
    }
  });

  test("and weighs more than its bytes where it has many members", () => {
    const names = Array.from({ length: 400 }, (_, i) => `"n${i}":0`).join(",");
    const weight = weighJson(`{${names}}`, BOUNDS);
    expect(weight).toBeGreaterThan(400 * 64);
    expect(weighJson(JSON.stringify("a".repeat(10_000)), BOUNDS)).toBe(20_068);
  });

  test("and what is not JSON is said to be none", () => {
    expect(faultOf(() => readBoundedJson("{", BOUNDS)).message).toBe(
      "The request body is not valid JSON.",
    );
    expect(faultOf(() => readBoundedJson("}{", BOUNDS, "The message")).fault).toBe("invalid_json");
    expect(readBoundedJson("null", BOUNDS)).toBeNull();
  });
});
