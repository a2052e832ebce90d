// A session can end while its pages are open: signed out in another tab, ended by somebody, too old. Every answer may
// be the one that tells, whoever asked.

/** The code of such a refusal. */
export const NOT_SIGNED_IN = "not_signed_in";

/** As better-auth says it of its own calls. */
const UNAUTHORIZED = "UNAUTHORIZED";

const listeners = new Set<() => void>();

/** Calls back whenever an answer says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the code of a refusal, of whatever call. */
export function hearRefusal(code: string): void {
  if (code !== NOT_SIGNED_IN && code !== UNAUTHORIZED) return;
  for (const listener of listeners) listener();
}
