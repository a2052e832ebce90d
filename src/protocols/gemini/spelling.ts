import { Fault } from "../../lib/faults.ts";
import { isObject, type JsonObject } from "../fields.ts";

/** Members whose insides belong to the client, not to the wire. */
const CLIENTS_OWN = new Set([
  "args",
  "response",
  "parameters",
  "parametersJsonSchema",
  "responseSchema",
  "responseJsonSchema",
  "labels",
  "partMetadata",
]);

/** Lists that the vendor also takes as their only element. */
const LISTS = new Set(["contents", "parts", "tools", "functionDeclarations", "safetySettings"]);

/** No message of the wire is nested deeper, so what lies below is the client's own. */
const DEPTH_MAX = 12;

function camelCase(name: string): string {
  // The vendor has a name that begins with one. Whatever follows a run, it is taken whole: else a client could write one
  // that is looked at again from each of its signs.
  return name
    .replace(/^_+/, "")
    .replace(/_+([a-zA-Z0-9]?)/g, (run, letter: string) => letter.toUpperCase() || run);
}

function rewrittenList(list: readonly unknown[], depth: number): readonly unknown[] {
  let changed = false;
  const elements = list.map((element) => {
    const rewritten = rewrittenValue(element, depth + 1);
    changed ||= rewritten !== element;
    return rewritten;
  });
  return changed ? elements : list;
}

function rewrittenObject(object: JsonObject, depth: number): JsonObject {
  // Names come from the client: on a plain object one of them would set its prototype.
  const members: Record<string, unknown> = Object.create(null);
  let changed = false;
  for (const [name, value] of Object.entries(object)) {
    const camel = name.includes("_") ? camelCase(name) : name;
    if (Object.hasOwn(members, camel)) {
      const message = `'${name}' and another spelling of it must not be given together.`;
      throw new Fault("duplicate_parameter", message, { param: name });
    }
    const rewritten = CLIENTS_OWN.has(camel) ? value : rewrittenValue(value, depth + 1);
    const listed = LISTS.has(camel) && isObject(rewritten) ? [rewritten] : rewritten;
    changed ||= camel !== name || listed !== value;
    members[camel] = listed;
  }
  return changed ? members : object;
}

function rewrittenValue(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return rewrittenList(value, depth);
  return isObject(value) ? rewrittenObject(value, depth) : value;
}

/**
 * The body with its members in the one spelling that everything else here reads. The vendor takes
 * both `generationConfig` and `generation_config`. The very same object where nothing changes.
 */
export function camelCased(body: JsonObject): JsonObject {
  return rewrittenObject(body, 0);
}
