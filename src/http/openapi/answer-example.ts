import type { Components, Json } from "./components.ts";

const DEPTH_MAX = 12;

/** A value as a schema would have it, made of the examples of its leaves; undefined where one has none. */
export function exampleOf(schema: Json, components: Components, depth = 0): unknown {
  if (depth > DEPTH_MAX) return undefined;
  const inner = (each: Json) => exampleOf(each, components, depth + 1);
  const { examples, enum: choices, const: only, ...found } = components.resolve(schema);
  const [said] = [
    ...asList(schema.examples),
    ...asList(examples),
    ...(only === undefined ? [] : [only]),
    ...asList(choices),
    ...("default" in found ? [found.default] : []),
  ];
  if (said !== undefined) return said;
  const ways = [...asList(found.anyOf), ...asList(found.oneOf)] as readonly Json[];
  if (ways.length > 0) return ways.map(inner).find((value) => value !== undefined);
  switch (found.type) {
    case "null":
      return null;
    case "boolean":
      return false;
    case "array":
      return arrayOf(inner((found.items ?? {}) as Json));
    case "object":
      return objectOf(found, inner);
    default:
      return undefined;
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A list may be empty, whatever would be in it. */
const arrayOf = (item: unknown) => (item === undefined ? [] : [item]);

/** What may be left out is, where there is no example of it. */
function objectOf(schema: Json, inner: (schema: Json) => unknown): Json | undefined {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const shown = members.map(([name, member]) => [name, inner(member)] as const);
  const required = asList(schema.required);
  const lacks = shown.some(([name, value]) => value === undefined && required.includes(name));
  return lacks ? undefined : Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}
