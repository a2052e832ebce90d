import { createHash } from "node:crypto";
import type { Media } from "./image-lookup.ts";

/** Ends an article's address, so that none is reached by counting. */
export function addressSignature(appid: string, mid: string | number, index: number): string {
  return createHash("sha256").update(`${appid} ${mid} ${index}`).digest("hex").slice(0, 32);
}

/** Where an article is read; `index` counts from one. */
export function pageUrl(
  origin: string,
  appid: string,
  mid: string,
  index: number,
  signature: string,
): string {
  const biz = Buffer.from(appid).toString("base64url");
  const query = new URLSearchParams({ __biz: biz, mid, idx: String(index), sn: signature });
  return `${origin}/s?${query}#rd`;
}

/** Where the cover of an article is seen; empty where it has none that stays. */
export async function coverUrl(media: Media, origin: string, appid: string, id: string) {
  const path = id && (await media.findImage(appid, id))?.path;
  return path ? `${origin}${path}` : "";
}
