import type { Limits } from "../../../config/config.ts";
import { JsonText, Unwritten } from "../../bytes/splice.ts";
import { spliced } from "../../bytes/written-body.ts";
import {
  asMessage,
  isObject,
  type JsonObject,
  missing,
  optionalBoolean,
  optionalInteger,
  requiredModel,
  wrongType,
} from "../../fields.ts";
import { textOf } from "../../optional.ts";
import { refuseUnoffered } from "../../unoffered-fields.ts";
import {
  dropMembers,
  dropTools,
  isAllowedTool,
  type MemberEdits,
  newEdits,
} from "../../unpriced.ts";
import type { ClientRequest, CountedInput, UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { checkMessages } from "./check-messages.ts";
import { checkSettings, checkTools, isClientTool } from "./check-settings.ts";
import { MESSAGES_PASSED } from "./members.ts";
import { withoutOwnTraces } from "./own-traces.ts";

/** Tools that the client runs or that cost only tokens, by how their types begin. */
const KEPT_TOOLS = [
  "bash_",
  "browser_toolset_",
  "computer_",
  "memory_",
  "text_editor_",
  "tool_search_tool_",
];

export function isWebSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === "string" && tool.type.startsWith("web_search_");
}

type Kept = Pick<UpstreamOptions, "webSearch" | "allows">;

function isKept(tool: unknown, { webSearch, allows }: Kept): boolean {
  if (!isObject(tool)) return false;
  if (isClientTool(tool) || isAllowedTool(tool, allows)) return true;
  if (isWebSearch(tool)) return webSearch;
  const type = String(tool.type);
  return KEPT_TOOLS.some((beginning) => type.startsWith(beginning));
}

/** The vendor may be asked to shorten the conversation first, which it counts beside the answer. */
function roundsOf({ context_management: management }: JsonObject): number {
  if (!isObject(management) || !Array.isArray(management.edits)) return 1;
  const { edits } = management;
  const shortens = (edit: unknown) => isObject(edit) && String(edit.type).startsWith("compact_");
  return edits.some(shortens) ? 2 : 1;
}

/** Everything but the output maximum, which counting tokens does without. */
export function readCountRequest(value: unknown, text: string): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  const model = requiredModel(value);
  checkMessages(value);
  const stream = optionalBoolean(value, "stream") ?? false;
  refuseUnoffered("messages", value);
  checkTools(value);
  checkSettings(value);
  const webSearch = Array.isArray(value.tools) && value.tools.some(isWebSearch);
  const json = new JsonText(text);
  const rounds = roundsOf(value);
  return { model, stream, maxOutput: undefined, choices: 1, webSearch, rounds, body: value, json };
}

export function readMessagesRequest(value: unknown, text: string, limits: Limits): ClientRequest {
  const request = readCountRequest(value, text);
  const maxOutput = optionalInteger(request.body, "max_tokens", 1, limits.output_tokens_max);
  if (maxOutput === undefined) throw missing("max_tokens");
  return { ...request, maxOutput };
}

const IMAGE_TYPE = /^image\//i;

/** A block as it counts: pictures and files by their kind, signatures not at all. */
function countable(block: unknown): unknown {
  if (!isObject(block)) return block;
  if (Array.isArray(block.content)) return { ...block, content: block.content.map(countable) };
  if (block.type === "thinking") return { thinking: block.thinking };
  const { type, source } = block;
  if (!isObject(source)) return block;
  if (source.type === "url" && type !== "image")
    return { ...block, source: { file_url: source.url } };
  if (source.type !== "base64") return block;
  // Some vendors read what it says it is, whatever it is called.
  const isImage = type === "image" && IMAGE_TYPE.test(textOf(source.media_type));
  return isImage ? { image_url: "data:image/" } : { ...block, source: { file_data: source.data } };
}

/** Signatures hold thoughts of earlier turns, which the vendor may read again. */
function signatureChars(messages: readonly unknown[]): number {
  let chars = 0;
  for (const message of messages) {
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    for (const block of message.content) {
      if (isObject(block)) chars += textOf(block.signature).length;
    }
  }
  return chars;
}

/** The system prompt, counted as the message that it is on other wires. */
function systemMessage({ system }: JsonObject): unknown {
  return Array.isArray(system) ? { role: "system", content: system } : asMessage("system", system);
}

export function inputOfMessages({ body }: ClientRequest): CountedInput {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  return {
    conversation: [systemMessage(body), messages.map(countable)],
    tools: [body.tools, body.output_config, body.output_format],
    sealedChars: signatureChars(messages),
  };
}

/** The vendor's least budget of thinking, which must stay below the output maximum. */
const THINKING_BUDGET_MIN = 1_024;

/** Thinking within an output maximum that the hold has lowered. */
function clampThinking(body: JsonObject, clamp: number, edits: MemberEdits): string[] {
  const { thinking } = body;
  if (!isObject(thinking) || typeof thinking.budget_tokens !== "number") return [];
  if (thinking.budget_tokens < clamp) return [];
  const fits = clamp > THINKING_BUDGET_MIN;
  edits.thinking = fits ? new Unwritten({ ...thinking, budget_tokens: clamp - 1 }) : undefined;
  return fits ? [] : ["thinking"];
}

/** Members that ask for what nothing here prices or keeps, and the values that ask for nothing. */
const UNPRICED: Readonly<Record<string, readonly unknown[]>> = {
  diagnostics: [],
  fallback_credit_token: [],
  fallbacks: [],
  service_tier: ["auto"],
  speed: ["standard"],
};

/** What is left out by a rule of its own is told by it. */
const PASSED_OR_TOLD: ReadonlySet<string> = new Set([...MESSAGES_PASSED, ...Object.keys(UNPRICED)]);

/** Searches are paid for one by one, so the vendor is always told how many there may be. */
function limitSearches(body: JsonObject, options: UpstreamOptions, edits: MemberEdits): void {
  const { webSearch, searchesMax } = options;
  if (!webSearch || !Array.isArray(body.tools) || !body.tools.some(isWebSearch)) return;
  const tools = body.tools.filter((tool) => isKept(tool, options));
  const limited = tools.map((tool) =>
    isWebSearch(tool) ? { ...(tool as JsonObject), max_uses: searchesMax } : tool,
  );
  edits.tools = new Unwritten(limited);
}

export function writeMessagesRequest(
  request: ClientRequest,
  options: UpstreamOptions,
): UpstreamBody {
  const { body, json } = request;
  const dropped: string[] = [];
  const edits = newEdits();
  edits.model = JSON.stringify(options.model);
  dropMembers(body, PASSED_OR_TOLD, options, edits, dropped);
  for (const name in UNPRICED) {
    const value = body[name];
    if (value === undefined || (name === "service_tier" && value === "standard_only")) continue;
    edits[name] = undefined;
    if (value !== null && !UNPRICED[name]?.includes(value)) dropped.push(name);
  }
  if (Array.isArray(body.tools)) {
    dropTools(body, (tool) => isKept(tool, options), edits, dropped);
    limitSearches(body, options, edits);
  }
  const own = withoutOwnTraces(body, json.text);
  if (own) {
    edits.messages = new Unwritten(own.messages);
    dropped.push(...own.dropped);
  }
  const clamp = options.outputClamp;
  if (clamp !== undefined && (request.maxOutput ?? Number.POSITIVE_INFINITY) > clamp) {
    edits.max_tokens = String(clamp);
    dropped.push(...clampThinking(body, clamp, edits));
  }
  return spliced(request, edits, dropped);
}
