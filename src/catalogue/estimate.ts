import { Fault } from "../lib/faults.ts";
import { textTokens } from "../protocols/text-tokens.ts";

/**
 * Token counts before a vendor has counted. They size holds, and they are charged only where a
 * vendor answered in full without saying what it used, so they aim at the truth, not above it.
 */

const TOKENS_PER_IMAGE = 1_100;
/** A page of a document is about this many bytes of base64 and this many tokens. */
const FILE_CHARS_PER_PAGE = 40_000;
const TOKENS_PER_PAGE = 1_500;
const TOKENS_PER_MESSAGE = 4;

/** Members that hold addresses. A text elsewhere is a text, whatever it begins with. */
const ADDRESS_NAMES = ["image_url", "url", "file_data", "file_url", "audio_url", "video_url"];

function dataUrlTokens(url: string): number {
  if (url.startsWith("data:image/")) return TOKENS_PER_IMAGE;
  return Math.ceil(url.length / FILE_CHARS_PER_PAGE) * TOKENS_PER_PAGE;
}

function stringTokens(value: string, key: string): number {
  const isAddress = ADDRESS_NAMES.includes(key);
  if (isAddress && value.startsWith("data:")) return dataUrlTokens(value);
  // Chat and Responses both keep picture addresses under these names.
  if (key === "image_url" || (key === "url" && value.startsWith("http"))) return TOKENS_PER_IMAGE;
  if (key === "file_data") return dataUrlTokens(value);
  if (key === "type" || key === "role" || key === "id" || key === "detail") return 0;
  return textTokens(value);
}

/** A picture or a file beside its media type, as Anthropic and Google write them. */
function attachmentTokens(value: object): number | undefined {
  if (!("data" in value) || typeof value.data !== "string") return undefined;
  const { media_type, mimeType, mime_type } = value as Record<string, unknown>;
  const type = media_type ?? mimeType ?? mime_type;
  if (typeof type !== "string" || type.startsWith("text/")) return undefined;
  return dataUrlTokens(`data:${type},${value.data}`);
}

/** Deeper than any schema or message; beyond it a body is an attack on whoever walks through it. */
const NESTING_MAX = 256;

interface Counting {
  /** Whether names of members count too, as they do in the schema of a tool. */
  readonly names: boolean;
}

function count(value: unknown, key: string, counting: Counting, depth: number): number {
  if (typeof value === "string") return stringTokens(value, key);
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  if (depth > NESTING_MAX) {
    throw new Fault("invalid_value", `The body is nested more than ${NESTING_MAX} levels deep.`);
  }
  const attached = attachmentTokens(value);
  if (attached !== undefined) return attached;
  let sum = 0;
  if (Array.isArray(value)) {
    for (const element of value) sum += count(element, key, counting, depth + 1);
    return sum;
  }
  if ("role" in value) sum += TOKENS_PER_MESSAGE;
  for (const [name, member] of Object.entries(value)) {
    if (counting.names) sum += textTokens(name) + 1;
    sum += count(member, name, counting, depth + 1);
  }
  return sum;
}

/** Tokens of messages, items or tools: every text in them, pictures and files by kind. */
export function valueTokens(value: unknown, counting: Counting = { names: false }): number {
  return count(value, "", counting, 0);
}
