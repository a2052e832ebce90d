import { Fault } from "../lib/faults.ts";
import { textTokens } from "../protocols/text-tokens.ts";
import type { CountedInput } from "../protocols/wire.ts";
import type { ImageDetail } from "./bounds/families.ts";
import { TextMeter } from "./bounds/text-meter.ts";
import { openVocabulary, type VocabularyName } from "./bounds/vocabularies.ts";

const TOKENS_PER_IMAGE = 1_100;
/** A page of a document is about this many bytes of base64 and this many tokens. */
const FILE_CHARS_PER_PAGE = 40_000;
const TOKENS_PER_PAGE = 1_500;
const TOKENS_PER_MESSAGE = 4;

/** Members that hold addresses of pictures, on one wire or another. */
const PICTURE_NAMES = ["image_url", "url"];
/** The same of files, which may be of any size. */
const FILE_NAMES = ["file_url", "document_url"];
/** Members that hold addresses. A text elsewhere is a text, whatever it begins with. */
const ADDRESS_NAMES: ReadonlySet<string> = new Set([
  ...[...PICTURE_NAMES, ...FILE_NAMES],
  ...["file_data", "audio_url", "video_url"],
]);

/** Members whose values are written out for the model as JSON, whatever they look like. */
const JSON_NAMES = new Set([
  "input",
  "args",
  "arguments",
  "response",
  "action",
  "results",
  "attributes",
]);

/** What says, among tools, that the vendor searches. */
const SEARCH_NAMES = ["googleSearch", "web_search_options"];

/** Items that tell what a tool returned; some clients write a value there instead of its JSON. */
const RESULTS: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];

function isBare(content: unknown): boolean {
  return typeof content === "object" && !Array.isArray(content);
}

function dataUrlTokens(url: string): number {
  if (url.startsWith("data:image/")) return TOKENS_PER_IMAGE;
  return Math.ceil(url.length / FILE_CHARS_PER_PAGE) * TOKENS_PER_PAGE;
}

/** What stands before the data of an address is short, or it is none. */
const HEAD_CHARS_MAX = 512;
const BASE64_HEAD = /^data:[^,]*;base64,/i;
/** A file that is read as it is: its tokens are no more than its bytes. */
const PLAIN_HEAD = /^data:text\/plain[;,]/i;

/** How many bytes a file has: an address may hold its characters as they are instead of base64. */
function fileBytes(data: string): number {
  const isPlain = data.startsWith("data:") && !BASE64_HEAD.test(data.slice(0, HEAD_CHARS_MAX));
  return isPlain ? Buffer.byteLength(data) : Math.ceil((data.length * 3) / 4);
}

/** Some vendors take an address in the place of a file's data, and fetch it. No base64 has a colon. */
function isLinkedFile(value: string, key: string): boolean {
  return key === "file_data" && /^https?:/i.test(value);
}

/** Of a text where an address may stand. */
function addressTokens(value: string, key: string): number {
  if (value.startsWith("data:")) return dataUrlTokens(value);
  if (PICTURE_NAMES.includes(key)) return TOKENS_PER_IMAGE;
  if (FILE_NAMES.includes(key) || isLinkedFile(value, key)) return TOKENS_PER_PAGE;
  return key === "file_data" ? dataUrlTokens(value) : textTokens(value);
}

/** What says of something which it is, and is no text of its own. */
function isMark(key: string): boolean {
  return key === "type" || key === "role" || key === "id" || key === "detail";
}

/** The media type of a picture or a file beside its data, as Anthropic and Google write them. */
function attachmentType(value: object): string | undefined {
  if (!("data" in value) || typeof value.data !== "string") return undefined;
  const { media_type, mimeType, mime_type } = value as Record<string, unknown>;
  const type = media_type ?? mimeType ?? mime_type;
  return typeof type === "string" && !type.startsWith("text/") ? type : undefined;
}

/** Deeper than any schema or message; beyond it a body is an attack on whoever walks through it. */
const NESTING_MAX = 256;

/** The quotes, the colon and the white space of a name; the quotes and the comma of a value. */
const MARKS_PER_NAME = 5;
const MARKS_PER_VALUE = 3;

/** From here on JavaScript writes a number shorter than somebody else may; this many digits at most. */
const LONG_NUMBER = 1e21;
const NUMBER_CHARS_MAX = 4_300;

function numberMarks(value: number): number {
  return Math.abs(value) < LONG_NUMBER ? String(value).length : NUMBER_CHARS_MAX;
}

