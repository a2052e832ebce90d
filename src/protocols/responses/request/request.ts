import type { Limits } from "../../../config/config.ts";
import { JsonText, Unwritten } from "../../bytes/splice.ts";
import { spliced } from "../../bytes/written-body.ts";
import { droppedReasoning } from "../../dropped-reasoning.ts";
import {
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalInteger,
  requiredModel,
  wrongType,
} from "../../fields.ts";
import {
  type AllowedFeatures,
  dropMembers,
  dropTools,
  hasUnpricedTier,
  isAllowedTool,
  type MemberEdits,
  newEdits,
} from "../../unpriced.ts";
import type { ClientRequest, UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { hasSealedItems, withoutEnvelope } from "../sealed-items.ts";
import { checkResponsesBody } from "./check-request.ts";
import { RESPONSES_PASSED } from "./members.ts";
import { readInputItem } from "./read-item.ts";
import { isWebSearch } from "./read-tools.ts";
import { presentSearch } from "./search-preview.ts";

/** Tools that the client runs, that cost only tokens, or whose calls the catalogue prices. */
const KEPT_TOOLS = ["function", "custom", "namespace", "local_shell", "apply_patch", "tool_search"];

/** Kinds of which a group may hold some: what a vendor runs is looked for, and counted, outside. */
const GROUPED_TOOLS = ["function", "custom"];

/** Which tools a vendor may be told of. A group is kept where all that it holds may be in one. */
function keptTools(webSearch: boolean, allows: AllowedFeatures): IsKept {
  const isGrouped: IsKept = (tool) =>
    isAllowedTool(tool, allows) || (isObject(tool) && GROUPED_TOOLS.includes(String(tool.type)));
  return (tool) => {
    if (!isObject(tool)) return false;
    if (isAllowedTool(tool, allows)) return true;
    if (isWebSearch(tool.type)) return webSearch;
    if (!KEPT_TOOLS.includes(String(tool.type))) return false;
    return !Array.isArray(tool.tools) || tool.tools.every(isGrouped);
  };
}

/** Whether the vendor may search, wherever the tool for it is declared. */
export function mayCallWebSearch({ tools, input }: JsonObject): boolean {
  if (hasWebSearch(tools)) return true;
  if (!Array.isArray(input)) return false;
  for (const item of input) if (isObject(item) && hasWebSearch(item.tools)) return true;
  return false;
}

function hasWebSearch(tools: unknown): boolean {
  if (!Array.isArray(tools)) return false;
  for (const tool of tools) if (isObject(tool) && isWebSearch(tool.type)) return true;
  return false;
}

/** Everything but `input` may be checked for any body of this wire; `input` is required by most. */
export function readResponsesRequest(value: unknown, text: string, limits: Limits): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  const model = requiredModel(value);
  checkResponsesBody(value);
  const stream = optionalBoolean(value, "stream") ?? false;
  const maxOutput = optionalInteger(value, "max_output_tokens", 1, limits.output_tokens_max);
  const webSearch = mayCallWebSearch(value);
  return { model, stream, maxOutput, choices: 1, webSearch, body: value, json: new JsonText(text) };
}

/** Settings that vendors of this wire do not know, although the wire's open specification does. */
const CHAT_ONLY = ["presence_penalty", "frequency_penalty"];

/** What these models refuse although the wire has a word for it. */
const SAMPLING = ["temperature", "top_p"];

type IsKept = (tool: unknown) => boolean;

/** What a client is told of an item that no vendor of this wire can read. */
function lostNames(item: unknown, path: string): string[] {
  const read = isObject(item) ? readInputItem(item, { path, lost: [] }) : undefined;
  return read?.type === "reasoning" ? droppedReasoning([read]) : [path];
}

/**
 * Tools may also stand among the input, where they cost as much; and items may hold envelopes of
 * ours, which a vendor would refuse.
 */
function editInput(
  { input }: JsonObject,
  keeps: IsKept,
  edits: MemberEdits,
): Iterable<string> | undefined {
  if (!Array.isArray(input)) return undefined;
  const unpriced = (item: unknown) =>
    isObject(item) && Array.isArray(item.tools) && !item.tools.every(keeps);
  if (!input.some(unpriced) && !hasSealedItems(input)) return undefined;
  const dropped = new Set<string>();
  const items = input.flatMap((item, i) => {
    if (unpriced(item)) {
      dropped.add(`input[${i}].tools`);
      return { ...item, tools: item.tools.filter(keeps) };
    }
    const open = withoutEnvelope(item);
    if (open !== undefined) return open;
    for (const name of lostNames(item, `input[${i}]`)) dropped.add(name);
    return [];
  });
  edits.input = new Unwritten(items);
  return dropped;
}

