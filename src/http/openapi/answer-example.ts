import type { Components, Json } from "./components.ts";
import { isAbsent, sampleNumber, sampleText, type ValuePosition } from "./sample-values.ts";

const DEPTH_MAX = 12;

/** A value as a schema would have it, made of the examples of its leaves; undefined where one has none. */
export function exampleOf(schema: Json, components: Components): unknown {
  return sampleOf(schema, components, { member: "", within: "" }, 0);
}

function sampleOf(
  schema: Json,
  components: Components,
  position: ValuePosition,
  depth: number,
): unknown {
  if (depth > DEPTH_MAX) return undefined;
  const found = components.resolve(schema);
  const [said] = [...saidOf(schema), ...saidOf(found)];
  if (said !== undefined) return said;
  const within = nameOf(schema) ?? position.within;
  const inner = (each: Json, member = position.member) =>
    sampleOf(each, components, { member, within }, depth + 1);
  const ways = [...asList(found.anyOf), ...asList(found.oneOf)] as readonly Json[];
  const mayBeNull = asList(found.type).includes("null") || ways.some(({ type }) => type === "null");
  if (mayBeNull && isAbsent(position)) return null;
  if (ways.length > 0) return ways.map((way) => inner(way)).find((value) => value !== undefined);
  const type = asList(found.type)[0] ?? found.type;
  const value = typedValue(type, found, { ...position, within }, inner);
  return value === undefined && mayBeNull ? null : value;
}

function typedValue(
  type: unknown,
  schema: Json,
  position: ValuePosition,
  inner: (schema: Json, member?: string) => unknown,
): unknown {
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return false;
    case "integer":
    case "number":
      return sampleNumber(position);
    case "array":
      return arrayOf(schema, inner);
    case "object":
      return objectOf(schema, inner);
    default:
      return sampleText(position);
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a schema itself says of its values. */
function saidOf({ examples, const: only, enum: choices, ...schema }: Json): readonly unknown[] {
  const defaults = "default" in schema ? [schema.default] : [];
  return [
    ...asList(examples),
    ...(only === undefined ? [] : [only]),
    ...asList(choices),
    ...defaults,
  ];
}

const nameOf = ({ $ref }: Json) => (typeof $ref === "string" ? $ref.split("/").at(-1) : undefined);

/** A list may be empty, whatever would be in it. */
function arrayOf({ prefixItems, items }: Json, inner: (schema: Json) => unknown): unknown[] {
  const each = prefixItems ? (asList(prefixItems) as readonly Json[]) : [(items ?? {}) as Json];
  const values = each.map((schema) => inner(schema));
  return values.includes(undefined) ? [] : values;
}

/** What may be left out is, where there is no example of it. */
function objectOf(
  schema: Json,
  inner: (schema: Json, member: string) => unknown,
): Json | undefined {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const shown = members.map(([name, member]) => [name, inner(member, name)] as const);
  const required = asList(schema.required);
  const lacks = shown.some(([name, value]) => value === undefined && required.includes(name));
  return lacks ? undefined : Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}
