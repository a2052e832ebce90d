import { Fault } from "../../../lib/faults.ts";
import type { FilePart, ImagePart, Part } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectOf, textOf } from "../../optional.ts";

const IMAGE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** The place of an image or a PDF: an address, or the data itself. */
function urlOf(source: JsonObject): string {
  if (source.type !== "base64") return textOf(source.url);
  return `data:${textOf(source.media_type)};base64,${textOf(source.data)}`;
}

export function readImage(block: JsonObject): ImagePart {
  return { type: "image", url: urlOf(objectOf(block.source)) };
}

/** A text document as a file of its own, whose name a client may have given. */
function readText(text: string, title: string): FilePart {
  const data = Buffer.from(text).toString("base64");
  const name = title === "" ? "document.txt" : title;
  return { type: "file", name, url: `data:text/plain;base64,${data}` };
}

/** A document; its context, which other wires have no place for, goes before it as text. */
export function readDocument(block: JsonObject): Part[] {
  const source = objectOf(block.source);
  const title = textOf(block.title);
  const context = textOf(block.context);
  const parts: Part[] = context === "" ? [] : [{ type: "text", text: context }];
  if (source.type === "text") return [...parts, readText(textOf(source.data), title)];
  if (source.type === "content") {
    const blocks = Array.isArray(source.content) ? source.content : [];
    if (typeof source.content === "string") parts.push({ type: "text", text: source.content });
    for (const inner of blocks) {
      if (!isObject(inner)) continue;
      if (inner.type === "image") parts.push(readImage(inner));
      else parts.push({ type: "text", text: textOf(inner.text) });
    }
    return parts;
  }
  const name = title === "" ? "document.pdf" : title;
  return [...parts, { type: "file", name, url: urlOf(source) }];
}

function unsupportedMedia(message: string): Fault {
  return new Fault("unsupported_parameter", message);
}

interface DataUrl {
  readonly mediaType: string;
  readonly data: string;
}

const HEAD_CHARS_MAX = 512;

/** The parts of a `data:` URL; undefined for an address. */
function parseDataUrl(url: string): DataUrl | undefined {
  if (!url.startsWith("data:")) return undefined;
  // What stands before the data is short, or it is none.
  const comma = url.slice(0, HEAD_CHARS_MAX).indexOf(",");
  const head = comma < 0 ? "" : url.slice(5, comma);
  const [mediaType = "", ...settings] = head.toLowerCase().split(";");
  if (!settings.includes("base64")) {
    throw unsupportedMedia("A data URL must hold its data in base64.");
  }
  return { mediaType, data: url.slice(comma + 1) };
}

function urlSource(url: string): JsonObject {
  if (!/^https?:\/\//i.test(url)) {
    throw unsupportedMedia("Images and files must be 'https://' addresses or data URLs.");
  }
  return { type: "url", url };
}

function imageSource({ mediaType, data }: DataUrl): JsonObject {
  const media_type = mediaType === "image/jpg" ? "image/jpeg" : mediaType;
  if (!IMAGE_TYPES.includes(media_type)) {
    throw unsupportedMedia(
      `This model does not take images of type '${mediaType.slice(0, 64)}'; send JPEG, PNG, GIF or WebP.`,
    );
  }
  return { type: "base64", media_type, data };
}

export function writeImage({ url }: ImagePart): JsonObject {
  const data = parseDataUrl(url);
  return { type: "image", source: data ? imageSource(data) : urlSource(url) };
}

function documentSource({ mediaType, data }: DataUrl): JsonObject {
  if (mediaType === "application/pdf") {
    return { type: "base64", media_type: "application/pdf", data };
  }
  if (mediaType.startsWith("text/") || mediaType === "application/json") {
    const text = Buffer.from(data, "base64").toString();
    return { type: "text", media_type: "text/plain", data: text };
  }
  throw unsupportedMedia(
    `This model does not take files of type '${mediaType.slice(0, 64)}'; send a PDF or a text.`,
  );
}

export function writeFile({ url, name }: FilePart): JsonObject {
  const data = parseDataUrl(url);
  if (data?.mediaType.startsWith("image/")) return { type: "image", source: imageSource(data) };
  const title = name === undefined || name === "" ? {} : { title: name };
  return { type: "document", source: data ? documentSource(data) : urlSource(url), ...title };
}
