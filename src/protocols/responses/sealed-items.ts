import { isSealed, unseal } from "../envelope.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { text } from "../optional.ts";

/** Some clients call a compaction by an older name. */
const COMPACTIONS = ["compaction", "compaction_summary"];

/** The summary inside a compaction of ours; undefined for any other item. */
export function compactionSummary(item: JsonObject): string | undefined {
  if (!COMPACTIONS.includes(String(item.type))) return undefined;
  return text(unseal("responses", text(item.encrypted_content))?.compaction);
}

/** How a model is told of the turns that a summary stands for. */
export function summaryMessage(summary: string): string {
  return `Summary of the conversation before this point:\n\n${summary}`;
}

function isOurs(item: unknown): item is JsonObject & { readonly encrypted_content: string } {
  if (!isObject(item) || typeof item.encrypted_content !== "string") return false;
  return isSealed(item.encrypted_content);
}

/**
 * A thought with nothing in it that a vendor could read: another wire's, or one that its vendor was
 * not asked to seal. Vendors keep nothing for us and refuse an id that they do not know.
 */
function isEmptyThought(item: unknown): boolean {
  if (!isObject(item) || item.type !== "reasoning" || text(item.encrypted_content)) return false;
  return !Array.isArray(item.content) || item.content.length === 0;
}

/** Whether any item holds what no vendor can read: an envelope of ours, or nothing. */
export function hasSealedItems(items: readonly unknown[]): boolean {
  return items.some((item) => isOurs(item) || isEmptyThought(item));
}

/**
 * An item as a vendor of this wire can take it: what the vendor itself had sealed as it was, a
 * summary of ours as a message. Undefined for what no vendor of this wire can read.
 */
export function withoutEnvelope(item: unknown): unknown {
  if (isEmptyThought(item)) return undefined;
  if (!isOurs(item)) return item;
  const summary = compactionSummary(item);
  if (summary !== undefined) {
    return { type: "message", role: "developer", content: summaryMessage(summary) };
  }
  const state = unseal("responses", item.encrypted_content);
  if (typeof state?.encrypted_content !== "string") return undefined;
  const id = text(state.id);
  return { ...item, encrypted_content: state.encrypted_content, ...(id ? { id } : {}) };
}
