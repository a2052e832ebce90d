import { newId } from "../../lib/ids.ts";
import type { SearchItem } from "../canon.ts";
import { isObject, type JsonObject } from "../fields.ts";

/** Marks a search that another wire's vendor made: its results cannot go to a vendor of this one. */
export const OWN_SEARCH = "srvtoolu_fgs_";

/** The query of a search, from the input that the model wrote. */
export function queryOf(input: unknown): string {
  return isObject(input) && typeof input.query === "string" ? input.query : "";
}

/** A search with what it found: the block of its result, and the query that led to it. */
export function readSearch(result: JsonObject, query: string): SearchItem {
  const found = Array.isArray(result.content) ? result.content : undefined;
  const sources = (found ?? []).flatMap((source) =>
    isObject(source) && typeof source.url === "string" ? [{ type: "url", url: source.url }] : [],
  );
  return {
    type: "search",
    ...(typeof result.tool_use_id === "string" ? { id: result.tool_use_id } : {}),
    status: found ? "completed" : "failed",
    action: { type: "search", query, ...(sources.length > 0 ? { sources } : {}) },
  };
}

function writeSource(source: unknown): JsonObject[] {
  if (!isObject(source) || typeof source.url !== "string") return [];
  const title = typeof source.title === "string" ? source.title : source.url;
  return [{ type: "web_search_result", url: source.url, title, encrypted_content: "" }];
}

/** The two blocks that tell of a search: what was asked and what was found. */
export function writeSearch(item: SearchItem): { use: JsonObject; result: JsonObject } {
  const id = newId(OWN_SEARCH);
  const sources = Array.isArray(item.action?.sources) ? item.action.sources : [];
  const content =
    item.status === "failed"
      ? { type: "web_search_tool_result_error", error_code: "unavailable" }
      : sources.flatMap(writeSource);
  const queries = Array.isArray(item.action?.queries) ? item.action.queries : [];
  const query = queryOf(item.action) || queries.join("; ");
  return {
    use: { type: "server_tool_use", id, name: "web_search", input: { query } },
    result: { type: "web_search_tool_result", tool_use_id: id, content },
  };
}
