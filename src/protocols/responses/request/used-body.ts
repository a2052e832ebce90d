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

/** A body without the member of that path, as deep as its settings go. */
function without(body: JsonObject, path: string): JsonObject {
  const [name = "", inner] = path.split(".");
  if (inner === undefined) return omit(body, name);
  const holder = body[name];
  return isObject(holder) ? { ...body, [name]: omit(holder, inner) } : body;
}

function toolsUsed(body: JsonObject, dropped: readonly string[]): JsonObject {
  if (!Array.isArray(body.tools)) return body;
  const searches = !dropped.some((name) => SEARCH_NAMES.includes(name));
  const tools = body.tools.filter((tool, i) => {
    if (dropped.includes(`tools[${i}]`)) return false;
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
export function asUsed(
  request: ClientRequest,
  { dropped, used = {} }: UpstreamBody,
): ClientRequest {
  let body = toolsUsed(request.body, dropped);
  for (const name of dropped) {
    for (const place of PLACES.get(name) ?? [name]) body = without(body, place);
  }
  if (dropped.includes(SCHEMA_NAME)) {
    const shape = isObject(body.text) ? body.text : {};
    body = { ...body, text: { ...shape, format: { type: "json_object" } } };
  }
  return { ...request, body: valuesUsed(body, used) };
}
