import { isRecord, stringOf } from "./json.ts";
import type { Attachment } from "./prompt.ts";

type Size = { readonly width: number; readonly height: number };

/** As far as the size of a picture stands. */
const HEADER_BYTES = 24;

/** An image by address or data URL, or by the bare base64 that some clients send. */
export function readImage(url: string): Attachment {
  const data = readDataUrl(url);
  if (data === null) return attachmentOf("image", guessType(url, "image"), "", 0, null);
  return attachmentOf("image", data.mediaType, "", data.bytes, readSize(data.header));
}

/** A file part of either wire: both call the fields by the same names. */
export function readFile(part: unknown): Attachment {
  const fields = isRecord(part) ? part : {};
  const filename = stringOf(fields.filename);
  const data = readDataUrl(stringOf(fields.file_data));
  const mediaType = data?.mediaType ?? guessType(filename || stringOf(fields.file_url), "file");
  return attachmentOf("file", mediaType, filename, data?.bytes ?? 0, null);
}

export function readAudio(part: unknown): Attachment {
  const fields = isRecord(part) ? part : {};
  const bytes = Math.floor((stringOf(fields.data).length * 3) / 4);
  return attachmentOf("audio", `audio/${stringOf(fields.format) || "wav"}`, "", bytes, null);
}

function attachmentOf(
  kind: Attachment["kind"],
  mediaType: string,
  filename: string,
  bytes: number,
  size: Size | null,
): Attachment {
  return { kind, mediaType, filename, bytes, size };
}

export function describeAttachment(attachment: Attachment): string {
  const name = attachment.filename === "" ? "" : ` named ${attachment.filename}`;
  const size = attachment.size;
  if (size !== null) return `an ${attachment.mediaType} of ${size.width}×${size.height} pixels`;
  const weight = attachment.bytes > 0 ? ` of ${attachment.bytes} bytes` : "";
  const article = /^[aeiou]/.test(attachment.mediaType) ? "an" : "a";
  return `${article} ${attachment.mediaType}${name}${weight}`;
}

/** Pictures cost by area, other things by weight, as vendors count them. */
export function attachmentTokens(attachment: Attachment): number {
  if (attachment.kind === "image") {
    const size = attachment.size ?? { width: 512, height: 512 };
    return 85 + Math.min(1_500, Math.ceil((size.width * size.height) / 750));
  }
  return 20 + Math.min(100_000, Math.ceil(attachment.bytes / 16));
}

function guessType(address: string, kind: "image" | "file"): string {
  const ending = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  if (kind === "image") return ending === undefined ? "image" : `image/${imageName(ending)}`;
  if (ending === "pdf") return "application/pdf";
  return ending === undefined ? "file" : `${ending} file`;
}

function imageName(ending: string): string {
  return ending === "jpg" ? "jpeg" : ending;
}

function readDataUrl(url: string): { mediaType: string; bytes: number; header: Uint8Array } | null {
  if (!url.startsWith("data:")) return null;
  const comma = url.indexOf(",");
  if (comma < 0) return null;
  const meta = url.slice(5, comma);
  const mediaType = meta.split(";")[0] || "application/octet-stream";
  const chars = url.length - comma - 1;
  if (!meta.endsWith(";base64")) return { mediaType, bytes: chars, header: new Uint8Array() };
  // Only the head is decoded: a body may carry tens of megabytes of picture.
  const head = url.slice(comma + 1, comma + 1 + (HEADER_BYTES / 3) * 4);
  const header = new Uint8Array(Buffer.from(head, "base64"));
  return { mediaType, bytes: Math.floor((chars * 3) / 4), header };
}

/** The size of a PNG from its header, or null for anything else. */
function readSize(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || view.getUint32(0) !== 0x89504e47) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
