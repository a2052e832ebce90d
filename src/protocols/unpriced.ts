import { Unwritten } from "./bytes/splice.ts";
import { isObject, type JsonObject, optionalWord, unsupported } from "./fields.ts";
import type { UpstreamOptions } from "./wire.ts";

/** What may go to a vendor although no list of ours has it. */
export interface AllowedFeatures {
  /** Whether all may: nobody is billed there. */
  readonly everything: boolean;
  readonly members: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

/** A vendor that bills for what it is asked, and of whom nothing more is known. */
export const NOTHING_MORE: AllowedFeatures = {
  everything: false,
  members: new Set(),
  tools: new Set(),
};

/** A vendor that bills nobody. */
export const ANYTHING: AllowedFeatures = { ...NOTHING_MORE, everything: true };

/** Changes of a body by the name of a member; names come from clients, so there are none but its own. */
export type MemberEdits = Record<string, string | Unwritten | undefined>;

export function newEdits(edits?: MemberEdits): MemberEdits {
  const own: MemberEdits = Object.create(null);
  return edits ? Object.assign(own, edits) : own;
}

/** Parts of a message whose tokens nobody here can tell. */
const UNPRICED_MEDIA = ["input_audio", "input_video", "video", "video_url", "audio_url"];

export function refuseUnpricedMedia({ type }: JsonObject, path: string): void {
  if (!UNPRICED_MEDIA.includes(String(type))) return;
  throw unsupported(path, "Audio and video have no price here; send text or images instead.");
}

/** Service tiers that cost what the catalogue says. */
const LISTED_TIERS = ["auto", "default"];

/** Service tiers that vendors sell beside them. They are left out, and named to the client. */
const UNPRICED_TIERS = ["flex", "priority", "scale"];

const TIERS = [...LISTED_TIERS, ...UNPRICED_TIERS];

/** @param more Tiers that only one wire has. */
export function checkTier(body: JsonObject, more: readonly string[] = []): void {
  optionalWord(body, "service_tier", more.length > 0 ? [...more, ...TIERS] : TIERS);
}

export function hasUnpricedTier(body: JsonObject): boolean {
  return typeof body.service_tier === "string" && !LISTED_TIERS.includes(body.service_tier);
}

type Asked = Pick<UpstreamOptions, "allows" | "dialect">;

/** Whether a member may go to the vendor: it is listed, or it costs nothing more than it says. */
function mayPass(name: string, passed: ReadonlySet<string>, { allows, dialect }: Asked): boolean {
  if (passed.has(name) || allows.members.has(name)) return true;
  return dialect.takes?.includes(name) ?? false;
}

/** Whether a value asks for nothing, so that leaving it out changes nothing. */
export function asksNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

/**
 * Leaves out the members that no list has: a vendor may sell what they ask for, and nothing here
 * prices it. Names those that asked for something. Where an answer without one would not be the
 * answer that was asked for, it is refused.
 */
export function dropMembers(
  body: JsonObject,
  passed: ReadonlySet<string>,
  asked: Asked,
  edits: MemberEdits,
  dropped: string[],
  refused?: Readonly<Record<string, string>>,
): void {
  if (asked.allows.everything) return;
  for (const name in body) {
    if (mayPass(name, passed, asked)) continue;
    edits[name] = undefined;
    if (asksNothing(body[name])) continue;
    const why = refused && Object.hasOwn(refused, name) ? refused[name] : undefined;
    if (why !== undefined) throw unsupported(name, why);
    dropped.push(name);
  }
}

/**
 * Leaves out the tools that a vendor would run and nothing here prices, and with the last of them
 * what only makes sense with tools. Names the places of those that were left out.
 */
export function dropTools(
  body: JsonObject,
  isKept: (tool: unknown) => boolean,
  edits: MemberEdits,
  dropped: string[],
): void {
  if (!Array.isArray(body.tools) || body.tools.every(isKept)) return;
  const kept = body.tools.filter(isKept);
  edits.tools = kept.length > 0 ? new Unwritten(kept) : undefined;
  if (kept.length === 0) {
    edits.tool_choice = undefined;
    edits.parallel_tool_calls = undefined;
  }
  body.tools.forEach((tool, i) => {
    if (!isKept(tool)) dropped.push(`tools[${i}]`);
  });
  const isChosen = !("tool_choice" in edits) && namesOne(body.tool_choice, body.tools, isKept);
  if (!isChosen) return;
  edits.tool_choice = undefined;
  dropped.push("tool_choice");
}

/** Whether a choice names a tool that was left out, by its name or by its kind. */
function namesOne(
  choice: unknown,
  tools: readonly unknown[],
  isKept: (tool: unknown) => boolean,
): boolean {
  if (!isObject(choice)) return false;
  const { type, name } = choice;
  const isNamed = (tool: unknown) =>
    isObject(tool) &&
    ((tool.type !== undefined && tool.type === type) || (name !== undefined && tool.name === name));
  return tools.some((tool) => isNamed(tool) && !isKept(tool));
}

/** Whether a kind of tool may go to the vendor although nothing here prices it. */
export function isAllowedTool(tool: unknown, { everything, tools }: AllowedFeatures): boolean {
  return everything || (isObject(tool) && typeof tool.type === "string" && tools.has(tool.type));
}
