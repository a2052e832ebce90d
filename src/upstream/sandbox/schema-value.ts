import type { Facts } from "./facts.ts";
import { isRecord, type JsonRecord, listOf, stringOf } from "./json.ts";
import { numberForSchema, stringForSchema } from "./schema-scalars.ts";

/** Deeper than this only what a schema insists on is written, so that recursive ones end. */
const GENEROUS_DEPTH_MAX = 4;
const DEPTH_MAX = 40;
const REFERENCES_MAX = 32;
const NODES_MAX = 20_000;
const GENEROUS_NODES_MAX = 2_000;

interface Scope {
  readonly root: unknown;
  readonly facts: Facts;
  /** Write every property, not only the required ones. */
  readonly strict: boolean;
  nodes: number;
}

/** A value that satisfies a JSON schema, filled with what the conversation offers. */
export function valueForSchema(schema: unknown, facts: Facts, strict: boolean): unknown {
  return valueFor(schema, "value", 0, { root: schema, facts, strict, nodes: 0 });
}

function valueFor(schema: unknown, name: string, depth: number, scope: Scope): unknown {
  scope.nodes += 1;
  if (depth > DEPTH_MAX || scope.nodes > NODES_MAX) return null;
  const flat = flatten(schema, depth, scope);
  if ("const" in flat) return flat.const;
  if (Array.isArray(flat.enum)) return pickEnum(flat.enum, scope.facts);
  switch (typeOf(flat)) {
    case "object":
      return objectFor(flat, depth, scope);
    case "array":
      return arrayFor(flat, name, depth, scope);
    case "integer":
    case "number":
      return numberForSchema(flat, name, scope.facts);
    case "boolean":
      return scope.facts.booleanFor(name) ?? true;
    case "null":
      return null;
    default:
      return stringForSchema(flat, name, scope.facts);
  }
}

function isSparing(depth: number, scope: Scope): boolean {
  return depth > GENEROUS_DEPTH_MAX || scope.nodes > GENEROUS_NODES_MAX;
}

/** Follows references, joins `allOf` and takes one branch of a union. */
function flatten(schema: unknown, depth: number, scope: Scope): JsonRecord {
  scope.nodes += 1;
  if (depth > DEPTH_MAX || scope.nodes > NODES_MAX) return {};
  let flat: JsonRecord = isRecord(schema) ? schema : {};
  for (let hops = 0; hops < REFERENCES_MAX; hops += 1) {
    if (typeof flat.$ref === "string") {
      const { $ref, ...beside } = flat;
      flat = { ...resolveReference(scope.root, stringOf($ref)), ...beside };
    } else if (Array.isArray(flat.allOf)) {
      const { allOf, ...beside } = flat;
      const parts = listOf(allOf).map((part) => flatten(part, depth + 1, scope));
      flat = parts.reduce<JsonRecord>(joinSchemas, beside);
    } else if (Array.isArray(flat.anyOf) || Array.isArray(flat.oneOf)) {
      const { anyOf, oneOf, ...beside } = flat;
      const branches = Array.isArray(anyOf) ? anyOf : listOf(oneOf);
      flat = joinSchemas(beside, pickBranch(branches, isSparing(depth, scope)));
    } else return flat;
  }
  return flat;
}

