import { isObject, type JsonObject } from "../../fields.ts";

/** Members of the vendor's schema that JSON Schema writes differently or does not have. */
const RENAMED: Readonly<Record<string, string>> = {
  any_of: "anyOf",
  min_items: "minItems",
  max_items: "maxItems",
  min_length: "minLength",
  max_length: "maxLength",
  min_properties: "minProperties",
  max_properties: "maxProperties",
  additional_properties: "additionalProperties",
};
const COUNTS = /^(?:min|max)(?:Items|Length|Properties)$/;
const LEFT_OUT = ["nullable", "propertyOrdering", "property_ordering", "example"];
const DEPTH_MAX = 64;

function schemaType(type: string, nullable: boolean): unknown {
  const name = type.toLowerCase();
  if (name === "type_unspecified") return undefined;
  return nullable ? [name, "null"] : name;
}

function schemaMember(name: string, value: unknown, depth: number): unknown {
  if (name === "properties" && isObject(value)) {
    const entries = Object.entries(value).map(([key, one]) => [key, toSchema(one, depth)]);
    return Object.fromEntries(entries);
  }
  if (name === "anyOf" && Array.isArray(value)) return value.map((one) => toSchema(one, depth));
  if (name === "items" || name === "additionalProperties") return toSchema(value, depth);
  // The vendor writes counts as texts, since they may be larger than a number can be.
  if (COUNTS.test(name) && typeof value === "string") return Number(value);
  return value;
}

function toSchema(value: unknown, depth: number): unknown {
  if (!isObject(value) || depth > DEPTH_MAX) return value;
  const schema: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = RENAMED[given] ?? given;
    if (LEFT_OUT.includes(name)) continue;
    schema[name] = schemaMember(name, member, depth + 1);
  }
  const nullable = value.nullable === true;
  if (typeof value.type === "string") schema.type = schemaType(value.type, nullable);
  if (nullable && Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
  return schema;
}

/** A schema in the vendor's own words (`OBJECT`, `nullable`) as JSON Schema. */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  return toSchema(schema, 0) as JsonObject;
}
