import { expect, test } from "bun:test";
import { jsonSchemaOf } from "./schema.ts";

test("a documented schema of the vendor's becomes JSON Schema", () => {
  const schema = {
    type: "OBJECT",
    nullable: true,
    propertyOrdering: ["city", "type"],
    required: ["city"],
    properties: {
      city: { type: "STRING", description: "Where", max_length: "40" },
      // Names of the client's own are not members of the schema.
      type: { type: "STRING", enum: ["a", "b"], nullable: true },
      nullable: { type: "BOOLEAN" },
      tags: { type: "ARRAY", minItems: "1", items: { type: "INTEGER" } },
      either: { any_of: [{ type: "NUMBER" }, { type: "STRING" }] },
    },
  };
  expect(jsonSchemaOf(schema)).toEqual({
    type: ["object", "null"],
    required: ["city"],
    properties: {
      city: { type: "string", description: "Where", maxLength: 40 },
      type: { type: ["string", "null"], enum: ["a", "b", null] },
      nullable: { type: "boolean" },
      tags: { type: "array", minItems: 1, items: { type: "integer" } },
      either: { anyOf: [{ type: "number" }, { type: "string" }] },
    },
  });
});

test("a type that says nothing is left out", () => {
  expect(JSON.stringify(jsonSchemaOf({ type: "TYPE_UNSPECIFIED" }))).toBe("{}");
});
