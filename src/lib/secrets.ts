/** Anything that looks like a credential, as vendors and databases write them. */
const SHAPES = [
  /\b(?:sk|ot|key|gsk|xai|fw|pk|tgp|nvapi)[-_][A-Za-z0-9_*.-]{4,}/g,
  /\bAIza[\w-]{8,}/g,
  /(Bearer\s+)[^\s"',]+/gi,
  /(:\/\/[^:/\s@]+:)[^@\s]+(?=@)/g,
  // The public-account platform takes its credentials in addresses.
  /((?:access_token|(?:app)?secret)["']?[=:]\s*["']?)[^&\s"',}]+/gi,
];

/** A text as it may be shown to people who must not see secrets. */
export function redact(text: string): string {
  let clean = text;
  for (const shape of SHAPES) {
    clean = clean.replace(shape, (_match, lead) => (typeof lead === "string" ? `${lead}…` : "…"));
  }
  return clean;
}
