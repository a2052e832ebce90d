import { isSealed, seal, unseal } from "../envelope.ts";
import { isObject, type JsonObject } from "../fields.ts";

/**
 * Thought signatures: what the vendor wants back with the part that carried them. Other wires carry
 * them in an envelope; clients of this wire carry the state of other vendors as a signature.
 */

/** Google's own word for a call that another model made: it stands where a signature must. */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** Where a signature belongs: to a call, to the text behind it, or to a thought itself. */
export type SignedPart = { readonly call: string } | { readonly text: true } | object;

export function sealSignature(signature: string, of: SignedPart): string {
  return seal("gemini", { ...of, signature });
}

/** A part that no other wire has words for. */
export function sealPart(part: JsonObject): string {
  return seal("gemini", { part });
}

interface GeminiState {
  readonly signature?: string;
  readonly call?: string;
  readonly text: boolean;
  readonly part?: JsonObject;
}

/** What such a part may have. Clients could write an envelope too: what is refused elsewhere must not come in by one. */
const PART_MEMBERS = ["text", "thought", "thoughtSignature", "toolCall", "toolResponse"];

function isOwnPart(part: unknown): part is JsonObject {
  return isObject(part) && Object.keys(part).every((name) => PART_MEMBERS.includes(name));
}

/** What this vendor gave out, from an envelope; undefined for the state of any other. */
export function unsealGemini(sealed: string | undefined): GeminiState | undefined {
  const state = unseal("gemini", sealed);
  if (!state) return undefined;
  return {
    ...(typeof state.signature === "string" ? { signature: state.signature } : {}),
    ...(typeof state.call === "string" ? { call: state.call } : {}),
    ...(isOwnPart(state.part) ? { part: state.part } : {}),
    text: state.text === true,
  };
}

/** Before a vendor's own text that is in no envelope of ours. */
const BARE = "fgr1.";
/** How both forms begin once they are base64, whichever of its two alphabets. */
const OUR_BASE64 = /^Zmd[yz]MS/;

/**
 * The state of another vendor as a thought signature. It is base64, since some clients read it into
 * bytes and write it again.
 */
export function signatureOf(sealed: string): string {
  return Buffer.from(isSealed(sealed) ? sealed : BARE + sealed).toString("base64");
}

/** The state of another vendor that a client brings back; undefined for Google's own signatures. */
export function sealedInSignature(signature: unknown): string | undefined {
  if (typeof signature !== "string" || !OUR_BASE64.test(signature)) return undefined;
  const text = Buffer.from(signature, "base64").toString();
  if (isSealed(text)) return text;
  return text.startsWith(BARE) ? text.slice(BARE.length) : undefined;
}
