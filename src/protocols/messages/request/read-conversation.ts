import type { Conversation, Format, Item, MessageItem, Tool, ToolChoice } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { number, objectOf, objectsOf, present, text, textOf, texts } from "../../optional.ts";
import type { ClientRequest } from "../../wire.ts";
import { isClientTool } from "./check-settings.ts";
import { readMessage } from "./read-blocks.ts";
import { isWebSearch } from "./request.ts";
import { isStrictSchema } from "./schema.ts";

/** Members that have a place in the conversation, or only hint at what a vendor may keep. */
const KNOWN = [
  "cache_control",
  "max_tokens",
  "messages",
  "metadata",
  "model",
  "output_config",
  "output_format",
  "stop_sequences",
  "stream",
  "system",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_k",
  "top_p",
];

/** Values that ask for no more than leaving the member out does. */
const SILENT: Readonly<Record<string, readonly unknown[]>> = {
  inference_geo: ["global"],
  service_tier: ["auto", "standard_only"],
  speed: ["standard"],
};

function lostMembers(body: JsonObject): string[] {
  return Object.keys(body).filter((name) => {
    const value = body[name];
    if (KNOWN.includes(name) || value === null) return false;
    return !(Object.hasOwn(SILENT, name) && SILENT[name]?.includes(value));
  });
}

function instructionsOf(system: unknown): string | undefined {
  if (!Array.isArray(system)) return text(system);
  const said = objectsOf(system).map((block) => textOf(block.text));
  return said.filter((text) => text !== "").join("\n\n") || undefined;
}

function itemsOf(messages: unknown, lost: string[]): Item[] {
  return objectsOf(messages).flatMap(({ role, content }, i) =>
    readMessage(role as MessageItem["role"], content, `messages[${i}].content`, lost),
  );
}

/** Members of a tool that change what it does and that no other wire has. */
const TOOL_EXTRAS = ["allowed_callers", "input_examples"];

function readSearchTool(tool: JsonObject): Tool {
  const { allowed_domains, blocked_domains, user_location } = tool;
  const filters = {
    ...(Array.isArray(allowed_domains) ? { allowed_domains } : {}),
    ...(Array.isArray(blocked_domains) ? { blocked_domains } : {}),
  };
  const settings = {
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    ...(isObject(user_location) ? { user_location } : {}),
  };
  return { type: "web_search", settings, ...present({ maxCalls: number(tool.max_uses) }) };
}

function readTool(tool: unknown, path: string, lost: string[]): Tool {
  if (!isObject(tool)) return { type: "foreign", path };
  if (isWebSearch(tool)) return readSearchTool(tool);
  if (!isClientTool(tool)) return { type: "foreign", path };
  for (const name of TOOL_EXTRAS) if (Array.isArray(tool[name])) lost.push(`${path}.${name}`);
  return {
    type: "function",
    name: textOf(tool.name),
    ...present({ description: text(tool.description) }),
    ...(isObject(tool.input_schema) ? { parameters: tool.input_schema } : {}),
    // Elsewhere strict also means that nothing is optional, which this wire does not ask for.
    ...(tool.strict === true ? { strict: isStrictSchema(tool.input_schema) } : {}),
  };
}

function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (!isObject(choice)) return undefined;
  if (choice.type === "tool") return { mode: "tool", name: text(choice.name) ?? "" };
  if (choice.type === "any") return { mode: "required" };
  return { mode: choice.type === "none" ? "none" : "auto" };
}

function readFormat(body: JsonObject): Format | undefined {
  const format = objectOf(body.output_config).format ?? body.output_format;
  if (!isObject(format) || !isObject(format.schema)) return undefined;
  const { schema } = format;
  return { type: "json_schema", name: "output", schema, strict: isStrictSchema(schema) };
}

/** How much to think, and whether the client wants to see it. */
function readThinking(body: JsonObject, lost: string[]): Partial<Conversation> {
  const config = objectOf(body.output_config);
  if (isObject(config.task_budget)) lost.push("output_config.task_budget");
  const effort = text(config.effort);
  const { thinking } = body;
  if (!isObject(thinking)) return { effort };
  if (thinking.type === "disabled") return { effort: "none", thinkingBudget: 0 };
  if (thinking.type === "between_tools") {
    lost.push("thinking");
    return { effort };
  }
  const budget = thinking.type === "enabled" ? number(thinking.budget_tokens) : undefined;
  const summary = thinking.display === "omitted" ? undefined : "auto";
  return { effort, thinkingBudget: budget ?? -1, summary };
}

/** A request of this wire as the conversation that all wires share. */
export function readMessagesConversation({ body, stream }: ClientRequest): Conversation {
  const lost = lostMembers(body);
  const tools = Array.isArray(body.tools) ? body.tools : [];
  const choice = body.tool_choice;
  const isSingle = isObject(choice) && choice.disable_parallel_tool_use === true;
  return {
    instructions: instructionsOf(body.system),
    items: itemsOf(body.messages, lost),
    tools: tools.map((tool, i) => readTool(tool, `tools[${i}]`, lost)),
    toolChoice: readToolChoice(choice),
    parallelToolCalls: isSingle ? false : undefined,
    maxOutput: number(body.max_tokens),
    temperature: number(body.temperature),
    topP: number(body.top_p),
    topK: number(body.top_k),
    stop: texts(body.stop_sequences),
    format: readFormat(body),
    ...readThinking(body, lost),
    choices: 1,
    user: text(objectOf(body.metadata).user_id),
    stream,
    lost,
  };
}
