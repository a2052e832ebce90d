import { isRecord, type JsonRecord, listOf } from "../json.ts";
import type { Effort } from "./effort.ts";
import type { Facts } from "./facts.ts";

/** Deeper than this only what a schema insists on is written, so that recursive ones end. */
const GENEROUS_DEPTH_MAX = 4;
const DEPTH_MAX = 40;
const REFERENCES_MAX = 32;
const NODES_MAX = 20_000;
const GENEROUS_NODES_MAX = 2_000;

/** One schema that a value is written for. */
export interface Scope {
  readonly root: unknown;
  readonly facts: Facts;
  readonly effort: Effort;
  /** Write every property, not only the required ones. */
  readonly strict: boolean;
  /** By their properties, what objects were last given. */
  readonly wanted: Map<JsonRecord, Wanted>;
  nodes: number;
}

interface Wanted {
  readonly required: unknown;
  readonly sparing: boolean;
  readonly keys: readonly string[];
}

/** Counts one more node, and says whether there may be as many. */
export function enterNode(depth: number, scope: Scope): boolean {
  scope.nodes += 1;
  return depth <= DEPTH_MAX && scope.nodes <= NODES_MAX;
}

export function isSparing(depth: number, scope: Scope): boolean {
  return depth > GENEROUS_DEPTH_MAX || scope.nodes > GENEROUS_NODES_MAX;
}

/** Keywords that are followed, and of which nothing stays. */
const FOLLOWED = new Set(["$ref", "allOf", "anyOf", "oneOf"]);
/** Keywords that leave a text free, so that any name from the message may stand there. */
const PLAIN = new Set(["type", "title", "description", "default", "examples"]);
/** Keywords that values are written by. */
const READ = new Set([
  ...["const", "enum", "type", "properties", "required", "additionalProperties"],
  ...["items", "prefixItems", "minItems", "maxItems", "format", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...FOLLOWED,
]);
const MEMBERS_MAX = 64;

const largeSchemas = new WeakMap<JsonRecord, readonly string[]>();

/** The members of a schema. Of very many only those that are read, and one that makes it no plain one. */
function membersOf(schema: JsonRecord): readonly string[] {
  const known = largeSchemas.get(schema);
  if (known !== undefined) return known;
  const keys = Object.keys(schema);
  if (keys.length <= MEMBERS_MAX) return keys;
  const other = keys.find((key) => !READ.has(key) && !PLAIN.has(key));
  const members = keys.filter((key) => READ.has(key) || key === other);
  largeSchemas.set(schema, members);
  return members;
}

/** Whether nothing but its type is asked of a value. */
export function isPlain(schema: JsonRecord): boolean {
  return membersOf(schema).every((key) => PLAIN.has(key));
}

/** Follows references, joins `allOf` and takes one branch of a union. What has none of them is not copied. */
export function flatten(schema: unknown, depth: number, scope: Scope): JsonRecord {
  if (!enterNode(depth, scope)) return {};
  const { root, effort } = scope;
  let flat: JsonRecord = isRecord(schema) ? schema : {};
  for (let hops = 0; hops < REFERENCES_MAX; hops += 1) {
    const { $ref, allOf, anyOf, oneOf } = flat;
    if (typeof $ref === "string") {
      const target = resolveReference(root, $ref, effort);
      flat = overlay([flat, { $ref: undefined }, target, ownOf(flat, effort)], effort);
    } else if (Array.isArray(allOf)) {
      if (!effort.spend(allOf.length)) return {};
      const parts = allOf.map((part) => flatten(part, depth + 1, scope));
      flat = joinSchemas([flat, { allOf: undefined }, ...parts], effort);
    } else if (Array.isArray(anyOf) || Array.isArray(oneOf)) {
      const branches = Array.isArray(anyOf) ? anyOf : listOf(oneOf);
      const branch = pickBranch(branches, isSparing(depth, scope), effort);
      const own = ownOf(flat, effort);
      flat = isRecord(branch) ? joinSchemas([own, branch], effort) : own;
    } else return flat;
  }
  return flat;
}

/** What a schema says beside that which is followed. */
function ownOf(schema: JsonRecord, effort: Effort): JsonRecord {
  const own = withoutPrototype();
  copyMembers(
    own,
    schema,
    membersOf(schema).filter((key) => !FOLLOWED.has(key)),
    effort,
  );
  return own;
}

function resolveReference(root: unknown, reference: string, effort: Effort): JsonRecord {
  if (!reference.startsWith("#") || !effort.spend(reference.length)) return {};
  let target = root;
  for (const step of reference.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(target) || !Object.hasOwn(target, key)) return {};
    target = target[key];
  }
  return isRecord(target) ? target : {};
}

/** The later schemas over the earlier ones. */
function overlay(schemas: readonly JsonRecord[], effort: Effort): Record<string, unknown> {
  const joined = withoutPrototype();
  for (const schema of schemas) copyMembers(joined, schema, membersOf(schema), effort);
  return joined;
}

/** The same, with the properties and the required names of all: at once, as a step for each would copy what is there so far. */
function joinSchemas(schemas: readonly JsonRecord[], effort: Effort): JsonRecord {
  const joined = overlay(schemas, effort);
  const required = new Set<unknown>();
  let properties: JsonRecord[] = [];
  for (const schema of schemas) {
    const names = listOf(schema.required);
    if (effort.spend(names.length)) for (const name of names) required.add(name);
    if (!("properties" in schema)) continue;
    if (isRecord(schema.properties)) properties.push(schema.properties);
    else properties = [];
  }
  if (required.size > 0) joined.required = [...required];
  if (properties.length > 1) {
    const all = withoutPrototype();
    for (const some of properties) copyMembers(all, some, effort.keysOf(some), effort);
    joined.properties = all;
  }
  return joined;
}

/** An object in which a member may also be called `__proto__`. */
function withoutPrototype(): Record<string, unknown> {
  return Object.create(null);
}

function copyMembers(
  into: Record<string, unknown>,
  from: JsonRecord,
  keys: readonly string[],
  effort: Effort,
): void {
  if (effort.spend(keys.length)) for (const key of keys) into[key] = from[key];
}

/** A value says more than null, except where a recursive schema has to come to an end. */
function pickBranch(branches: readonly unknown[], sparing: boolean, effort: Effort): unknown {
  if (!effort.spend(branches.length)) return undefined;
  const isNull = (branch: unknown): boolean => isRecord(branch) && branch.type === "null";
  const isNested = (branch: unknown): boolean =>
    isRecord(branch) && ("$ref" in branch || branch.type === "object" || branch.type === "array");
  if (!sparing) return branches.find((branch) => !isNull(branch)) ?? branches[0];
  return branches.find(isNull) ?? branches.find((branch) => !isNested(branch)) ?? branches[0];
}
