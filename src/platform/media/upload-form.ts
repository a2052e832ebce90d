import type { PlatformCall } from "../endpoint.ts";
import { PlatformError } from "../platform-error.ts";
import { isJsonObject, member } from "../protocol/json.ts";
import { MEDIA_TYPES, type MediaType } from "./media.ts";
import type { Upload } from "./media-library.ts";
import { type FormPart, readMultipart } from "./multipart.ts";

/** A title and an introduction; more than anybody says of a video. */
const DESCRIPTION_BYTES_MAX = 16 * 1024;

function textOf(parts: readonly FormPart[], name: string): string | undefined {
  const part = parts.find((each) => each.name === name);
  if (part && part.bytes.length > DESCRIPTION_BYTES_MAX) throw new PlatformError(47001, name);
  return part && Buffer.from(part.bytes).toString("utf8");
}

/** What is said about a video, as JSON in a field of the form. */
function readDescription(text: string | undefined): Pick<Upload, "title" | "introduction"> {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PlatformError(47001, "description");
  }
  const object = value as Parameters<typeof isJsonObject>[0];
  if (!isJsonObject(object)) throw new PlatformError(47001, "description");
  const field = (name: string) => {
    const found = member(object, name) ?? "";
    if (typeof found !== "string") throw new PlatformError(47001, "description");
    return found.replaceAll("\u0000", "").toWellFormed();
  };
  return { title: field("title"), introduction: field("introduction") };
}

/** The file of a call. Its field must be called `media`; whatever else there is, is no file. */
export function readUpload(call: PlatformCall): Upload {
  const parts = readMultipart(call.contentType, call.body);
  const file = parts.find(({ name }) => name === "media");
  if (file === undefined) throw new PlatformError(41005, "media");
  const description = readDescription(textOf(parts, "description"));
  return { fileName: file.fileName ?? "", bytes: file.bytes, ...description };
}

export function readMediaType(call: PlatformCall): MediaType {
  const type = MEDIA_TYPES.find((each) => each === call.query.get("type"));
  if (type === undefined) throw new PlatformError(40004, "type");
  return type;
}