/** What is written differently in JSON: whatever comes before the space, the quote and the backslash. */
const ESCAPED = /[^ !#-[\]-\uffff]/g;
/** Where one of them stands, more are near: so many characters are looked at one by one. */
const NEAR_CHARS = 256;

/**
 * How many characters more a text has in JSON; a new line may begin a comment as well. Long texts have few, and
 * an expression is ten times as fast at finding them as a loop.
 */
function escapes(text: string): number {
  let more = 0;
  for (let at = 0; ; ) {
    ESCAPED.lastIndex = at;
    if (!ESCAPED.test(text)) return more;
    const to = Math.min(ESCAPED.lastIndex - 1 + NEAR_CHARS, text.length);
    for (at = ESCAPED.lastIndex - 1; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code === 10) more += 3;
      else if (code === 34 || code === 92) more++;
      else if (code < 32) more += 5;
    }
  }
}

/** A text is measured by so many characters at a time, and no further than matters. */
const CHARS_AT_A_TIME = 65_536;

/** How the texts of an input are measured for its bound. */
interface Measuring {
  /** Whose tokens they are counted in; without any, the bound goes by their bytes. */
  readonly vocabularies: readonly VocabularyName[];
  /** Beyond so many tokens they need not be measured to their end: no model reads them. */
  readonly enough: number;
}

interface TextPosition {
  /** Whether names of members count in the estimate, as they do in the schema of a tool. */
  readonly names: boolean;
  /** Whether this is written out for the model as JSON: then every text in it is a text. */
  readonly json: boolean;
  readonly detail: unknown;
}

const SPOKEN: TextPosition = { names: false, json: false, detail: undefined };
const DECLARED: TextPosition = { names: true, json: true, detail: undefined };

/** Where the value of a member stands, of an object of this type that is not JSON itself. */
function placeOf(
  member: string,
  content: unknown,
  type: unknown,
  position: TextPosition,
): TextPosition {
  // Tools may be declared in the middle of a conversation too.
  if (member === "tools") return DECLARED;
  const isReturned = member === "output" && RESULTS.includes(type) && isBare(content);
  return isReturned || JSON_NAMES.has(member) ? { ...position, json: true } : position;
}

/**
 * The size of a request's input before a vendor has counted it, twice over, from one walk through
 * it: an estimate, which is charged where a vendor answered in full without saying what it used and
 * so aims at the truth; and what a bound is made of (input-bound.ts), which no count may pass.
 */
export class InputMeasure {
  /** Tokens as estimated. */
  readonly estimate: number;
  /** Characters and bytes of all texts. */
  chars = 0;
  bytes = 0;
  /** Tokens of what stands around texts, and around names and values where they are JSON. */
  marks = 0;
  messages = 0;
  tools = 0;
  searches = 0;
  readonly images: Record<ImageDetail, number> = { low: 0, high: 0, other: 0 };
  /** Plain texts that are sent as files. */
  files = 0;
  fileBytes = 0;
  /** Files that nobody can count here: documents that unpack, and whatever lies at an address. */
  opaqueFiles = 0;
  /** Characters of earlier thoughts that only the vendor can open. */
  readonly sealedChars: number;
  readonly #meters: TextMeter[] = [];
  readonly #measuring: Measuring;

  constructor(input: CountedInput, measuring: Measuring) {
    this.#measuring = measuring;
    for (const name of measuring.vocabularies) {
      this.#meters.push(new TextMeter(openVocabulary(name)));
    }
    this.sealedChars = input.sealedChars ?? 0;
    this.estimate =
      this.#count(input.conversation, "", SPOKEN, 0) + this.#count(input.tools, "", DECLARED, 0);
  }

  /** The most tokens of all texts, where they were measured in this vocabulary. */
  textTokens(vocabulary: VocabularyName): number | undefined {
    return this.#meters[this.#measuring.vocabularies.indexOf(vocabulary)]?.tokens;
  }

