import type { JsonObject } from "../support/samples/wires.ts";
import { list, only, Reading, type Seen, sameIds, string, toolOf } from "./seen.ts";

const MEMBERS = [
  ...["model", "messages", "tools", "tool_choice", "parallel_tool_calls", "max_tokens", "stop"],
  ...["temperature", "top_p", "response_format", "reasoning_effort", "stream", "stream_options"],
  ...["user", "prompt_cache_key", "store", "n", "seed", "verbosity", "logprobs", "top_logprobs"],
];

function readPart(reading: Reading, part: JsonObject): void {
  switch (part.type) {
    case "text":
      reading.asked.push(string(only(part, "a text", ["type", "text"]).text, "a text"));
      return;
    case "image_url": {
      only(part, "an image", ["type", "image_url"]);
      const { url } = only(part.image_url, "an image", ["url", "detail"]);
      reading.images.push(string(url, "an image"));
      return;
    }
    case "file": {
      only(part, "a file", ["type", "file"]);
      const { file_data, filename } = only(part.file, "a file", ["filename", "file_data"]);
      string(filename, "the name of a file");
      reading.files.push(string(file_data, "a file"));
      return;
    }
    default:
      throw new Error(`no part is called ${part.type}`);
  }
}

function readContent(reading: Reading, content: unknown): void {
  if (typeof content === "string") reading.asked.push(content);
  else for (const part of list(content, "content")) readPart(reading, part);
}

function readCall(reading: Reading, call: JsonObject): string {
  only(call, "a call", ["id", "type", "function", "extra_content"]);
  const inner = only(call.function, "a function", ["name", "arguments"]);
  const id = string(call.id, "id");
  const args = JSON.parse(string(inner.arguments, "arguments"));
  reading.calls.push({ id, name: string(inner.name, "name"), arguments: args });
  return id;
}

/** Returns the calls whose results must follow at once. */
function readAssistant(reading: Reading, message: JsonObject): string[] {
  only(message, "an answer", [
    ...["role", "content", "refusal", "tool_calls", "reasoning_content", "reasoning_details"],
    ...["name", "annotations", "reasoning"],
  ]);
  const { content, tool_calls, reasoning_details, refusal } = message;
  if (typeof content === "string" && content !== "") reading.said.push(content);
  if (Array.isArray(content)) {
    for (const part of content as JsonObject[]) reading.said.push(string(part.text, "a text"));
  }
  if (typeof refusal === "string") reading.said.push(refusal);
  if (reasoning_details !== undefined) reading.states.push(reasoning_details);
  return tool_calls ? list(tool_calls, "tool_calls").map((call) => readCall(reading, call)) : [];
}

function readResult(reading: Reading, message: JsonObject): string {
  only(message, "a result", ["role", "tool_call_id", "content"]);
  const id = string(message.tool_call_id, "tool_call_id");
  const inner = new Reading();
  readContent(inner, message.content);
  reading.results.push({ id, text: inner.asked.join("\n"), images: inner.images });
  return id;
}

/** Results stand right behind the answer that made their calls, and nowhere else. */
function readMessages(reading: Reading, messages: readonly JsonObject[]): void {
  let open: string[] = [];
  let answered: string[] = [];
  const close = () => {
    sameIds(open, answered, "messages");
    open = [];
    answered = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      answered.push(readResult(reading, message));
      continue;
    }
    close();
    if (message.role === "assistant") open = readAssistant(reading, message);
    else if (message.role === "user") {
      only(message, "a prompt", ["role", "content"]);
      readContent(reading, message.content);
    } else if (message.role === "system") reading.system.push(string(message.content, "system"));
    else throw new Error(`nobody is called ${message.role}`);
  }
  close();
}

function readTool(tool: JsonObject) {
  only(tool, "a tool", ["type", "function"]);
  const names = ["name", "description", "parameters", "strict"];
  const { name, description, parameters } = only(tool.function, "a function", names);
  return toolOf({ name: string(name, "name"), description, schema: parameters });
}

/** A request as a vendor of the chat wire understands it. */
export function seenByChat(body: JsonObject): Seen {
  const reading = new Reading();
  only(body, "the request", MEMBERS);
  readMessages(reading, list(body.messages, "messages"));
  reading.tools.push(...list(body.tools ?? [], "tools").map(readTool));
  if (body.response_format !== undefined) {
    const format = only(body.response_format, "response_format", ["type", "json_schema"]);
    if (format.type === "json_schema") {
      const names = ["name", "schema", "strict", "description"];
      const shape = only(format.json_schema, "json_schema", names);
      string(shape.name, "the name of a format");
      reading.schema = shape.schema;
    }
  }
  if (body.stream === true) only(body.stream_options, "stream_options", ["include_usage"]);
  const { stop = [] } = body;
  reading.stop = typeof stop === "string" ? [stop] : (stop as string[]);
  reading.choice = body.tool_choice as string | undefined;
  reading.effort = body.reasoning_effort as string | undefined;
  reading.maxOutput = body.max_tokens as number | undefined;
  return reading;
}
