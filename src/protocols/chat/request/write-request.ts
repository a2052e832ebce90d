import { Unwritten } from "../../bytes/splice.ts";
import { spliced } from "../../bytes/written-body.ts";
import { DROPPED_REASONING } from "../../dropped-reasoning.ts";
import { isSealed } from "../../envelope.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import {
  dropMembers,
  dropTools,
  hasUnpricedTier,
  isAllowedTool,
  type MemberEdits,
  newEdits,
} from "../../unpriced.ts";
import type { ClientRequest, Dialect, UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { signatureOf } from "../reasoning-state.ts";
import { CHAT_PASSED, CHAT_REFUSED } from "./members.ts";
import { readFormat, readToolChoice, readTools } from "./read-tools.ts";
import { editThinking } from "./thinking.ts";
import { SAMPLING, UNASKED } from "./write-conversation.ts";
import { NO_THINKING } from "./write-messages.ts";
import { allowedTools, withSchema, writeCall, writeTool, writeToolChoice } from "./write-tools.ts";

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Members that are left out because nothing here prices them, or the vendor refuses them. */
function droppedMembers(body: JsonObject, options: UpstreamOptions): string[] {
  const dropped: string[] = [];
  if (hasUnpricedTier(body)) dropped.push("service_tier");
  if (body.web_search_options && !options.webSearch) dropped.push("web_search_options");
  if (options.rules.includes("no_sampling")) addSet(SAMPLING, body, dropped);
  const { refuses } = options.dialect;
  if (refuses !== undefined) addSet(refuses, body, dropped);
  return dropped;
}

/** Names those of some members that a request has. */
function addSet(names: readonly string[], body: JsonObject, dropped: string[]): void {
  for (const name of names) {
    if (isSet(body[name]) && !dropped.includes(name)) dropped.push(name);
  }
}

function isKept(tool: unknown, { allows }: UpstreamOptions): boolean {
  if (isObject(tool) && (tool.type === "function" || tool.type === "custom")) return true;
  return isAllowedTool(tool, allows);
}

/**
 * The output maximum under the one name that the vendor knows, and within the clamp. Of two only the one that counts is
 * told: some vendors refuse both together, and others would go by the other one.
 */
function editMaximum(request: ClientRequest, options: UpstreamOptions, edits: MemberEdits): void {
  const { body, maxOutput } = request;
  const clamp = options.outputClamp;
  const isOver = clamp !== undefined && (maxOutput === undefined || maxOutput > clamp);
  if (options.dialect.maxTokensName === "max_tokens") {
    const max = isOver ? clamp : maxOutput;
    if (body.max_completion_tokens !== undefined) edits.max_completion_tokens = undefined;
    if (max !== undefined && (isOver || body.max_tokens !== max)) edits.max_tokens = String(max);
    return;
  }
  const hasNewer = isSet(body.max_completion_tokens);
  const hasOlder = isSet(body.max_tokens);
  if (isOver) edits[hasOlder && !hasNewer ? "max_tokens" : "max_completion_tokens"] = String(clamp);
  if (hasNewer && hasOlder) edits.max_tokens = undefined;
}

function isCustom(value: unknown): boolean {
  return isObject(value) && value.type === "custom";
}

/** Free text tools as functions, for vendors that know nothing else. */
function editTools(
  body: JsonObject,
  given: readonly unknown[],
  dialect: Dialect,
  edits: MemberEdits,
): void {
  if (dialect.customTools || !given.some(isCustom)) return;
  const choice = readToolChoice(body);
  const tools = allowedTools(readTools(body), choice, dialect);
  edits.tools = new Unwritten(tools.flatMap((tool) => writeTool(tool, dialect) ?? []));
  const chosen = writeToolChoice(choice, tools, dialect);
  edits.tool_choice = chosen === undefined ? undefined : new Unwritten(chosen);
}

function writtenCall(call: unknown, dialect: Dialect): unknown {
  if (!isObject(call)) return call;
  const { extra_content, ...plain } = call;
  const kept = dialect.reasoningBack ? call : plain;
  const { custom, id } = call;
  if (dialect.customTools || !isObject(custom)) return kept;
  const name = String(custom.name);
  const input = String(custom.input ?? "");
  const item = { type: "call", callId: String(id), name, custom: true, arguments: input } as const;
  return writeCall(item, dialect);
}

/** Thinking for a vendor that wants it back, without the envelopes that only we can open. */
function ownThinking(message: JsonObject): JsonObject {
  const { reasoning_details: details, ...rest } = message;
  const isOurs = (detail: unknown) =>
    isObject(detail) && typeof detail.data === "string" && isSealed(detail.data);
  const own = Array.isArray(details) ? details.filter((detail) => !isOurs(detail)) : [];
  const thinking = rest.reasoning_content || rest.reasoning || own.length > 0;
  const isMissing = Array.isArray(rest.tool_calls) && !thinking;
  return {
    ...rest,
    ...(own.length > 0 ? { reasoning_details: own } : {}),
    ...(isMissing ? { reasoning_content: NO_THINKING } : {}),
  };
}

function withoutThinking(message: JsonObject): JsonObject {
  const { reasoning_details, reasoning_content, reasoning, ...rest } = message;
  return rest;
}

/** One message as the vendor knows it; the very same object where there is nothing to change. */
function writtenMessage(message: unknown, dialect: Dialect): unknown {
  if (!isObject(message)) return message;
  const { role, tool_calls: calls } = message;
  if (role === "developer") return dialect.developerRole ? message : { ...message, role: "system" };
  if (role !== "assistant") return message;
  const isCalling = Array.isArray(calls);
  const isThinking = message.reasoning_details ?? message.reasoning_content ?? message.reasoning;
  const isForeign = (call: unknown) =>
    isObject(call) && (call.extra_content || (call.custom && !dialect.customTools));
  const isChanged =
    isThinking !== undefined || (isCalling && (dialect.reasoningBack || calls.some(isForeign)));
  if (!isChanged) return message;
  const thinking = dialect.reasoningBack ? ownThinking(message) : withoutThinking(message);
  if (!isCalling) return thinking;
  return { ...thinking, tool_calls: calls.map((call) => writtenCall(call, dialect)) };
}

/** Whether a message tells of what was thought, or a call of it holds a signature of that. */
function tellsThinking(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { reasoning_details: details, reasoning_content, reasoning, tool_calls: calls } = message;
  if ((Array.isArray(details) && details.length > 0) || reasoning) return true;
  if (reasoning_content && reasoning_content !== NO_THINKING) return true;
  return Array.isArray(calls) && calls.some((call) => isObject(call) && signatureOf(call));
}

/** Whether the vendor knows all messages as they are. */
function areKnown(messages: readonly unknown[], dialect: Dialect): boolean {
  for (const message of messages) if (writtenMessage(message, dialect) !== message) return false;
  return true;
}

/** Roles, calls and thinking in the form that the vendor knows; no work where nothing differs. */
function editMessages(
  body: JsonObject,
  options: UpstreamOptions,
  edits: MemberEdits,
  dropped: string[],
): void {
  const { dialect } = options;
  const messages = body.messages as readonly unknown[];
  const format = dialect.jsonSchema === false ? readFormat(body) : undefined;
  const hasSchema = format?.type === "json_schema";
  if (areKnown(messages, dialect) && !hasSchema) return;
  const written = messages.map((message) => writtenMessage(message, dialect));
  const isLost = messages.some(
    (message, i) => tellsThinking(message) && !tellsThinking(written[i]),
  );
  if (hasSchema) {
    edits.response_format = JSON.stringify({ type: "json_object" });
    dropped.push("response_format.json_schema");
  }
  edits.messages = new Unwritten(
    hasSchema ? withSchema(written.filter(isObject), format) : written,
  );
  if (isLost) dropped.push(DROPPED_REASONING);
}

/** Leaves out what the vendor refuses, be it the client's or ours. */
function leaveOut(names: readonly string[], body: JsonObject, edits: MemberEdits): void {
  for (const name of names) if (name in body || name in edits) edits[name] = undefined;
}

/** A client's body for a vendor of the same wire: what must change is spliced in. */
export function writeChatRequest(request: ClientRequest, options: UpstreamOptions): UpstreamBody {
  const { body } = request;
  const dropped = droppedMembers(body, options);
  // What stays as it is leaves the client's very text.
  const edits = newEdits();
  if (options.model !== request.model) edits.model = JSON.stringify(options.model);
  editMaximum(request, options, edits);
  for (const name of dropped) edits[name] = undefined;
  editMessages(body, options, edits, dropped);
  if (Array.isArray(body.tools)) {
    dropTools(body, (tool) => isKept(tool, options), edits, dropped);
    editTools(body, body.tools, options.dialect, edits);
  }
  editThinking(body, options, edits, dropped);
  dropMembers(body, CHAT_PASSED, options, edits, dropped, CHAT_REFUSED);
  if (body.service_tier !== undefined) edits.service_tier = undefined;
  // A vendor keeps nothing of our customers; its metadata exists only for what it keeps.
  if (body.store !== undefined) edits.store = "false";
  if (body.metadata !== undefined) edits.metadata = undefined;
  // We count for the client, whatever its vendor is asked.
  if (body.usage !== undefined && !options.dialect.takes?.includes("usage"))
    edits.usage = undefined;
  if (request.stream) {
    const streamOptions = isObject(body.stream_options) ? body.stream_options : {};
    if (streamOptions.include_usage !== true) {
      edits.stream_options = JSON.stringify({ ...streamOptions, include_usage: true });
    }
  }
  const { refuses } = options.dialect;
  if (refuses !== undefined) leaveOut(refuses, body, edits);
  const told = dropped.length === 0 ? dropped : dropped.filter((name) => !UNASKED.includes(name));
  return spliced(request, edits, told);
}