  /** Takes a value in and returns its tokens as estimated. */
  #count(value: unknown, key: string, position: TextPosition, depth: number): number {
    if (typeof value === "string") return this.#string(value, key, position);
    if (typeof value !== "object" || value === null) return this.#simple(value, position);
    if (depth > NESTING_MAX) {
      throw new Fault("invalid_value", `The body is nested more than ${NESTING_MAX} levels deep.`);
    }
    if (Array.isArray(value)) {
      let sum = 0;
      for (const element of value) {
        // A list or an object without a name has its brackets and its comma all the same.
        if (position.json && typeof element === "object") this.marks += MARKS_PER_VALUE;
        sum += this.#count(element, key, position, depth + 1);
      }
      return sum;
    }
    const type = attachmentType(value);
    if (type === undefined) return this.#members(value, position, depth);
    const data = String((value as { data?: unknown }).data);
    if (position.json) this.#members(value, position, depth);
    else if (type.startsWith("image/")) this.#image(position);
    else this.opaqueFiles++;
    return dataUrlTokens(`data:${type},${data}`);
  }

  #members(value: object, position: TextPosition, depth: number): number {
    const { role, type, name, detail } = value as Record<string, unknown>;
    let sum = 0;
    if ("role" in value) sum += TOKENS_PER_MESSAGE;
    if (!position.json && (role !== undefined || typeof type === "string")) this.messages++;
    if (position.names && typeof name === "string") this.tools++;
    if (position.names && typeof type === "string" && type.startsWith("web_search"))
      this.searches++;
    const inside = detail === undefined ? position : { ...position, detail };
    for (const member in value) {
      const content = (value as Record<string, unknown>)[member];
      if (position.names) sum += textTokens(member) + 1;
      if (position.json) this.#name(member);
      const there = position.json ? inside : placeOf(member, content, type, inside);
      sum += this.#count(content, member, there, depth + 1);
    }
    return sum;
  }

  #name(name: string): void {
    this.#text(name);
    this.marks += MARKS_PER_NAME;
    if (SEARCH_NAMES.includes(name)) this.searches++;
  }

  #simple(value: unknown, position: TextPosition): number {
    if (value === undefined) return 0;
    // Elsewhere a number is the number of a token.
    this.marks += position.json ? MARKS_PER_VALUE : 1;
    if (position.json && typeof value === "number") this.marks += this.#numberMarks(value);
    return 1;
  }

  /** Beyond what any model reads a number need not be written, which takes long where there are very many. */
  #numberMarks(value: number): number {
    return this.marks > this.#measuring.enough ? NUMBER_CHARS_MAX : numberMarks(value);
  }

  #string(value: string, key: string, position: TextPosition): number {
    if (ADDRESS_NAMES.has(key)) {
      if (position.json) this.#written(value);
      else this.#address(value, key, position);
      return addressTokens(value, key);
    }
    const bytes = position.json ? this.#written(value) : this.#spoken(value);
    return isMark(key) ? 0 : textTokens(value, bytes);
  }

  /** A text that is written out as JSON. How many bytes it has. */
  #written(value: string): number {
    const bytes = this.#text(value);
    const isRead = value.length <= CHARS_AT_A_TIME || !this.#isEnough();
    this.marks += MARKS_PER_VALUE + (isRead ? escapes(value) : 0);
    return bytes;
  }

  /** A text that stands for itself. How many bytes it has. */
  #spoken(value: string): number {
    // Some tokenizers begin every text with a token of their own.
    this.marks++;
    return this.#text(value);
  }

  #address(value: string, key: string, position: TextPosition): void {
    const isData = value.startsWith("data:");
    if (isData && value.startsWith("data:image/")) this.#image(position);
    else if (isLinkedFile(value, key)) this.opaqueFiles++;
    else if (isData || key === "file_data") this.#file(value);
    else {
      // It may stand for what is behind it or be a text of its own.
      if (PICTURE_NAMES.includes(key)) this.#image(position);
      if (FILE_NAMES.includes(key)) this.opaqueFiles++;
      this.#spoken(value);
    }
  }

  /** How many bytes it has. */
  #text(text: string): number {
    const bytes = Buffer.byteLength(text);
    this.chars += text.length;
    this.bytes += bytes;
    for (const meter of this.#meters) this.#pass(text, meter);
    return bytes;
  }

  /** By itself, so that it is compiled as what it is: it takes most of the time of a short request. */
  #pass(text: string, meter: TextMeter): void {
    meter.cut();
    for (let at = 0; at < text.length; at += CHARS_AT_A_TIME) {
      if (meter.tokens > this.#measuring.enough) break;
      meter.push(text, at, Math.min(at + CHARS_AT_A_TIME, text.length));
    }
  }

  /** Whether there are more tokens already than any model reads. */
  #isEnough(): boolean {
    const { enough } = this.#measuring;
    return this.#meters.length > 0 && this.#meters.every(({ tokens }) => tokens > enough);
  }

  #image({ detail }: TextPosition): void {
    this.images[detail === "low" || detail === "high" ? detail : "other"]++;
  }

  #file(data: string): void {
    if (!PLAIN_HEAD.test(data.slice(0, HEAD_CHARS_MAX))) {
      this.opaqueFiles++;
      return;
    }
    this.files++;
    this.fileBytes += fileBytes(data);
  }
}

const ESTIMATE_ONLY: Measuring = { vocabularies: [], enough: 0 };

/** Walks through an input once. */
export function measureInput(input: CountedInput, measuring = ESTIMATE_ONLY): InputMeasure {
  return new InputMeasure(input, measuring);
}
