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

function checkFile(part: JsonObject, path: string): void {
  const file = requiredObject(part, "file", path);
  if (file.file_id !== undefined && file.file_id !== null) {
    throw unsupported(
      `${path}.file_id`,
      "Files of a vendor's account cannot be used here; send 'file_data' instead of 'file_id'.",
    );
  }
  requiredString(file, "file_data", `${path}.file_data`);
  optionalString(file, "filename", `${path}.filename`);
}

function checkPart(part: JsonObject, path: string): void {
  refuseUnpricedMedia(part, path);
  checkPartKind(part, PART_KINDS, path);
  checkText(part, path);
  if (part.type === "refusal") requiredString(part, "refusal", `${path}.refusal`);
  if (part.type === "file") checkFile(part, `${path}.file`);
  if (part.type !== "image_url") return;
  if (part.image_url === undefined || part.image_url === null) throw missing(`${path}.image_url`);
  checkPicture(part.image_url, `${path}.image_url`);
}

/** What a tool returned says to which call, and in the older form of which function it is. */
function checkCallId(message: JsonObject, path: string): void {
  if (message.role === "function") requiredString(message, "name", `${path}.name`);
  if (message.role !== "tool") return;
  const id = optionalString(message, "tool_call_id", `${path}.tool_call_id`);
  if (id === undefined || id === "") throw missing(`${path}.tool_call_id`);
}

/** A function, or a free text, that was called by its name. */
function checkCalled(call: JsonObject, path: string): void {
  requiredString(call, "name", `${path}.name`);
  for (const name of ["arguments", "input"]) optionalString(call, name, `${path}.${name}`);
}

function checkCalls(message: JsonObject, path: string): void {
  const list = `${path}.tool_calls`;
  eachObject(optionalArray(message, "tool_calls", list), list, (call, place) => {
    requiredString(call, "id", `${place}.id`);
    const kind = isObject(call.custom) ? "custom" : "function";
    checkCalled(requiredObject(call, kind, `${place}.${kind}`), `${place}.${kind}`);
  });
  const older = optionalObject(message, "function_call", `${path}.function_call`);
  if (older) checkCalled(older, `${path}.function_call`);
}

export function checkMessage(message: JsonObject, path: string): void {
  if (message.audio !== undefined && message.audio !== null) {
    throw unsupported(
      `${path}.audio`,
      "Audio of a vendor's account cannot be used here; send text.",
    );
  }
  checkRole(message, path, ["tool", "function"]);
  checkCallId(message, path);
  checkCalls(message, path);
  optionalString(message, "name", `${path}.name`);
  optionalString(message, "refusal", `${path}.refusal`);
  const calls = message.tool_calls ?? message.function_call ?? message.refusal;
  if (message.content === undefined && calls === undefined) throw missing(`${path}.content`);
  if (message.content === undefined) return;
  checkContent(message.content, `${path}.content`, message.role);
  if (!Array.isArray(message.content)) return;
  message.content.forEach((part, i) => {
    checkPart(part, `${path}.content[${i}]`);
  });
}
