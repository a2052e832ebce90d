import { isRecord, type JsonRecord, listOf, stringOf } from "../json.ts";
import type { Facts } from "./facts.ts";
import { wordsOf } from "./words.ts";

/** Deeper than this only what a schema insists on is written, so that recursive ones end. */
const GENEROUS_DEPTH_MAX = 4;
const DEPTH_MAX = 40;
const REFERENCES_MAX = 32;
const NODES_MAX = 20_000;
const GENEROUS_NODES_MAX = 2_000;
const ITEMS_MAX = 1_000;
const STRING_CHARS_MAX = 200;

interface Scope {
  readonly root: unknown;
  readonly facts: Facts;
  /** Write every property, not only the required ones. */
  readonly strict: boolean;
  nodes: number;
}

/**
 * A value that satisfies a JSON schema, filled with what the conversation offers. A `pattern` is not looked at:
 * it is the client's, and one that backtracks for ever would stop every stream of the process.
 */
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
      return numberFor(flat, name, scope.facts);
    case "boolean":
      return scope.facts.boolean(name) ?? true;
    case "null":
      return null;
    default:
      return stringFor(flat, name, scope.facts);
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
    const { $ref, allOf, anyOf, oneOf, ...beside } = flat;
    if (typeof $ref === "string") {
      flat = { ...flat, $ref: undefined, ...resolveReference(scope.root, $ref), ...beside };
    } else if (Array.isArray(allOf)) {
      const parts = allOf.map((part) => flatten(part, depth + 1, scope));
      flat = parts.reduce<JsonRecord>(joinSchemas, { ...flat, allOf: undefined });
    } else if (Array.isArray(anyOf) || Array.isArray(oneOf)) {
      const branches = Array.isArray(anyOf) ? anyOf : listOf(oneOf);
      flat = joinSchemas(beside, pickBranch(branches, isSparing(depth, scope)));
    } else return flat;
  }
  return flat;
}

function resolveReference(root: unknown, reference: string): JsonRecord {
  let target: unknown = reference.startsWith("#") ? root : undefined;
  for (const step of reference.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isRecord(target) ? target : {};
}

function joinSchemas(left: JsonRecord, right: unknown): JsonRecord {
  if (!isRecord(right)) return left;
  const joined: Record<string, unknown> = { ...left, ...right };
  if (isRecord(left.properties) && isRecord(right.properties)) {
    joined.properties = { ...left.properties, ...right.properties };
  }
  const required = [...listOf(left.required), ...listOf(right.required)];
  if (required.length > 0) joined.required = [...new Set(required)];
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
  const { facts, strict } = scope;
  const wanted = (key: string): boolean =>
    required.includes(key) || (!sparing && (strict || facts.mentions(key)));
  const unknown = required.filter((key) => !Object.hasOwn(properties, key));
  const entries = [...Object.keys(properties).filter(wanted), ...unknown].map((key) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
    return [key, valueFor(inner, key, depth + 1, scope)] as const;
  });
  if (entries.length > 0 || depth > 0) return Object.fromEntries(entries);
  // Many tools do not say what they require: they get the texts that the message has for them.
  const texts = Object.entries(properties).flatMap(([key, inner]) => {
    const isText = isRecord(inner) && inner.type === "string" && !("enum" in inner);
    const text = isText ? facts.found(() => valueFor(inner, key, 1, scope)) : undefined;
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(texts);
}

/** Keywords that leave a text free, so that any name from the message may stand there. */
const PLAIN_KEYWORDS = new Set(["type", "title", "description", "default", "examples"]);

function arrayFor(schema: JsonRecord, name: string, depth: number, scope: Scope): unknown[] {
  const prefix = listOf(schema.prefixItems);
  const size = (value: unknown, otherwise: number) =>
    typeof value === "number" ? value : otherwise;
  const usual = isSparing(depth, scope) || schema.items === false ? 0 : 1;
  const items = flatten(schema.items, depth, scope);
  const isPlain = Object.keys(items).every((key) => PLAIN_KEYWORDS.has(key));
  const named = isPlain && typeOf(items) === "string" && "items" in schema && depth < 2;
  const listed = named ? scope.facts.list() : [];
  const wanted = Math.max(size(schema.minItems, 0), prefix.length, usual, listed.length);
  const length = Math.min(wanted, size(schema.maxItems, ITEMS_MAX), ITEMS_MAX);
  const one = name.length > 3 ? name.replace(/s$/, "") : name;
  return Array.from({ length }, (_, index) =>
    index < prefix.length
      ? valueFor(prefix[index], name, depth + 1, scope)
      : (listed[index] ?? valueFor(schema.items, one, depth + 1, scope)),
  );
}

/** For each format its shape, in which a text of the message is taken, and a sample. */
const FORMATS: Readonly<Record<string, readonly [RegExp, string]>> = {
  "date-time": [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/, "2026-01-15T09:30:00Z"],
  date: [/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/, "2026-01-15"],
  time: [/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/, "09:30:00Z"],
  email: [/^[\w.+-]{1,64}@[\w-]+\.[a-z]{2,}$/, "someone@example.com"],
  uri: [/^https?:\/\/[^\s"]+$/, "https://www.example.com/"],
  uuid: [
    /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    "7d444840-9dc0-41d1-b245-5ffdce74fad2",
  ],
};

function stringFor(schema: JsonRecord, name: string, facts: Facts): string {
  const size = (value: unknown, otherwise: number): number =>
    typeof value === "number" && value >= 0 ? value : otherwise;
  const min = Math.min(size(schema.minLength, 0), 10_000);
  const max = size(schema.maxLength, Math.max(STRING_CHARS_MAX, min));
  const [shape, sample] = FORMATS[stringOf(schema.format)] ?? [];
  if (sample !== undefined) return facts.text(name, (text) => shape?.test(text) === true) ?? sample;
  const found = facts.text(name, (text) => text.length >= min && text.length <= max);
  const own = wordsOf(name).join(" ") || "value";
  return found ?? own.padEnd(min, ` ${own}`).slice(0, max);
}

function numberFor(schema: JsonRecord, name: string, facts: Facts): number {
  const bound = (key: string, otherwise: number): number => {
    const value = schema[key];
    return typeof value === "number" ? value : otherwise;
  };
  const min = Math.max(bound("minimum", -Infinity), bound("exclusiveMinimum", -Infinity));
  const max = Math.min(bound("maximum", Infinity), bound("exclusiveMaximum", Infinity));
  const whole = listOf(schema.type).includes("integer") || schema.type === "integer";
  const step = bound("multipleOf", whole ? 1 : 0);
  const fits = (value: number): boolean =>
    value >= min &&
    value <= max &&
    value !== schema.exclusiveMinimum &&
    value !== schema.exclusiveMaximum &&
    (step === 0 || Number.isInteger(value / step));
  const near = [1, 0, min, max, min + 1, max - 1, (min + max) / 2].filter(Number.isFinite);
  const steps = near.flatMap((value) =>
    step === 0 ? value : [0, 1, -1].map((more) => (Math.round(value / step) + more) * step),
  );
  return facts.number(name, fits) ?? steps.find(fits) ?? 1;
}
