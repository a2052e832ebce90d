// What somebody means by a click, as an `Idempotency-Key`: the same intent is carried out once.

const ID_BYTES = 16;

/** For what has no name of its own yet. `randomUUID` is only there on pages that came by https. */
export function newIntent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** FNV-1a. Two wishes of one sum are no harm: the server compares the bodies, and refuses the second. */
function sumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16);
}

/**
 * The same wish for the same version of something, from whichever tab it comes. `turn` counts the
 * answers that were had: asking again after one is another intent.
 */
export function intentFor(
  about: { id: string; version: number },
  action: object,
  turn = 0,
): string {
  return `${about.id}-${about.version}-${sumOf(JSON.stringify(action))}-${turn}`;
}
