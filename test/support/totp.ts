// The code that an authenticator app shows, by RFC 6238: six digits, SHA-1, half a minute.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PERIOD_MS = 30_000;

function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = [...text.replace(/=+$/, "").toUpperCase()]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

/** A code that is wrong now and for some minutes: a fixed one is right for somebody once in a while. */
export async function wrongTotpOf(secret: string): Promise<string> {
  const steps = Array.from({ length: 20 }, (_, at) => Date.now() + (at - 2) * PERIOD_MS);
  const right = new Set(await Promise.all(steps.map((atMs) => totpOf(secret, atMs))));
  const codes = Array.from({ length: steps.length + 1 }, (_, at) => String(at).padStart(6, "0"));
  return codes.find((code) => !right.has(code)) ?? "";
}

export async function totpOf(secret: string, atMs = Date.now()): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", fromBase32(secret), algorithm, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(atMs / PERIOD_MS)));
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const offset = mac.getUint8(mac.byteLength - 1) & 15;
  const number = (mac.getUint32(offset) & 0x7fff_ffff) % 1_000_000;
  return String(number).padStart(6, "0");
}