function resolveReference(root: unknown, reference: string): JsonRecord {
  if (!reference.startsWith("#")) return {};
  let target: unknown = root;
  for (const step of reference.split("/").slice(1)) {
    const key = decodeStep(step);
    if (Array.isArray(target)) target = target[Number(key)];
    else target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isRecord(target) ? target : {};
}

function decodeStep(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function joinSchemas(left: JsonRecord, right: unknown): JsonRecord {
  if (!isRecord(right)) return left;
  const joined: Record<string, unknown> = { ...left, ...right };
  if (isRecord(left.properties) && isRecord(right.properties)) {
    joined.properties = { ...left.properties, ...right.properties };
  }
  const required = [...listOf(left.required), ...listOf(right.required)];
  if (required.length > 0) joined.required = [...new Set(required)];
  if (Array.isArray(left.allOf) && Array.isArray(right.allOf)) {
    joined.allOf = [...left.allOf, ...right.allOf];
  }
  return joined;
}

/** A value says more than null, except where a recursive schema has to come to an end. */
function pickBranch(branches: readonly unknown[], sparing: boolean): unknown {
  const isNull = (branch: unknown): boolean => isRecord(branch) && branch.type === "null";
  const isNested = (branch: unknown): boolean =>
    isRecord(branch) && ("$ref" in branch || branch.type === "object" || branch.type === "array");
  if (!sparing) return branches.find((branch) => !isNull(branch)) ?? branches[0];
  return branches.find(isNull) ?? branches.find((branch) => !isNested(branch)) ?? branches[0];
}

function pickEnum(values: readonly unknown[], facts: Facts): unknown {
  const mentioned = values.find((value) => typeof value === "string" && facts.mentions(value));
  return mentioned ?? values.find((value) => value !== null) ?? null;
}

function typeOf(schema: JsonRecord): string {
  if (typeof schema.type === "string") return schema.type;
  const types = listOf(schema.type).map(stringOf);
  if (types.length > 0) return types.find((type) => type !== "null") ?? "null";
  if (isRecord(schema.properties) || "additionalProperties" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "minimum" in schema || "maximum" in schema ? "number" : "string";
}

function objectFor(schema: JsonRecord, depth: number, scope: Scope): JsonRecord {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = listOf(schema.required).map(stringOf);
  const sparing = isSparing(depth, scope);
  const wantsAll = !sparing && (scope.strict || (depth === 0 && required.length === 0));
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(properties)) {
    const wanted =
      required.includes(key) || wantsAll || (!sparing && isMentioned(key, inner, scope.facts));
    if (wanted) entries.push([key, valueFor(inner, key, depth + 1, scope)]);
  }
  for (const key of required) {
    if (Object.hasOwn(properties, key)) continue;
    entries.push([key, valueFor(schema.additionalProperties, key, depth + 1, scope)]);
  }
  const countMin = typeof schema.minProperties === "number" ? schema.minProperties : 0;
  for (let count = entries.length; count < Math.min(countMin, 100); count += 1) {
    const key = `key_${count + 1}`;
    entries.push([key, valueFor(schema.additionalProperties, key, depth + 1, scope)]);
  }
  return Object.fromEntries(entries);
}

/** An optional property is written when the message speaks of it or of one of its values. */
function isMentioned(key: string, schema: unknown, facts: Facts): boolean {
  const values = isRecord(schema) ? listOf(schema.enum).map(stringOf) : [];
  return facts.mentions(key) || values.some((value) => facts.mentions(value));
}

/** Keywords that leave a text free, so that any name from the message may stand there. */
const PLAIN_KEYWORDS = new Set(["type", "title", "description", "default", "examples"]);

function arrayFor(schema: JsonRecord, name: string, depth: number, scope: Scope): unknown[] {
  const prefix = listOf(schema.prefixItems);
  const countMax = typeof schema.maxItems === "number" ? schema.maxItems : 1_000;
  const countMin = typeof schema.minItems === "number" ? schema.minItems : 0;
  const usual = isSparing(depth, scope) || schema.items === false ? 0 : 1;
  const items = flatten(schema.items, depth, scope);
  const isPlain = Object.keys(items).every((key) => PLAIN_KEYWORDS.has(key));
  const listed =
    isPlain && typeOf(items) === "string" && "items" in schema && depth < 2
      ? scope.facts.stringsFor()
      : [];
  const wanted = Math.max(countMin, prefix.length, usual, listed.length);
  const values: unknown[] = [];
  for (let index = 0; index < Math.min(wanted, countMax, 10_000); index += 1) {
    const value =
      index < prefix.length
        ? valueFor(prefix[index], name, depth + 1, scope)
        : (listed[index] ?? valueFor(schema.items, singular(name), depth + 1, scope));
    values.push(schema.uniqueItems === true ? distinct(value, values, items) : value);
  }
  return values;
}

function singular(name: string): string {
  return name.length > 3 ? name.replace(/s$/, "") : name;
}

/** Makes one more value that is not in the list yet, where the type leaves room for it. */
function distinct(value: unknown, values: readonly unknown[], items: JsonRecord): unknown {
  if (!values.includes(value)) return value;
  const fromEnum = listOf(items.enum).find((choice) => !values.includes(choice));
  if (fromEnum !== undefined) return fromEnum;
  if (typeof value === "number") {
    const step = typeof items.multipleOf === "number" ? items.multipleOf : 1;
    let next = value;
    while (values.includes(next)) next += step;
    return next;
  }
  return typeof value === "string" ? `${value} ${values.length + 1}` : value;
}
