import { isObject, type JsonObject } from "../../fields.ts";

/** Members whose values are schemas by name, lists of schemas, and schemas. */
const NAMED = ["properties", "$defs", "definitions"];
const LISTED = ["anyOf", "allOf"];

/** Words that this wire's vendors take in a schema that an answer must follow. */
const TAKEN = [
  ...NAMED,
  ...LISTED,
  "$ref",
  "additionalProperties",
  "const",
  "default",
  "description",
  "enum",
  "items",
  "required",
  "title",
  "type",
];

const FORMATS = [
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "time",
  "uri",
  "uuid",
];

function isTaken(name: string, value: unknown): boolean {
  if (name === "format") return FORMATS.includes(String(value));
  if (name === "minItems") return value === 0 || value === 1;
  return TAKEN.includes(name);
}

function closedValue(name: string, value: unknown): unknown {
  if (NAMED.includes(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closedAny(inner)]));
  }
  if (LISTED.includes(name) && Array.isArray(value)) return value.map(closedAny);
  return name === "items" ? closedAny(value) : value;
}

function closedAny(schema: unknown): unknown {
  return isObject(schema) ? closedSchema(schema) : schema;
}

/**
 * A schema that a vendor of this wire accepts for an answer: objects are closed, one-of is any-of,
 * and the bounds that it would refuse are told to the model in the description instead.
 */
export function closedSchema(schema: JsonObject): JsonObject {
  const closed: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    const known = name === "oneOf" ? "anyOf" : name;
    if (name === "$schema" || name === "strict") continue;
    if (isTaken(known, value)) closed[known] = closedValue(known, value);
    else told.push(`${name}: ${JSON.stringify(value)}`);
  }
  if (schema.type === "object" || isObject(schema.properties)) closed.additionalProperties = false;
  if (told.length > 0) {
    const bounds = `(${told.join(", ")})`;
    const { description } = closed;
    closed.description = typeof description === "string" ? `${description} ${bounds}` : bounds;
  }
  return closed;
}

/** Whether every object of a schema is closed and has no optional member, as OpenAI's strict wants. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  if (isObject(schema.properties)) {
    if (schema.additionalProperties !== false) return false;
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    if (Object.keys(schema.properties).some((name) => !required.has(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}
