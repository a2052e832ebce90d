import { isObject, type JsonObject } from "./fields.ts";

/** The wires whose vendors hand out state that only they can read. */
type SealOrigin = "responses" | "chat" | "messages" | "gemini";

const PREFIX = "fgs1.";

/**
 * A vendor's own state (a signature, an encrypted thought) in a form that any client carries as one
 * opaque text. It says which wire it came from, since no vendor accepts another's.
 */
export function seal(origin: SealOrigin, state: JsonObject): string {
  const text = JSON.stringify({ ...state, origin });
  return PREFIX + Buffer.from(text).toString("base64url");
}

/** The state inside an envelope of this origin; undefined for anything else. */
export function unseal(origin: SealOrigin, sealed: string | undefined): JsonObject | undefined {
  if (!sealed?.startsWith(PREFIX)) return undefined;
  try {
    const text = Buffer.from(sealed.slice(PREFIX.length), "base64url").toString();
    const state: unknown = JSON.parse(text);
    return isObject(state) && state.origin === origin ? state : undefined;
  } catch {
    // Clients may cut or change what they carry; such a thought is lost, not the request.
    return undefined;
  }
}

/** Whether a text is an envelope of ours, of any origin. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX);
}
