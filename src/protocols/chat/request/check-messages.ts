import {
  checkContent,
  checkRole,
  checkText,
  eachObject,
  isObject,
  type JsonObject,
  missing,
  optionalArray,
  optionalObject,
  optionalString,
  requiredObject,
  requiredString,
  unsupported,
} from "../../fields.ts";
import { checkPartKind, checkPicture } from "../../openai-fields.ts";
import { refuseUnpricedMedia } from "../../unpriced.ts";

/** The wire's own parts, and those of a vendor that speaks it. */
const PART_KINDS = [
  ...["text", "image_url", "file", "refusal"],
  ...["thinking", "document_url", "reference"],
];

function checkFile(part: JsonObject, holder: string): void {
  const file = requiredObject(part, "file", holder);
  const path = `${holder}.file`;
  if (file.file_id !== undefined && file.file_id !== null) {
    throw unsupported(
      `${path}.file_id`,
      "Files of a vendor's account cannot be used here; send 'file_data' instead of 'file_id'.",
    );
  }
  requiredString(file, "file_data", path);
  optionalString(file, "filename", path);
}

function checkPart(part: JsonObject, path: string): void {
  refuseUnpricedMedia(part, path);
  checkPartKind(part, PART_KINDS, path);
  checkText(part, path);
  if (part.type === "refusal") requiredString(part, "refusal", path);
  if (part.type === "file") checkFile(part, path);
  if (part.type !== "image_url") return;
  if (part.image_url === undefined || part.image_url === null) throw missing(`${path}.image_url`);
  checkPicture(part.image_url, `${path}.image_url`);
}

/** What a tool returned says to which call, and in the older form of which function it is. */
function checkCallId(message: JsonObject, path: string): void {
  if (message.role === "function") requiredString(message, "name", path);
  if (message.role !== "tool") return;
  const id = optionalString(message, "tool_call_id", path);
  if (id === undefined || id === "") throw missing(`${path}.tool_call_id`);
}

/** A function, or a free text, that was called by its name. */
function checkCalled(call: JsonObject, path: string): void {
  requiredString(call, "name", path);
  optionalString(call, "arguments", path);
  optionalString(call, "input", path);
}

function checkCall(call: JsonObject, path: string): void {
  requiredString(call, "id", path);
  const kind = isObject(call.custom) ? "custom" : "function";
  checkCalled(requiredObject(call, kind, path), `${path}.${kind}`);
}

function checkCalls(message: JsonObject, path: string): void {
  const calls = optionalArray(message, "tool_calls", path);
  if (calls) eachObject(calls, `${path}.tool_calls`, checkCall);
  const older = optionalObject(message, "function_call", path);
  if (older) checkCalled(older, `${path}.function_call`);
}

/** Whose messages tell what a tool returned, in the older form too. */
const TOOL_ROLES = ["tool", "function"];

export function checkMessage(message: JsonObject, path: string): void {
  if (message.audio !== undefined && message.audio !== null) {
    throw unsupported(
      `${path}.audio`,
      "Audio of a vendor's account cannot be used here; send text.",
    );
  }
  checkRole(message, path, TOOL_ROLES);
  checkCallId(message, path);
  checkCalls(message, path);
  optionalString(message, "name", path);
  optionalString(message, "refusal", path);
  const { content } = message;
  // Most messages are a text.
  if (typeof content !== "string") checkSpoken(message, content, path);
}

/** What a message says in parts, or says nothing of. */
function checkSpoken(message: JsonObject, content: unknown, path: string): void {
  const calls = message.tool_calls ?? message.function_call ?? message.refusal;
  if (content === undefined && calls === undefined) throw missing(`${path}.content`);
  if (content === undefined) return;
  const place = `${path}.content`;
  checkContent(content, place, message.role);
  if (!Array.isArray(content)) return;
  for (let i = 0; i < content.length; i++) checkPart(content[i], `${place}[${i}]`);
}
