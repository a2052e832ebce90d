import { expect, test } from "bun:test";
import { previewForm, updateForm } from "../../contract/draft-form.ts";
import { inputSchemas, type ObjectSchema, resultSchemas } from "./schemas.ts";

const membersOf = ({ properties = {} }: ObjectSchema) => Object.keys(properties).sort();

test("a tool takes what its route takes, and what only tools have", () => {
  const form = Object.keys(previewForm.shape);
  const { add, preview, update } = inputSchemas(false);
  expect(membersOf(add)).toEqual([...form, "idempotency_key"].sort());
  expect(membersOf(preview)).toEqual([...form, "include_html"].sort());
  const changes = Object.keys(updateForm.shape).filter((name) => name !== "dry_run");
  expect(membersOf(update)).toEqual([...changes, "id"].sort());
  const local = inputSchemas(true);
  expect(membersOf(local.add)).toEqual([...form, "file", "idempotency_key"].sort());
  expect(membersOf(local.get)).toEqual(["id"]);
});

/** Every schema below one that says what it is. */
function parts(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof schema !== "object" || schema === null) return [];
  return [schema as Readonly<Record<string, unknown>>, ...Object.values(schema).flatMap(parts)];
}

test("schemas are whole by themselves, and refuse nothing that the room would judge", () => {
  for (const schema of [...Object.values(inputSchemas(true)), resultSchemas().draft]) {
    expect(schema.type).toBe("object");
    for (const part of parts(schema)) {
      expect(part).not.toHaveProperty("$ref");
      expect(part).not.toHaveProperty("$schema");
      expect(part).not.toHaveProperty("additionalProperties");
      expect(part).not.toHaveProperty("readOnly");
    }
  }
  expect(inputSchemas(false).add).not.toHaveProperty("required");
  expect(resultSchemas().draft.required).toEqual(["ok"]);
});

test("every member of a tool says what it is for", () => {
  for (const { properties = {} } of Object.values(inputSchemas(true))) {
    for (const [name, schema] of Object.entries(properties)) {
      expect({ name, schema }).toMatchObject({ schema: { description: expect.any(String) } });
    }
  }
});
