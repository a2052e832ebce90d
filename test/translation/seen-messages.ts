import type { JsonObject } from "../support/samples/wires.ts";
import { list, only, Reading, type Seen, sameIds, string, toolOf } from "./seen.ts";

const MEMBERS = [
  ...["model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "stream"],
  ...["output_config", "stop_sequences", "temperature", "top_p", "top_k", "metadata"],
  ...["cache_control", "service_tier"],
];
const CACHE = "cache_control";

function dataUrl(source: unknown): string {
  const { type, media_type, data, url } = only(source, "a source", [
    ...["type", "media_type", "data", "url"],
  ]);
  if (type === "url") return string(url, "an address");
  return `data:${string(media_type, "media_type")};base64,${string(data, "data")}`;
}

function readShown(reading: Reading, block: JsonObject): void {
  switch (block.type) {
    case "text":
      reading.asked.push(string(only(block, "a text", ["type", "text", CACHE]).text, "a text"));
      return;
    case "image":
      only(block, "an image", ["type", "source", CACHE]);
      reading.images.push(dataUrl(block.source));
      return;
    case "document":
      only(block, "a document", ["type", "source", "title", "context", "citations", CACHE]);
      reading.files.push(dataUrl(block.source));
      return;
    default:
      throw new Error(`a user cannot send ${block.type}`);
  }
}

function readResult(reading: Reading, block: JsonObject): string {
  only(block, "a result", ["type", "tool_use_id", "content", "is_error", CACHE]);
  const id = string(block.tool_use_id, "tool_use_id");
  const inner = new Reading();
  if (typeof block.content === "string") inner.asked.push(block.content);
  else for (const part of list(block.content ?? [], "content")) readShown(inner, part);
  reading.results.push({ id, text: inner.asked.join("\n"), images: inner.images });
  return id;
}

/** Returns the calls whose results must come first in the turn behind. */
function readAssistant(reading: Reading, content: unknown): string[] {
  if (typeof content === "string") {
    reading.said.push(content);
    return [];
  }
  const ids: string[] = [];
  for (const block of list(content, "content")) {
    if (block.type === "text") {
      only(block, "a text", ["type", "text", "citations", CACHE]);
      reading.said.push(string(block.text, "a text"));
    } else if (block.type === "thinking") {
      const { thinking, signature } = only(block, "thinking", ["type", "thinking", "signature"]);
      reading.states.push({ thinking, signature });
    } else if (block.type === "redacted_thinking") {
      const { data } = only(block, "redacted thinking", ["type", "data"]);
      reading.states.push({ data });
    } else if (block.type === "tool_use") {
      only(block, "a call", ["type", "id", "name", "input", CACHE, "caller"]);
      const id = string(block.id, "id");
      ids.push(id);
      reading.calls.push({ id, name: string(block.name, "name"), arguments: block.input });
    } else throw new Error(`an answer cannot hold ${block.type}`);
  }
  return ids;
}

function readUser(reading: Reading, content: unknown): string[] {
  if (typeof content === "string") {
    reading.asked.push(content);
    return [];
  }
  const ids: string[] = [];
  let shown = false;
  for (const block of list(content, "content")) {
    if (block.type !== "tool_result") {
      shown = true;
      readShown(reading, block);
      continue;
    }
    if (shown) throw new Error("results come before anything else that is said");
    ids.push(readResult(reading, block));
  }
  return ids;
}

function readTurns(reading: Reading, messages: readonly JsonObject[]): void {
  let open: string[] = [];
  messages.forEach((message, i) => {
    only(message, "a message", ["role", "content"]);
    const expected = i % 2 === 0 ? "user" : "assistant";
    if (message.role !== expected) throw new Error(`turn ${i} is not the ${expected}'s`);
    if (message.role === "assistant") {
      open = readAssistant(reading, message.content);
      return;
    }
    sameIds(open, readUser(reading, message.content), "messages");
    open = [];
  });
}

function readTool(reading: Reading, tool: JsonObject): void {
  if (typeof tool.type === "string" && tool.type.startsWith("web_search_")) {
    reading.searches = true;
    return;
  }
  const names = ["type", "name", "description", "input_schema", "strict", CACHE];
  only(tool, "a tool", [...names, "eager_input_streaming"]);
  const { name, description, input_schema } = tool;
  reading.tools.push(toolOf({ name: string(name, "name"), description, schema: input_schema }));
}

const CHOICES: Readonly<Record<string, string>> = { any: "required", auto: "auto", none: "none" };

/** A request as a vendor of the Messages wire understands it. */
export function seenByMessages(body: JsonObject): Seen {
  const reading = new Reading();
  only(body, "the request", MEMBERS);
  const { system } = body;
  if (typeof system === "string") reading.system.push(system);
  else for (const { text } of list(system ?? [], "system")) reading.system.push(String(text));
  readTurns(reading, list(body.messages, "messages"));
  for (const tool of list(body.tools ?? [], "tools")) readTool(reading, tool);
  const config = only(body.output_config ?? {}, "output_config", ["effort", "format"]);
  reading.effort = config.effort as string | undefined;
  if (config.format) reading.schema = only(config.format, "format", ["type", "schema"]).schema;
  if (body.thinking) {
    const { type } = only(body.thinking, "thinking", ["type", "budget_tokens", "display"]);
    if (type !== "adaptive") throw new Error("this model thinks as it sees fit");
  }
  const choice = only(body.tool_choice ?? {}, "tool_choice", [
    ...["type", "name", "disable_parallel_tool_use"],
  ]);
  reading.choice = CHOICES[String(choice.type)];
  reading.maxOutput = body.max_tokens as number;
  reading.stop = (body.stop_sequences ?? []) as string[];
  return reading;
}
