import { isRecord, type JsonRecord, listOf, stringOf } from "../json.ts";
import type { Effort } from "./effort.ts";
import type { Facts } from "./facts.ts";
import { enterNode, flatten, isPlain, isSparing, type Scope } from "./flat-schema.ts";
import { wordsOf } from "./words.ts";

const ITEMS_MAX = 1_000;
const STRING_CHARS_MAX = 200;
/** What a value takes beside its name and its text, and what one of a format takes to find. */
const NODE_EFFORT = 20;
const FORMAT_EFFORT = 100;

/**
 * A value that satisfies a JSON schema, filled with what the conversation offers. A `pattern` is not looked at:
 * it is the client's, and one that backtracks for ever would stop every stream of the process.
 */
export function valueForSchema(schema: unknown, facts: Facts, strict: boolean): unknown {
  const { effort } = facts;
  const scope: Scope = { root: schema, facts, effort, strict, wanted: new Map(), nodes: 0 };
  return valueFor(schema, "value", 0, scope);
}

function valueFor(schema: unknown, name: string, depth: number, scope: Scope): unknown {
  const { facts, effort } = scope;
  if (!effort.spend(NODE_EFFORT + name.length) || !enterNode(depth, scope)) return null;
  const flat = flatten(schema, depth, scope);
  if (effort.spent) return null;
  if ("const" in flat) return effort.written(flat.const);
  if (Array.isArray(flat.enum)) return effort.written(pickEnum(flat.enum, scope));
  switch (typeOf(flat, effort)) {
    case "object":
      return objectFor(flat, depth, scope);
    case "array":
      return arrayFor(flat, name, depth, scope);
    case "integer":
    case "number":
      return numberFor(flat, name, facts);
    case "boolean":
      return facts.boolean(name) ?? true;
    case "null":
      return null;
    default:
      return effort.written(stringFor(flat, name, scope));
  }
}

function pickEnum(values: readonly unknown[], { facts, effort }: Scope): unknown {
  if (!effort.spend(values.length)) return null;
  const mentioned = values.find((value) => typeof value === "string" && facts.mentions(value));
  return mentioned ?? values.find((value) => value !== null) ?? null;
}

function typeOf(schema: JsonRecord, effort: Effort): string {
  if (typeof schema.type === "string") return schema.type;
  if (!effort.spend(listOf(schema.type).length)) return "null";
  const types = listOf(schema.type).map(stringOf);
  if (types.length > 0) return types.find((type) => type !== "null") ?? "null";
  if (isRecord(schema.properties) || "additionalProperties" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "minimum" in schema || "maximum" in schema ? "number" : "string";
}

const NO_PROPERTIES: JsonRecord = {};

function objectFor(schema: JsonRecord, depth: number, scope: Scope): JsonRecord {
  const { effort } = scope;
  const properties = isRecord(schema.properties) ? schema.properties : NO_PROPERTIES;
  const entries: [string, unknown][] = [];
  for (const key of wantedKeys(properties, schema.required, depth, scope)) {
    if (effort.spent) break;
    const inner = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
    entries.push([key, valueFor(inner, key, depth + 1, scope)]);
  }
  if (entries.length > 0 || depth > 0) return Object.fromEntries(entries);
  return Object.fromEntries(textsFor(properties, scope));
}

/** The names that an object gets, found once for all the items of a list. */
function wantedKeys(
  properties: JsonRecord,
  required: unknown,
  depth: number,
  scope: Scope,
): readonly string[] {
  const { facts, effort, strict, wanted } = scope;
  const sparing = isSparing(depth, scope);
  const before = wanted.get(properties);
  const isSame = before?.required === required && before?.sparing === sparing;
  if (before !== undefined && isSame) return before.keys;
  if (!effort.spend(listOf(required).length)) return [];
  const names = new Set(listOf(required).map(stringOf));
  const known = effort
    .keysOf(properties)
    .filter((key) => names.has(key) || (!sparing && (strict || facts.mentions(key))));
  const unknown = [...names].filter((key) => !Object.hasOwn(properties, key));
  const keys = [...known, ...unknown];
  wanted.set(properties, { required, sparing, keys });
  return keys;
}

/** Many tools do not say what they require: they get the texts that the message has for them. */
function* textsFor(properties: JsonRecord, scope: Scope): Generator<[string, unknown], void> {
  for (const key of scope.effort.keysOf(properties)) {
    if (scope.effort.spent) return;
    const inner = properties[key];
    const isText = isRecord(inner) && inner.type === "string" && !("enum" in inner);
    const text = isText ? scope.facts.found(() => valueFor(inner, key, 1, scope)) : undefined;
    if (text !== undefined) yield [key, text];
  }
}

function arrayFor(schema: JsonRecord, name: string, depth: number, scope: Scope): unknown[] {
  const prefix = listOf(schema.prefixItems);
  const size = (value: unknown, otherwise: number) =>
    typeof value === "number" ? value : otherwise;
  const usual = isSparing(depth, scope) || schema.items === false ? 0 : 1;
  const items = flatten(schema.items, depth, scope);
  const named =
    "items" in schema && depth < 2 && typeOf(items, scope.effort) === "string" && isPlain(items);
  const listed = named ? scope.facts.list() : [];
  const wanted = Math.max(size(schema.minItems, 0), prefix.length, usual, listed.length);
  const length = Math.min(wanted, size(schema.maxItems, ITEMS_MAX), ITEMS_MAX);
  const one = name.length > 3 ? name.replace(/s$/, "") : name;
  return Array.from({ length }, (_, index) => {
    if (index < prefix.length) return valueFor(prefix[index], name, depth + 1, scope);
    if (index < listed.length) return scope.effort.written(listed[index]);
    return valueFor(schema.items, one, depth + 1, scope);
  });
}

/** For each format its shape, in which a text of the message is taken, and a sample. */
const FORMATS = new Map<string, readonly [shape: RegExp, sample: string]>([
  ["date-time", [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/, "2026-01-15T09:30:00Z"]],
  ["date", [/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/, "2026-01-15"]],
  ["time", [/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/, "09:30:00Z"]],
  ["email", [/^[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,63}$/, "someone@example.com"]],
  ["uri", [/^https?:\/\/[^\s"]{1,2000}$/, "https://www.example.com/"]],
  [
    "uuid",
    [
      /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      "7d444840-9dc0-41d1-b245-5ffdce74fad2",
    ],
  ],
]);

function stringFor(schema: JsonRecord, name: string, { facts, effort }: Scope): string {
  const size = (value: unknown, otherwise: number): number =>
    typeof value === "number" && value >= 0 ? value : otherwise;
  const min = Math.min(size(schema.minLength, 0), 10_000);
  const max = size(schema.maxLength, Math.max(STRING_CHARS_MAX, min));
  const format = FORMATS.get(stringOf(schema.format));
  if (format !== undefined) {
    const [shape, sample] = format;
    effort.spend(FORMAT_EFFORT);
    return facts.text(name, (text) => shape.test(text)) ?? sample;
  }
  const found = facts.text(name, (text) => text.length >= min && text.length <= max);
  if (found !== null) return found;
  const own = wordsOf(name).join(" ") || "value";
  return own.padEnd(min, ` ${own}`).slice(0, max);
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
