import type { JsonObject } from "../support/samples/wires.ts";
import { list, only, Reading, type Seen, string, toolOf } from "./seen.ts";

const MEMBERS = [
  ...["model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "store"],
  ...["max_output_tokens", "temperature", "top_p", "text", "reasoning", "include", "stream"],
  ...["user", "prompt_cache_key", "truncation", "metadata", "max_tool_calls", "top_logprobs"],
];

function readInputPart(reading: Reading, part: JsonObject): void {
  switch (part.type) {
    case "input_text":
      reading.asked.push(string(only(part, "a text", ["type", "text"]).text, "a text"));
      return;
    case "input_image":
      only(part, "an image", ["type", "image_url", "detail"]);
      reading.images.push(string(part.image_url, "an image"));
      return;
    case "input_file":
      only(part, "a file", ["type", "filename", "file_data", "file_url"]);
      string(part.filename ?? part.file_url, "the name of a file");
      reading.files.push(string(part.file_data ?? part.file_url, "a file"));
      return;
    default:
      throw new Error(`a user cannot send ${part.type}`);
  }
}

function readMessage(reading: Reading, item: JsonObject): void {
  only(item, "a message", ["type", "role", "content", "id", "status", "phase"]);
  const { role, content } = item;
  if (role === "user") {
    if (typeof content === "string") reading.asked.push(string(content, "a prompt"));
    else for (const part of list(content, "content")) readInputPart(reading, part);
    return;
  }
  const texts =
    typeof content === "string"
      ? [content]
      : list(content, "content").map((part) => string(part.text ?? part.refusal, "a text"));
  if (role === "assistant") reading.said.push(...texts);
  else if (role === "system" || role === "developer") reading.system.push(...texts);
  else throw new Error(`nobody is called ${role}`);
}

function readCall(reading: Reading, item: JsonObject): void {
  const custom = item.type === "custom_tool_call";
  const text = string(custom ? item.input : item.arguments, "what a call was given");
  only(item, "a call", [
    ...["type", "id", "status", "call_id", "name", "namespace"],
    custom ? "input" : "arguments",
  ]);
  reading.calls.push({
    id: string(item.call_id, "call_id"),
    name: string(item.name, "name"),
    ...(item.namespace === undefined ? {} : { namespace: string(item.namespace, "namespace") }),
    arguments: custom ? text : JSON.parse(text),
  });
}

function readResult(reading: Reading, item: JsonObject): void {
  only(item, "a result", ["type", "id", "status", "call_id", "output"]);
  const id = string(item.call_id, "call_id");
  const call = reading.calls.find((each) => each.id === id);
  const kind = typeof call?.arguments === "string" ? "custom_tool_call" : "function_call";
  if (!call || item.type !== `${kind}_output`) throw new Error(`${item.type} has no call ${id}`);
  const inner = new Reading();
  if (typeof item.output === "string") inner.asked.push(item.output);
  else for (const part of list(item.output, "output")) readInputPart(inner, part);
  reading.results.push({ id, text: inner.asked.join("\n"), images: inner.images });
}

function readItem(reading: Reading, item: JsonObject): void {
  switch (item.type ?? "message") {
    case "message":
      readMessage(reading, item);
      return;
    case "function_call":
    case "custom_tool_call":
      readCall(reading, item);
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      readResult(reading, item);
      return;
    case "reasoning": {
      const { id, encrypted_content } = only(item, "reasoning", [
        ...["type", "id", "summary", "encrypted_content", "status"],
      ]);
      reading.states.push({ id, encrypted_content });
      return;
    }
    default:
      throw new Error(`no item is called ${item.type}`);
  }
}

function readTool(reading: Reading, tool: JsonObject, namespace?: string): void {
  const { name, description } = tool;
  const shared = { name: String(name), namespace, description };
  switch (tool.type) {
    case "function":
      only(tool, "a function", ["type", "name", "description", "parameters", "strict"]);
      reading.tools.push(toolOf({ ...shared, schema: tool.parameters }));
      return;
    case "custom":
      only(tool, "a custom tool", ["type", "name", "description", "format"]);
      reading.tools.push(toolOf({ ...shared, custom: true }));
      return;
    case "namespace":
      only(tool, "a namespace", ["type", "name", "description", "tools"]);
      for (const each of list(tool.tools, "tools")) readTool(reading, each, String(name));
      return;
    case "web_search":
      reading.searches = true;
      return;
    default:
      throw new Error(`no tool is called ${tool.type}`);
  }
}

/** A request as a vendor of the Responses wire understands it. */
export function seenByResponses(body: JsonObject): Seen {
  const reading = new Reading();
  only(body, "the request", MEMBERS);
  if (body.store !== false) throw new Error("the vendor was asked to keep something");
  if (typeof body.instructions === "string") reading.system.push(body.instructions);
  if (typeof body.input === "string") reading.asked.push(body.input);
  else for (const item of list(body.input, "input")) readItem(reading, item);
  for (const tool of list(body.tools ?? [], "tools")) readTool(reading, tool);
  const { format } = only(body.text ?? {}, "text", ["format", "verbosity"]);
  if (format !== undefined && (format as JsonObject).type === "json_schema") {
    const names = ["type", "name", "schema", "strict", "description"];
    const shape = only(format, "the format", names);
    string(shape.name, "the name of a format");
    reading.schema = shape.schema;
  }
  const { effort } = only(body.reasoning ?? {}, "reasoning", ["effort", "summary"]);
  reading.effort = effort as string | undefined;
  reading.choice = body.tool_choice as string | undefined;
  reading.maxOutput = body.max_output_tokens as number | undefined;
  return reading;
}
