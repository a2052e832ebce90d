import { Fault } from "../lib/faults.ts";

export type JsonObject = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NAME_CHARS_SHOWN = 64;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (Number.isInteger(value)) return "an integer";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function missing(param: string): Fault {
  return new Fault("missing_required_parameter", `Missing required parameter: '${param}'.`, {
    param,
  });
}

export function wrongType(param: string, expected: string, value: unknown): Fault {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`;
  return new Fault("invalid_type", message, { param });
}

export function wrongValue(param: string, message: string): Fault {
  return new Fault("invalid_value", `Invalid value for '${param}': ${message}`, { param });
}

/** A name of the client's own, as far as a refusal repeats it. */
export function shownName(name: string): string {
  return name.slice(0, NAME_CHARS_SHOWN);
}

export function emptyArray(param: string): Fault {
  const message = `Invalid '${param}': empty array. Expected at least one element.`;
  return new Fault("empty_array", message, { param });
}

export function unsupported(param: string, message: string): Fault {
  return new Fault("unsupported_parameter", message, { param });
}

type OptionalReader<T> = (body: JsonObject, name: string, path?: string) => T | undefined;

/** Reads a member that may be absent or null; anything else must be of the type. */
function optional<T>(expected: string, isOne: (value: unknown) => value is T): OptionalReader<T> {
  return (body, name, path = name) => {
    const value = body[name];
    if (value === undefined || value === null) return undefined;
    if (!isOne(value)) throw wrongType(path, expected, value);
    return value;
  };
}

export const optionalString = optional("a string", (value) => typeof value === "string");
export const optionalBoolean = optional("a boolean", (value) => typeof value === "boolean");
export const optionalArray: OptionalReader<readonly unknown[]> = optional(
  "an array",
  Array.isArray,
);
export const optionalObject = optional("an object", isObject);
const optionalDecimal = optional("a decimal number", (value) => typeof value === "number");
const optionalWhole = optional("an integer", (value): value is number => Number.isInteger(value));

/** One of a few words. */
export function optionalWord(
  body: JsonObject,
  name: string,
  words: readonly string[],
  path = name,
): void {
  const value = optionalString(body, name, path);
  if (value !== undefined) checkWord(value, words, path);
}

export function checkWord(value: string, words: readonly string[], path: string): void {
  if (words.includes(value)) return;
  const shown = `'${shownName(value)}'`;
  throw wrongValue(path, `${shown}. Supported values are: ${words.join(", ")}.`);
}

/** Reads a member without which what holds it is nothing. */
function required<T>(read: OptionalReader<T>) {
  return (body: JsonObject, name: string, path = name): T => {
    const value = read(body, name, path);
    if (value === undefined) throw missing(path);
    return value;
  };
}

/** It may be empty. */
export const requiredString = required(optionalString);
export const requiredObject = required(optionalObject);
const requiredArray = required(optionalArray);

/** A list that says something only by its elements. */
export function requiredList(body: JsonObject, name: string): readonly unknown[] {
  const list = requiredArray(body, name);
  if (list.length === 0) throw emptyArray(name);
  return list;
}

/** Goes through a list of objects, each by its place. */
export function eachObject(
  list: readonly unknown[] | undefined,
  path: string,
  check: (each: JsonObject, place: string) => void,
): void {
  list?.forEach((each, i) => {
    const place = `${path}[${i}]`;
    if (!isObject(each)) throw wrongType(place, "an object", each);
    check(each, place);
  });
}

/** What is called or declared goes by a name. */
export function checkNamed(holder: JsonObject, path: string): void {
  if (typeof holder.name !== "string" || holder.name === "") throw missing(`${path}.name`);
}

/** A format that is a schema has a name, which vendors ask for. */
export function checkSchemaFormat(format: JsonObject, path: string): void {
  checkNamed(format, path);
  requiredObject(format, "schema", `${path}.schema`);
}

/** A tool must be called where there is none. */
export function noTools(choice: string, where: string, param = "tool_choice"): Fault {
  return wrongValue(param, `'${choice}' needs at least one tool in '${where}'.`);
}

/** A tool must be called that is not there. */
export function noTool(name: unknown, where: string, param = "tool_choice"): Fault {
  const shown = shownName(String(name));
  return wrongValue(param, `the tool '${shown}' is not among those in '${where}'.`);
}

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export function optionalNumber(body: JsonObject, name: string, bounds: Bounds): number | undefined {
  const value = optionalDecimal(body, name);
  if (value !== undefined) checkBounds("decimal", name, value, bounds);
  return value;
}

export function optionalInteger(
  body: JsonObject,
  name: string,
  bounds: Bounds,
  path: string = name,
): number | undefined {
  const value = optionalWhole(body, name, path);
  if (value !== undefined) checkBounds("integer", path, value, bounds);
  return value;
}

function checkBounds(
  kind: "integer" | "decimal",
  name: string,
  value: number,
  bounds: Bounds,
): void {
  const word = (side: "above" | "below", edge: string, limit: number) =>
    `Invalid '${name}': ${kind} ${side} ${edge} value. Expected a value ` +
    `${side === "above" ? "<=" : ">="} ${limit}, but got ${value} instead.`;
  if (value > bounds.max) {
    throw new Fault(`${kind}_above_max_value`, word("above", "maximum", bounds.max), {
      param: name,
    });
  }
  if (!(value >= bounds.min)) {
    throw new Fault(`${kind}_below_min_value`, word("below", "minimum", bounds.min), {
      param: name,
    });
  }
}

export function requiredModel(body: JsonObject): string {
  const model = body.model;
  if (model === undefined || model === null || model === "") throw missing("model");
  if (typeof model !== "string") throw wrongType("model", "a string", model);
  return model;
}

/** The roles that any message may have. */
const ROLES = ["developer", "user", "assistant", "system"];

export function checkRole(message: JsonObject, path: string, extra: readonly string[] = []): void {
  const { role } = message;
  if (typeof role === "string" && ROLES.includes(role)) return;
  const named = requiredString(message, "role", `${path}.role`);
  checkWord(named, [...ROLES, ...extra], `${path}.role`);
}

/** A part that is a text has one. */
export function checkText(part: JsonObject, path: string): void {
  if (!TEXT_PARTS.includes(part.type)) return;
  requiredString(part, "text", `${path}.text`);
}

const TEXT_PARTS: readonly unknown[] = ["text", "input_text", "output_text"];

/** Who may have said nothing: what they did stands beside it. */
const SILENT_ROLES: readonly unknown[] = ["assistant", "function"];

/** A text or a list of parts. */
export function checkContent(content: unknown, path: string, role?: unknown): void {
  if (typeof content === "string") return;
  if (content === null && SILENT_ROLES.includes(role)) return;
  if (!Array.isArray(content)) throw wrongType(path, "a string or an array of parts", content);
  content.forEach((part, i) => {
    if (!isObject(part)) throw wrongType(`${path}[${i}]`, "an object", part);
    if (typeof part.type !== "string") throw missing(`${path}[${i}].type`);
  });
}
