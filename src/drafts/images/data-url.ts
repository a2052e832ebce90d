import { PictureError } from "./picture.ts";
import { tooLarge } from "./read-picture.ts";

const DATA_URL = /^data:[^,]{0,300}?(?<base64>;base64)?,/i;

function malformed(): PictureError {
  const message = "The picture is not a data: address with base64.";
  const fix = "Write the picture as data:image/png;base64, and its bytes in base64.";
  return new PictureError("image_address", message, fix, { limit: "data:image/…;base64,…" });
}

/** The bytes of a `data:` address. What it says of their kind is not believed, and so not read. */
export function readDataUrl(text: string, bytesMax: number): Uint8Array {
  const head = DATA_URL.exec(text);
  if (head === null) throw malformed();
  const rest = text.length - head[0].length;
  // Neither form makes fewer bytes than this, so nothing huge is unpacked only to be measured.
  const bytesMin = Math.floor(rest / 4);
  if (bytesMin > bytesMax) throw tooLarge(bytesMax);
  const payload = text.slice(head[0].length);
  if (head.groups?.base64 === undefined) throw malformed();
  const plain = payload.includes("%") ? unescaped(payload) : payload;
  if (!isBase64(plain)) throw malformed();
  return Buffer.from(plain, "base64");
}

/** The end is looked at by itself: one pattern for all would try every space as its beginning. */
function isBase64(text: string): boolean {
  const padding = text.indexOf("=");
  const body = padding < 0 ? text : text.slice(0, padding);
  const end = padding < 0 ? "" : text.slice(padding).trimEnd();
  return !/[^A-Za-z0-9+/_\s-]/.test(body) && end.length <= 2 && !/[^=]/.test(end);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed();
  }
}
