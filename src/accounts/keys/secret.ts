const PREFIX = "sk-fg-";
/** Secrets that are not keys: of programs that act for the operator, and of links that work once. */
export const OPERATOR_TOKEN_PREFIX = "ot-fg-";
export const LINK_PREFIX = "ln-fg-";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 characters of 62 are 256 bits. */
const RANDOM_CHARS = 43;
const CHECKSUM_CHARS = 6;

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let sum = "";
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    sum = ALPHABET[rest % ALPHABET.length] + sum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return sum;
}

function randomChars(count: number): string {
  let text = "";
  while (text.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // Bytes above the last whole multiple of 62 would favour some characters.
      if (byte < 248 && text.length < count) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** A new key: prefix, 256 random bits, and a checksum that tells a typo from an unknown key. */
export function newSecret(prefix = PREFIX): string {
  const body = prefix + randomChars(RANDOM_CHARS);
  return body + checksum(body);
}

/** Whether a text has the form of our keys but cannot be one. Imported keys have forms of their own. */
export function isMistyped(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return false;
  const body = secret.slice(0, -CHECKSUM_CHARS);
  return secret !== body + checksum(body);
}

/** What is stored of a key and what it is found by. */
export function hashSecret(secret: string): string {
  return Bun.SHA256.hash(secret, "hex");
}
