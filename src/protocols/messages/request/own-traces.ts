import { DROPPED_REASONING } from "../../dropped-reasoning.ts";
import { isSealed } from "../../envelope.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { isOwnCitation } from "../answer/citations.ts";
import { OWN_SEARCH } from "../searches.ts";
import { restoreThinking } from "./reasoning.ts";

/** Without any of these there is nothing of ours in a text, and nothing has to be looked through. */
const TRACES = new RegExp(`"fgs1\\.|${OWN_SEARCH}|"encrypted_index":\\s*""`);

function isOwnSearch(block: JsonObject): boolean {
  const id = block.id ?? block.tool_use_id;
  return typeof id === "string" && id.startsWith(OWN_SEARCH);
}

function withoutTraces(block: unknown, dropped: Set<string>): unknown[] {
  if (!isObject(block)) return [block];
  const secret = block.type === "thinking" ? block.signature : block.data;
  const isThought = block.type === "thinking" || block.type === "redacted_thinking";
  if (isThought && typeof secret === "string" && isSealed(secret)) {
    const native = restoreThinking(secret);
    if (!native) dropped.add(DROPPED_REASONING);
    return native ? [native] : [];
  }
  if (isOwnSearch(block)) return [];
  if (Array.isArray(block.citations) && block.citations.some(isOwnCitation)) {
    const { citations: _, ...rest } = block;
    return [rest];
  }
  return [block];
}

/**
 * The messages as a vendor of this wire can read them, where earlier answers came from vendors of
 * other wires: our envelopes are opened or left out, and so are searches and sources that only look
 * like the wire's own. Undefined where nothing has to change. `dropped` are the names of what is left out and matters.
 */
export function withoutOwnTraces(
  body: JsonObject,
  text: string,
): { readonly messages: unknown[]; readonly dropped: ReadonlySet<string> } | undefined {
  if (!Array.isArray(body.messages) || !TRACES.test(text)) return undefined;
  const dropped = new Set<string>();
  const messages = body.messages.flatMap((message: unknown) => {
    if (!isObject(message) || message.role !== "assistant") return [message];
    if (!Array.isArray(message.content)) return [message];
    const content = message.content.flatMap((block) => withoutTraces(block, dropped));
    return content.length > 0 ? [{ ...message, content }] : [];
  });
  return { messages, dropped };
}
