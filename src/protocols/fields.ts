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

/** What a member is called in words for the client: behind the place of what holds it. */
export function pathOf(name: string, holder: string | undefined): string {
  return holder === undefined ? name : `${holder}.${name}`;
}

// Members that may be absent or null; anything else must be of the type. The holder is where the object stands that
// has the member, if that is not the body itself: only a refusal puts it together with the name.

export function optionalString(
  body: JsonObject,
  name: string,
  holder?: string,
): string | undefined {
  const value = body[name];
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return undefined;
  throw wrongType(pathOf(name, holder), "a string", value);
}

export function optionalBoolean(
  body: JsonObject,
  name: string,
  holder?: string,
): boolean | undefined {
  const value = body[name];
  if (typeof value === "boolean") return value;
  if (value === undefined || value === null) return undefined;
  throw wrongType(pathOf(name, holder), "a boolean", value);
}

export function optionalArray(
  body: JsonObject,
  name: string,
  holder?: string,
): readonly unknown[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value;
  throw wrongType(pathOf(name, holder), "an array", value);
}

export function optionalObject(
  body: JsonObject,
  name: string,
  holder?: string,
): JsonObject | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw wrongType(pathOf(name, holder), "an object", value);
}

/** One of a few words. */
export function optionalWord(
  body: JsonObject,
  name: string,
  words: readonly string[],
  holder?: string,
): void {
  const value = optionalString(body, name, holder);
  if (value !== undefined && !words.includes(value)) checkWord(value, words, pathOf(name, holder));
}

export function checkWord(value: string, words: readonly string[], path: string): void {
  if (words.includes(value)) return;
  const shown = `'${shownName(value)}'`;
  throw wrongValue(path, `${shown}. Supported values are: ${words.join(", ")}.`);
}

/** A text without which what holds it is nothing. It may be empty. */
export function requiredString(body: JsonObject, name: string, holder?: string): string {
  const value = optionalString(body, name, holder);
  if (value === undefined) throw missing(pathOf(name, holder));
  return value;
}

export function requiredObject(body: JsonObject, name: string, holder?: string): JsonObject {
  const value = optionalObject(body, name, holder);
  if (value === undefined) throw missing(pathOf(name, holder));
  return value;
}

/** A list that says something only by its elements. */
export function requiredList(body: JsonObject, name: string): readonly unknown[] {
  const list = optionalArray(body, name);
  if (list === undefined) throw missing(name);
  if (list.length === 0) throw emptyArray(name);
  return list;
}

/** Goes through a list of objects, each by its place. */
export function eachObject(
  list: readonly unknown[] | undefined,
  path: string,
  check: (each: JsonObject, place: string) => void,
): void {
  if (list === undefined) return;
  for (let i = 0; i < list.length; i++) {
    const each = list[i];
    const place = `${path}[${i}]`;
    if (!isObject(each)) throw wrongType(place, "an object", each);
    check(each, place);
  }
}

/** What is called or declared goes by a name. */
export function checkNamed(holder: JsonObject, path: string): void {
  if (typeof holder.name !== "string" || holder.name === "") throw missing(`${path}.name`);
}

/** A format that is a schema has a name, which vendors ask for. */
export function checkSchemaFormat(format: JsonObject, path: string): void {
  checkNamed(format, path);
  requiredObject(format, "schema", path);
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

export function optionalNumber(
  body: JsonObject,
  name: string,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  holder?: string,
): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw wrongType(pathOf(name, holder), "a decimal number", value);
  if (value >= min && value <= max) return value;
  throw outOfBounds("decimal", pathOf(name, holder), value, min, max);
}

export function optionalInteger(
  body: JsonObject,
  name: string,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  holder?: string,
): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw wrongType(pathOf(name, holder), "an integer", value);
  }
  if (value >= min && value <= max) return value;
  throw outOfBounds("integer", pathOf(name, holder), value, min, max);
}

function outOfBounds(
  kind: "integer" | "decimal",
  param: string,
  value: number,
  min: number,
  max: number,
): Fault {
  const above = value > max;
  const side = above ? "above maximum" : "below minimum";
  const expected = above ? `<= ${max}` : `>= ${min}`;
  const message = `Invalid '${param}': ${kind} ${side} value. Expected a value ${expected}, but got ${value} instead.`;
  return new Fault(`${kind}_${above ? "above_max" : "below_min"}_value`, message, { param });
}

/** The model that is asked for: the first of `models` where OpenRouter's clients name no other. */
export function requiredModel(body: JsonObject): string {
  const { models } = body;
  const model = body.model ?? (Array.isArray(models) ? models[0] : undefined);
  if (model === undefined || model === null || model === "") throw missing("model");
  if (typeof model !== "string") throw wrongType("model", "a string", model);
  return model;
}

/** A text that stands for a message, as the message: so it counts the same on every wire. */
export function asMessage(role: "system" | "user", content: unknown): unknown {
  return typeof content === "string" ? { role, content } : content;
}

/** The roles that any message may have. */
const ROLES = ["developer", "user", "assistant", "system"];

export function checkRole(message: JsonObject, path: string, extra?: readonly string[]): void {
  const { role } = message;
  if (typeof role === "string" && (ROLES.includes(role) || extra?.includes(role))) return;
  const named = requiredString(message, "role", path);
  checkWord(named, [...ROLES, ...(extra ?? [])], `${path}.role`);
}

/** A part that is a text has one. */
export function checkText(part: JsonObject, path: string): void {
  if (!TEXT_PARTS.includes(part.type)) return;
  requiredString(part, "text", path);
}

const TEXT_PARTS: readonly unknown[] = ["text", "input_text", "output_text"];

/** Who may have said nothing: what they did stands beside it. */
const SILENT_ROLES: readonly unknown[] = ["assistant", "function"];

/** A text or a list of parts. */
export function checkContent(content: unknown, path: string, role?: unknown): void {
  if (typeof content === "string") return;
  if (content === null && SILENT_ROLES.includes(role)) return;
  if (!Array.isArray(content)) throw wrongType(path, "a string or an array of parts", content);
  for (let i = 0; i < content.length; i++) {
    const part: unknown = content[i];
    if (!isObject(part)) throw wrongType(`${path}[${i}]`, "an object", part);
    if (typeof part.type !== "string") throw missing(`${path}[${i}].type`);
  }
}