/** Types of a choice that name no tool of the vendor's, as clients write them. */
const CHOICE_WORDS = ["auto", "none", "required", "tool"];

/** A choice must not name a tool that the vendor runs and that was left out. */
function editToolChoice(body: JsonObject, keeps: IsKept, edits: MemberEdits): string[] {
  const { tool_choice: choice } = body;
  if (!isObject(choice) || "tool_choice" in edits) return [];
  if (choice.type !== "allowed_tools") {
    if (keeps(choice) || CHOICE_WORDS.includes(String(choice.type))) return [];
    edits.tool_choice = undefined;
    return ["tool_choice"];
  }
  if (!Array.isArray(choice.tools) || choice.tools.every(keeps)) return [];
  const tools = choice.tools.filter(keeps);
  edits.tool_choice = tools.length > 0 ? new Unwritten({ ...choice, tools }) : '"none"';
  return ["tool_choice.tools"];
}

/** A way of thinking that the vendor may bill by other prices than the model's. */
function dropMode(
  { reasoning }: JsonObject,
  { allows }: UpstreamOptions,
  edits: MemberEdits,
  dropped: string[],
): void {
  if (!isObject(reasoning) || reasoning.mode === undefined || allows.everything) return;
  if (reasoning.mode === null || reasoning.mode === "standard") return;
  const { mode: _mode, ...plain } = reasoning;
  edits.reasoning = new Unwritten(plain);
  dropped.push("reasoning.mode");
}

function dropSettings(
  body: JsonObject,
  options: UpstreamOptions,
  edits: MemberEdits,
  dropped: string[],
): void {
  for (const name of CHAT_ONLY) {
    if (body[name] === undefined) continue;
    edits[name] = undefined;
    if (typeof body[name] === "number" && body[name] !== 0) dropped.push(name);
  }
  if (hasUnpricedTier(body)) dropped.push("service_tier");
  if (!options.rules.includes("no_sampling")) return;
  for (const name of SAMPLING) {
    if (body[name] === undefined) continue;
    edits[name] = undefined;
    if (body[name] !== null) dropped.push(name);
  }
}

/** Metadata as OpenAI takes it; undefined where it is that already. */
function withoutTags(metadata: unknown): JsonObject | undefined {
  if (!isObject(metadata) || !Array.isArray(metadata.tags)) return undefined;
  const { tags: _, ...plain } = metadata;
  return plain;
}

/** What is between the client and us. */
const OURS = ["previous_response_id", "background", "conversation", "prompt", "service_tier"];

export const ENCRYPTED_REASONING = "reasoning.encrypted_content";

export function writeResponsesRequest(
  request: ClientRequest,
  options: UpstreamOptions,
): UpstreamBody {
  const search = request.webSearch && options.webSearch ? presentSearch(request.body) : undefined;
  const body = search ? { ...request.body, ...search } : request.body;
  const edits = newEdits();
  for (const name in search) edits[name] = new Unwritten(search[name]);
  edits.model = JSON.stringify(options.model);
  // What is kept is kept here: vendors share one account among all our customers.
  edits.store = "false";
  const metadata = withoutTags(body.metadata);
  if (metadata) edits.metadata = new Unwritten(metadata);
  for (const name of OURS) edits[name] = undefined;
  const dropped: string[] = [];
  const keeps = keptTools(options.webSearch, options.allows);
  dropTools(body, keeps, edits, dropped);
  for (const name of editInput(body, keeps, edits) ?? []) dropped.push(name);
  if (dropped.length > 0) dropped.push(...editToolChoice(body, keeps, edits));
  dropSettings(body, options, edits, dropped);
  dropMode(body, options, edits, dropped);
  dropMembers(body, RESPONSES_PASSED, options, edits, dropped);
  if (options.keepReasoning) {
    const include = Array.isArray(body.include) ? body.include : [];
    if (!include.includes(ENCRYPTED_REASONING)) {
      edits.include = new Unwritten([...include, ENCRYPTED_REASONING]);
    }
  }
  if (options.webSearch && request.webSearch) {
    edits.max_tool_calls = String(options.searchesMax);
  }
  const clamp = options.outputClamp;
  if (clamp !== undefined && (request.maxOutput === undefined || request.maxOutput > clamp)) {
    edits.max_output_tokens = String(clamp);
  }
  return spliced(request, edits, dropped);
}
