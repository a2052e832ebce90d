/** Anything that looks like a credential, as vendors and databases write them. */
const SHAPES = [
  /\b(?:sk|ot|key|gsk|xai|fw|pk|tgp|nvapi)[-_][A-Za-z0-9_*.-]{4,}/g,
  /\bAIza[\w-]{8,}/g,
  /(Bearer\s+)[^\s"',]+/gi,
  // The public-account platform takes its credentials in addresses.
  /((?:access_token|(?:app)?secret)["']?[=:]\s*["']?)[^&\s"',}]+/gi,
];

/** What may be an address with a password in it, up to the last sign that one may end with. */
const UP_TO_AT = /(?<!\S)\S+@/g;
const PASSWORD = /(:\/\/[^:/\s@]+:)[^@\s]+(?=@)/g;

/** A text as it may be shown to people who must not see secrets. */
export function redact(text: string): string {
  // Word by word, and only where a password ends: vendors quote their callers, who may write many beginnings.
  let clean = text.replace(UP_TO_AT, (word) => word.replace(PASSWORD, "$1…"));
  for (const shape of SHAPES) {
    clean = clean.replace(shape, (_match, lead) => (typeof lead === "string" ? `${lead}…` : "…"));
  }
  return clean;
}

/** Shorter ones are words, or letters, of any sentence: whoever has such a secret has none. */
const HIDDEN_FROM_CHARS = 4;
/** From here on nobody writes it by chance, not even inside something longer. */
const HIDDEN_ANYWHERE_FROM_CHARS = 8;

/** A text without a secret that is known, wherever somebody has quoted it. */
export function withoutSecret(text: string, secret: string): string {
  if (secret.length < HIDDEN_FROM_CHARS || !text.includes(secret)) return text;
  if (secret.length >= HIDDEN_ANYWHERE_FROM_CHARS) return text.replaceAll(secret, "…");
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, "g"), "…");
}
