import { JsonText, Unwritten } from "../../bytes/splice.ts";
import { spliced } from "../../bytes/written-body.ts";
import { DROPPED_REASONING } from "../../dropped-reasoning.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { dropMembers, type MemberEdits as Edits, isAllowedTool, newEdits } from "../../unpriced.ts";
import type { ClientRequest, UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { NO_SIGNATURE, sealedInSignature, unsealGemini } from "../signatures.ts";
import { GEMINI_PASSED, GEMINI_SETTINGS_PASSED } from "./members.ts";

/** Service tiers that cost what the catalogue says. */
const LISTED_TIERS = ["standard", "unspecified", "service_tier_unspecified"];

/** What a tool declares that the client runs or that the catalogue prices. */
function isKept(member: string, { webSearch, allows }: UpstreamOptions): boolean {
  if (member === "googleSearch") return webSearch;
  return member === "functionDeclarations" || isAllowedTool({ type: member }, allows);
}

/** A tool of this wire may declare several things at once: each is kept or left out by itself. */
function editTools(body: JsonObject, options: UpstreamOptions, edits: Edits): string[] {
  if (!Array.isArray(body.tools)) return [];
  const dropped: string[] = [];
  const kept: JsonObject[] = [];
  body.tools.filter(isObject).forEach((tool, i) => {
    const entries = Object.entries(tool).filter(([name]) => isKept(name, options));
    const names = Object.keys(tool).filter((name) => !isKept(name, options));
    dropped.push(...names.map((name) => `tools[${i}].${name}`));
    if (entries.length > 0) kept.push(Object.fromEntries(entries));
  });
  if (dropped.length === 0) return [];
  edits.tools = kept.length > 0 ? new Unwritten(kept) : undefined;
  if (kept.length === 0) edits.toolConfig = undefined;
  return dropped;
}

/** A part as this vendor takes it; undefined for a thought of another vendor. `dropped` hears of what that one sealed. */
function ownPart(part: unknown, placeholder: string | undefined, dropped: Set<string>): unknown {
  if (!isObject(part)) return part;
  const sealed = sealedInSignature(part.thoughtSignature);
  if (sealed === undefined) return part;
  const { thoughtSignature: _, ...bare } = part;
  const native = unsealGemini(sealed)?.signature;
  if (native !== undefined) return { ...bare, thoughtSignature: native };
  dropped.add(DROPPED_REASONING);
  if (part.thought === true || part.text === "") return undefined;
  if (placeholder === undefined || !isObject(part.functionCall)) return bare;
  return { ...bare, thoughtSignature: placeholder };
}

/** Signatures that carry what other vendors gave out mean nothing to this one. */
function editContents(body: JsonObject, options: UpstreamOptions, edits: Edits): string[] {
  const contents = Array.isArray(body.contents) ? body.contents.filter(isObject) : [];
  const placeholder = options.rules.includes("thinking_level") ? NO_SIGNATURE : undefined;
  const dropped = new Set<string>();
  let changed = false;
  const own = contents.map((content): JsonObject => {
    const parts = Array.isArray(content.parts) ? content.parts : [];
    const ownParts = parts.map((part) => ownPart(part, placeholder, dropped));
    if (ownParts.every((part, i) => part === parts[i])) return content;
    changed = true;
    return { ...content, parts: ownParts.filter((part) => part !== undefined) };
  });
  if (!changed) return [];
  edits.contents = new Unwritten(
    own.filter(({ parts }) => !Array.isArray(parts) || parts.length > 0),
  );
  return [...dropped];
}

function editConfig(request: ClientRequest, options: UpstreamOptions, edits: Edits): string[] {
  const { body, json, maxOutput } = request;
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const inner = newEdits();
  const dropped: string[] = [];
  dropMembers(config, GEMINI_SETTINGS_PASSED, options, inner, dropped);
  const clamp = options.outputClamp;
  if (clamp !== undefined && (maxOutput === undefined || maxOutput > clamp)) {
    inner.maxOutputTokens = String(clamp);
  }
  if (Object.keys(inner).length === 0) return [];
  const place = isObject(body.generationConfig) ? json.locate("generationConfig") : undefined;
  const text = place ? json.text.slice(place.start, place.end) : "{}";
  edits.generationConfig = new JsonText(text).edit(inner);
  return dropped.map((name) => `generationConfig.${name}`);
}

/** A tier is the vendor's default or has no price here. */
export function hasUnpricedGeminiTier({ serviceTier }: JsonObject): boolean {
  return typeof serviceTier === "string" && !LISTED_TIERS.includes(serviceTier.toLowerCase());
}

export function writeGeminiRequest(request: ClientRequest, options: UpstreamOptions): UpstreamBody {
  const { body } = request;
  const edits = newEdits({
    // The path names the model; labels exist only for the vendor's own bills.
    model: undefined,
    serviceTier: undefined,
    labels: undefined,
    generationOutputConfig: undefined,
  });
  // A vendor keeps nothing of our customers.
  if (body.store !== undefined) edits.store = "false";
  const dropped = [
    ...editTools(body, options, edits),
    ...editContents(body, options, edits),
    ...editConfig(request, options, edits),
  ];
  dropMembers(body, GEMINI_PASSED, options, edits, dropped);
  if (hasUnpricedGeminiTier(body)) dropped.push("serviceTier");
  return spliced(request, edits, dropped);
}
