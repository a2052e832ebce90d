import { isObject, type JsonObject } from "../../fields.ts";
import type { ClientRequest, UpstreamBody, UsedInstead } from "../../wire.ts";
import { isWebSearch } from "./read-tools.ts";

/** Where this wire has what others call otherwise. A map, since many names are the client's own words. */
const PLACES: ReadonlyMap<string, readonly string[]> = new Map([
  ["reasoning_effort", ["reasoning.effort"]],
  ["verbosity", ["text.verbosity"]],
  ["user", ["user", "safety_identifier"]],
  // Not the settings but thoughts of another vendor.
  ["reasoning", []],
]);

/** A vendor that knows no schemas is asked for any JSON, and for this one in words. */
const SCHEMA_NAME = "response_format.json_schema";

const SEARCH_NAMES = ["tools.web_search", "web_search"];

function omit(holder: JsonObject, name: string): JsonObject {
  const { [name]: _omitted, ...rest } = holder;
  return rest;
}

/** A body without the members of these paths, as deep as its settings go. */
function without(body: JsonObject, paths: ReadonlySet<string>): JsonObject {
  if (paths.size === 0) return body;
  const rest = (holder: JsonObject, prefix: string) =>
    Object.entries(holder).filter(([name]) => !paths.has(prefix + name));
  return Object.fromEntries(
    rest(body, "").map(([name, value]) => [
      name,
      isObject(value) ? Object.fromEntries(rest(value, `${name}.`)) : value,
    ]),
  );
}

function toolsUsed(body: JsonObject, dropped: ReadonlySet<string>): JsonObject {
  if (!Array.isArray(body.tools)) return body;
  const searches = !SEARCH_NAMES.some((name) => dropped.has(name));
  const tools = body.tools.filter((tool, i) => {
    if (dropped.has(`tools[${i}]`)) return false;
    return searches || !isObject(tool) || !isWebSearch(tool.type);
  });
  if (tools.length === body.tools.length) return body;
  return tools.length > 0 ? { ...body, tools } : { ...omit(body, "tool_choice"), tools };
}

function valuesUsed(body: JsonObject, used: UsedInstead): JsonObject {
  const { temperature, maxOutput, effort } = used;
  const reasoning = isObject(body.reasoning) ? body.reasoning : {};
  return {
    ...body,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutput === undefined ? {} : { max_output_tokens: maxOutput }),
    ...(effort === undefined ? {} : { reasoning: { ...reasoning, effort } }),
  };
}

/**
 * The request with what the vendor was really told: a response repeats its settings, and must not
 * repeat what nobody heard.
 */
export function asUsed(request: ClientRequest, sent: UpstreamBody): ClientRequest {
  // Looked up, never searched for: a body may have very many members that nobody knows.
  const dropped = new Set(sent.dropped);
  const paths = new Set([...dropped].flatMap((name) => PLACES.get(name) ?? [name]));
  let body = without(toolsUsed(request.body, dropped), paths);
  if (dropped.has(SCHEMA_NAME)) {
    const shape = isObject(body.text) ? body.text : {};
    body = { ...body, text: { ...shape, format: { type: "json_object" } } };
  }
  return { ...request, body: valuesUsed(body, sent.used ?? {}) };
}
