import {
  checkContent,
  checkRole,
  checkText,
  emptyArray,
  isObject,
  type JsonObject,
  missing,
  optionalArray,
  optionalString,
  requiredString,
  unsupported,
  wrongType,
  wrongValue,
} from "../../fields.ts";
import { checkPartKind, checkPicture } from "../../openai-fields.ts";
import { refuseUnpricedMedia } from "../../unpriced.ts";

/** The items of a conversation, those included that only some vendors or clients know. */
const ITEM_KINDS = new Set([
  ...["message", "reasoning", "item_reference", "additional_tools", "agent_message"],
  ...["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"],
  ...["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"],
  ...["computer_call", "computer_call_output", "local_shell_call", "local_shell_call_output"],
  ...["shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output"],
  ...["mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call"],
  ...["tool_search_call", "tool_search_output", "program", "program_output"],
  ...["compaction", "compaction_summary", "compaction_trigger", "context_compaction"],
  ...["configuration_update", "ghost_snapshot"],
]);

/** What an item of some kinds is nothing without. */
const NEEDED: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "name"],
  ["custom_tool_call", "name"],
  ["function_call_output", "call_id"],
  ["custom_tool_call_output", "call_id"],
]);

const CALLS: readonly unknown[] = ["function_call", "custom_tool_call"];
const RESULTS: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];

/** The parts of what is said. Some clients use the chat wire's word for a text. */
const PART_KINDS = [
  ...["input_text", "output_text", "text", "input_image", "input_file", "refusal"],
  ...["summary_text", "reasoning_text", "computer_screenshot"],
];

function checkPart(part: JsonObject, path: string): void {
  refuseUnpricedMedia(part, path);
  checkText(part, path);
  if (part.file_id !== undefined && part.file_id !== null) {
    throw unsupported(
      `${path}.file_id`,
      "Files of a vendor's account cannot be used here; send the data or an address instead.",
    );
  }
  if (part.type === "input_image") checkImage(part, path);
  if (part.type === "input_file") checkFile(part, path);
  if (part.type === "refusal") requiredString(part, "refusal", path);
}

function checkImage(part: JsonObject, path: string): void {
  const place = `${path}.image_url`;
  if (part.image_url === undefined || part.image_url === null) throw missing(place);
  checkPicture(part.image_url, place);
  optionalString(part, "detail", path);
}

function checkFile(part: JsonObject, path: string): void {
  const data = optionalString(part, "file_data", path);
  const address = optionalString(part, "file_url", path);
  if (data === undefined && address === undefined) throw missing(`${path}.file_data`);
  optionalString(part, "filename", path);
}

/** A part of what somebody said, or of what a tool returned. */
function checkSpoken(part: unknown, path: string): void {
  if (!isObject(part)) throw wrongType(path, "an object", part);
  if (typeof part.type !== "string") throw missing(`${path}.type`);
  checkPart(part, path);
  checkPartKind(part, PART_KINDS, path);
}

function checkKind({ type }: JsonObject, holder: string): void {
  if (type === undefined || type === null) return;
  if (typeof type !== "string") throw wrongType(`${holder}.type`, "a string", type);
  // A name with a colon is a vendor's own.
  if (ITEM_KINDS.has(type) || type.includes(":")) return;
  throw wrongValue(
    `${holder}.type`,
    `'${type.slice(0, 64)}' is no kind of item that is known here.`,
  );
}

/** A call goes by an id of its own, and has what it was called with as a text. */
function checkCall(item: JsonObject, path: string): void {
  const id = optionalString(item, "call_id", path);
  if (id === undefined && typeof item.id !== "string") throw missing(`${path}.call_id`);
  optionalString(item, "arguments", path);
  optionalString(item, "input", path);
}

/** What a call returned. Where a client ran the tool it is a text, parts, or a bare value. */
function checkOutput(item: JsonObject, path: string): void {
  const { output } = item;
  const isResult = RESULTS.includes(item.type);
  if (isResult && output === undefined) throw missing(`${path}.output`);
  if (typeof output !== "object" || output === null) return;
  const place = `${path}.output`;
  if (!Array.isArray(output)) {
    checkPart(output as JsonObject, place);
    return;
  }
  output.forEach((part, i) => {
    if (isResult) checkSpoken(part, `${place}[${i}]`);
    else if (isObject(part)) checkPart(part, `${place}[${i}]`);
  });
}

function checkItem(item: unknown, path: string): void {
  if (!isObject(item)) throw wrongType(path, "an object", item);
  checkKind(item, path);
  const needed = NEEDED.get(item.type);
  if (needed !== undefined && typeof item[needed] !== "string") throw missing(`${path}.${needed}`);
  if (CALLS.includes(item.type)) checkCall(item, path);
  checkOutput(item, path);
  if (item.type === "reasoning") optionalArray(item, "summary", path);
  const isMessage = item.type === "message" || (item.type === undefined && item.id === undefined);
  if (!isMessage && item.role === undefined) return;
  checkRole(item, path);
  const { content } = item;
  if (content === undefined && item.type !== "additional_tools") throw missing(`${path}.content`);
  if (content === undefined || typeof content === "string") return;
  const place = `${path}.content`;
  checkContent(content, place, item.role);
  if (!Array.isArray(content)) return;
  for (let i = 0; i < content.length; i++) checkSpoken(content[i], `${place}[${i}]`);
}

/** What a request says, as a text or as items. */
export function checkInput(body: JsonObject): void {
  const { input } = body;
  if (input === undefined || input === null) throw missing("input");
  if (typeof input === "string") return;
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array of items", input);
  if (input.length === 0) throw emptyArray("input");
  input.forEach((item, i) => {
    checkItem(item, `input[${i}]`);
  });
}
