import type { Item, MessageItem, Part, TextPart } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { textOf } from "../../optional.ts";
import { readCitation } from "../answer/citations.ts";
import { readDocument, readImage } from "../answer/sources.ts";
import { queryOf, readSearch } from "../searches.ts";
import { readThinking } from "./reasoning.ts";

function readText(block: JsonObject): TextPart {
  const text = textOf(block.text);
  if (!Array.isArray(block.citations) || block.citations.length === 0) {
    return { type: "text", text };
  }
  const annotations = block.citations
    .filter(isObject)
    .map((citation) => readCitation(citation, 0, text.length));
  return { type: "text", text, annotations };
}

/** A source that the client found by itself, for vendors that know only text. */
function readFound(block: JsonObject): TextPart {
  const texts = Array.isArray(block.content) ? block.content : [];
  const words = texts.map((inner) => (isObject(inner) ? textOf(inner.text) : ""));
  const lines = [textOf(block.title), textOf(block.source), ...words];
  return { type: "text", text: lines.filter((line) => line !== "").join("\n") };
}

const PARTS = new Map<unknown, (block: JsonObject) => Part[]>(
  Object.entries({
    text: (block: JsonObject) => [readText(block)],
    image: (block: JsonObject) => [readImage(block)],
    document: readDocument,
    search_result: (block: JsonObject) => [readFound(block)],
    // Every tool is declared in full here, so a pointer to one has only its name to say.
    tool_reference: (block: JsonObject): Part[] => [
      { type: "text", text: textOf(block.tool_name) },
    ],
  }),
);

function readPart(block: unknown, path: string, lost: string[]): Part[] {
  if (!isObject(block)) return [];
  const read = PARTS.get(block.type);
  if (!read) lost.push(path);
  else if (isObject(block.citations) && block.citations.enabled === true) {
    lost.push(`${path}.citations`);
  }
  return read?.(block) ?? [];
}

/** Content that is a text or a list of blocks, without calls and thoughts. */
function readParts(content: unknown, path: string, lost: string[]): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block, i) => readPart(block, `${path}[${i}]`, lost));
}

interface Reading {
  readonly lost: string[];
  /** Queries of searches whose results have not come yet. */
  readonly queries: Map<unknown, string>;
}

type ReadBlock = (block: JsonObject, path: string, reading: Reading) => Item[];

const BLOCKS = new Map<unknown, ReadBlock>(
  Object.entries({
    thinking: (block: JsonObject) => [readThinking(block)],
    redacted_thinking: (block: JsonObject) => [readThinking(block)],
    tool_use: (block: JsonObject): Item[] => [
      {
        type: "call",
        callId: textOf(block.id),
        name: textOf(block.name),
        custom: false,
        arguments: JSON.stringify(block.input ?? {}),
      },
    ],
    tool_result: (block: JsonObject, path: string, { lost }: Reading): Item[] => [
      {
        type: "result",
        callId: textOf(block.tool_use_id),
        custom: false,
        parts: readParts(block.content, `${path}.content`, lost),
        ...(block.is_error === true ? { failed: true } : {}),
      },
    ],
    server_tool_use: (block: JsonObject, path: string, { queries, lost }: Reading) => {
      if (block.name === "web_search") queries.set(block.id, queryOf(block.input));
      else lost.push(path);
      return [];
    },
    web_search_tool_result: (block: JsonObject, _path: string, { queries }: Reading) => [
      readSearch(block, queries.get(block.tool_use_id) ?? ""),
    ],
  }),
);

/** One message, as the items it holds, in their order. */
export function readMessage(
  role: MessageItem["role"],
  content: unknown,
  path: string,
  lost: string[],
): Item[] {
  if (!Array.isArray(content)) {
    return [{ type: "message", role, parts: readParts(content, path, lost) }];
  }
  const reading: Reading = { lost, queries: new Map() };
  const items: Item[] = [];
  let parts: Part[] = [];
  const closeMessage = () => {
    if (parts.length > 0) items.push({ type: "message", role, parts });
    parts = [];
  };
  content.forEach((block, i) => {
    const read = isObject(block) ? BLOCKS.get(block.type) : undefined;
    const place = `${path}[${i}]`;
    if (!read) {
      parts.push(...readPart(block, place, lost));
      return;
    }
    closeMessage();
    items.push(...read(block, place, reading));
  });
  closeMessage();
  return items;
}
