import type { ReasoningItem } from "../../canon.ts";
import { isSealed, seal, unseal } from "../../envelope.ts";
import type { JsonObject } from "../../fields.ts";
import { textOf } from "../../optional.ts";
import { visibleReasoning } from "../../visible-reasoning.ts";

/** Under this name an envelope of ours holds a vendor's text that had none. */
const BARE = "bare";

/**
 * A text that only its vendor reads, as a signature. One that is no envelope yet gets one, since it
 * could not be told from a signature of this wire when the client sends it back.
 */
function signatureOf(sealed: string): string {
  return isSealed(sealed) ? sealed : seal("responses", { [BARE]: sealed });
}

/** The signature of a thought whose vendor wants nothing back. Clients expect each to have one. */
const UNSIGNED = seal("messages", {});

function sealedOf(signature: string, native: JsonObject): string {
  const bare = unseal("responses", signature)?.[BARE];
  if (typeof bare === "string") return bare;
  return isSealed(signature) ? signature : seal("messages", native);
}

/** A thought that a client sends back. */
export function readThinking(block: JsonObject): ReasoningItem {
  if (block.type === "redacted_thinking") {
    const data = textOf(block.data);
    return { type: "reasoning", summary: [], sealed: sealedOf(data, { data }) };
  }
  const thinking = textOf(block.thinking);
  const signature = textOf(block.signature);
  return {
    type: "reasoning",
    summary: thinking === "" ? [] : [thinking],
    ...(signature === "" || signature === UNSIGNED
      ? {}
      : { sealed: sealedOf(signature, { thinking, signature }) }),
  };
}

/** A thought of a vendor of this wire, with what it wants back. */
export function readVendorThinking(thinking: string, signature: string): ReasoningItem {
  return {
    type: "reasoning",
    summary: thinking === "" ? [] : [thinking],
    sealed: seal("messages", { thinking, signature }),
  };
}

export function readRedacted(data: unknown): ReasoningItem {
  return { type: "reasoning", summary: [], sealed: seal("messages", { data: textOf(data) }) };
}

/** A vendor's own thought, to the byte as it came; undefined for thoughts of other wires. */
export function restoreThinking(sealed: string | undefined): JsonObject | undefined {
  const state = unseal("messages", sealed);
  if (!state) return undefined;
  if (typeof state.data === "string") return { type: "redacted_thinking", data: state.data };
  if (typeof state.thinking !== "string") return undefined;
  return { type: "thinking", thinking: state.thinking, signature: textOf(state.signature) };
}

/** A thought for a client of this wire; undefined where there is nothing to show or to keep. */
export function showThinking(item: ReasoningItem): JsonObject | undefined {
  const thinking = visibleReasoning(item);
  if (thinking === "" && item.sealed === undefined) return undefined;
  const signature = item.sealed === undefined ? UNSIGNED : signatureOf(item.sealed);
  return { type: "thinking", thinking, signature };
}
