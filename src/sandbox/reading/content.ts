import { isRecord, type JsonRecord, stringOf } from "../json.ts";
import { type Attachment, wrongType } from "./prompt.ts";

/** As far as the size of a picture stands. */
const HEADER_BYTES = 24;

/** What a message or a result says, with what is attached to it. Parts of both wires are known. */
export function readContent(
  content: unknown,
  param: string,
): { text: string; attachments: Attachment[] } {
  if (content === undefined || content === null) return { text: "", attachments: [] };
  if (typeof content === "string") return { text: content, attachments: [] };
  if (!Array.isArray(content)) throw wrongType(param, "a string or an array");
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of content.filter(isRecord)) {
    const attachment = readAttachment(part);
    if (attachment === null) texts.push(stringOf(part.text) || stringOf(part.refusal));
    else attachments.push(attachment);
  }
  return { text: texts.join("\n"), attachments };
}

function readAttachment(part: JsonRecord): Attachment | null {
  const inside = (name: string): JsonRecord => {
    const value = part[name];
    return isRecord(value) ? value : part;
  };
  switch (part.type) {
    case "image_url":
    case "input_image": {
      const image = inside("image_url");
      return readData("image", stringOf(image.url) || stringOf(image.image_url), "");
    }
    case "file":
    case "input_file": {
      const file = inside("file");
      return readData("file", stringOf(file.file_data), stringOf(file.filename));
    }
    case "input_audio": {
      const { data, format } = inside("input_audio");
      const type = `audio/${stringOf(format) || "wav"}`;
      return readData("audio", `data:${type};base64,${stringOf(data)}`, "");
    }
    default:
      return null;
  }
}

/** Something by its data URL, or by an address that nobody follows. */
function readData(kind: Attachment["kind"], url: string, filename: string): Attachment {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0) {
    return { kind, mediaType: kind, filename, bytes: 0, size: null };
  }
  const mediaType = url.slice(5, comma).split(";")[0] || "application/octet-stream";
  // Only the head is decoded: a body may carry tens of megabytes of picture.
  const head = Buffer.from(url.slice(comma + 1, comma + 1 + (HEADER_BYTES / 3) * 4), "base64");
  const bytes = Math.floor(((url.length - comma - 1) * 3) / 4);
  return { kind, mediaType, filename, bytes, size: kind === "image" ? readSize(head) : null };
}

/** The size of a PNG from its header, or null for anything else. */
function readSize(head: Buffer): Attachment["size"] {
  if (head.length < HEADER_BYTES || head.readUInt32BE(0) !== 0x89504e47) return null;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

export function describeAttachment({ mediaType, filename, bytes, size }: Attachment): string {
  if (size !== null) return `an ${mediaType} of ${size.width}×${size.height} pixels`;
  const name = filename === "" ? "" : ` named ${filename}`;
  const weight = bytes > 0 ? ` of ${bytes} bytes` : "";
  return `${/^[aeiou]/.test(mediaType) ? "an" : "a"} ${mediaType}${name}${weight}`;
}

/** Pictures cost by area, other things by weight, as vendors count them. */
export function attachmentTokens(attachment: Attachment): number {
  if (attachment.kind === "image") {
    const size = attachment.size ?? { width: 512, height: 512 };
    return 85 + Math.min(1_500, Math.ceil((size.width * size.height) / 750));
  }
  return 20 + Math.min(100_000, Math.ceil(attachment.bytes / 16));
}
