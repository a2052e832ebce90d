/** One part of a form with files. */
export interface FormPart {
  readonly name: string;
  /** Undefined for a field without a file. */
  readonly fileName: string | undefined;
  readonly bytes: Uint8Array;
}

const BOUNDARY =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;
const PARTS_MAX = 16;

/** `name="media"` and `name=media` are the same; quotes and backslashes are escaped inside. */
function attribute(head: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(head);
  return found?.[1]?.replace(/\\(["\\])/g, "$1") ?? found?.[2];
}

/** The form of names beyond ASCII that some clients send in place of the plain one. */
function encodedFileName(head: string): string | undefined {
  const text = /;\s*filename\*=UTF-8'[^']*'([^\s;]+)/i.exec(head)?.[1];
  try {
    return text && decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function partOf(bytes: Buffer): FormPart | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end).toString("utf8");
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1];
  const name = disposition && attribute(disposition, "name");
  if (!disposition || name === undefined) return undefined;
  const fileName = attribute(disposition, "filename") ?? encodedFileName(disposition);
  return { name, fileName, bytes: bytes.subarray(end + 4) };
}

/** The parts of a form; none when it is not one, or was cut off. */
export function readMultipart(contentType: string, body: Uint8Array): readonly FormPart[] {
  const found = BOUNDARY.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return [];
  // Every boundary stands at the beginning of a line, the first one at that of the body.
  const bytes = Buffer.concat([Buffer.from("\r\n"), body]);
  const mark = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  let at = bytes.indexOf(mark);
  while (at >= 0 && parts.length < PARTS_MAX) {
    const start = at + mark.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    const next = bytes.indexOf(mark, start);
    if (next < 0) return [];
    const part = partOf(bytes.subarray(bytes.indexOf("\r\n", start) + 2, next));
    if (part) parts.push(part);
    at = next;
  }
  return [];
}
