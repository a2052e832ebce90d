import { describe, expect, test } from "bun:test";
import { countedList } from "../../../../test/support/counted-list.ts";
import { closedSchema, isStrictSchema } from "./schema.ts";

describe("a schema for an answer", () => {
  test("is closed, and tells the bounds that the vendor would refuse", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        age: { type: "integer", minimum: 0, description: "Years." },
        pets: {
          type: "array",
          items: { oneOf: [{ type: "string", format: "color" }] },
          minItems: 2,
        },
      },
      required: ["age"],
    };
    expect(closedSchema(schema)).toEqual({
      type: "object",
      properties: {
        age: { type: "integer", description: "Years. (minimum: 0)" },
        pets: {
          type: "array",
          items: { anyOf: [{ type: "string", description: '(format: "color")' }] },
          description: "(minItems: 2)",
        },
      },
      required: ["age"],
      additionalProperties: false,
    });
  });

  test("is strict when it is closed and nothing is optional, at any depth", () => {
    const leaf = { type: "object", properties: { a: {} }, required: ["a"] };
    expect(isStrictSchema({ ...leaf, additionalProperties: false })).toBe(true);
    expect(isStrictSchema(leaf)).toBe(false);
    expect(isStrictSchema({ type: "array", items: { ...leaf, required: [] } })).toBe(false);
  });

  test("is found to be strict by one look at each of its names", () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `n${i}`);
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    const { list: required, looks } = countedList(names.toReversed());
    const schema = { type: "object", properties, required, additionalProperties: false };
    expect(isStrictSchema(schema)).toBe(true);
    expect(looks()).toBeLessThan(5 * names.length);
  });
});
