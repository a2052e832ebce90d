import { escapeHtml } from "../render/tree.ts";

/** As long as the platform's own addresses of pictures come to be. */
const PLACE = "https://mmbiz.qpic.cn/".padEnd(150, "x");

/**
 * The content as long as it is when it is sent: pictures that stand in it, or have long addresses, are
 * uploaded before, and have short ones then.
 */
export function asUploaded(content: string, bodyImages: readonly string[]): string {
  const long = bodyImages.filter((src) => src.length > PLACE.length);
  if (long.length === 0) return content;
  const sources = new Set(long.map(escapeHtml));
  // One pass for all of them: there may be many, and each may be megabytes.
  return content.replace(/(?<=\ssrc=")[^"]+/g, (src) => (sources.has(src) ? PLACE : src));
}
