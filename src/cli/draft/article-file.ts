import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Limits } from "../../config/config.ts";
import { type Images, openImages } from "../../drafts/images/images.ts";
import { PictureError } from "../../drafts/images/picture.ts";
import { decoded } from "../../drafts/picture-name.ts";
import { readFrontMatter } from "../../drafts/render/markdown/front-matter.ts";
import { mistakeOf } from "../terminal/arguments.ts";

/** What a file says, as a request for a draft has it. */
interface ArticleFile {
  readonly markdown?: string;
  readonly html?: string;
  readonly cover?: string;
  readonly images?: readonly string[];
}

interface FileOptions {
  readonly limits: Limits;
  /** Whether pictures may lie outside the folder of the file. */
  readonly allowOutside: boolean;
}

const FORMATS: Readonly<Record<string, "markdown" | "html">> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "markdown",
  ".html": "html",
  ".htm": "html",
};
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** Larger ones are made smaller here, as the platform would need them anyway. */
const PICTURE_BYTES_SENT = 1024 * 1024;
/** Of the name that a picture is sent under. */
const NAME_CHARS_MAX = 200;

/** Code is shown as it is, whatever it says of pictures. */
const CODE = /(^(?:```|~~~)[\s\S]*?^(?:```|~~~)[^\n]*$|`[^`\n]+`)/m;
const MARKDOWN_PICTURE = /(!\[[^\]]*\]\(\s*)(<[^>\n]+>|[^\s)]+)/g;
const HTML_PICTURE = /(<img\b[^>]*?\ssrc\s*=\s*)("[^"]*"|'[^']*')/gi;

function isLocal(address: string): boolean {
  return address !== "" && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address);
}

/** A path as it is written, or its end, so that whatever is said of the picture can name it. */
function nameFor(address: string): string {
  let name = "";
  for (const character of [...decoded(address).toWellFormed()].reverse()) {
    const written = encodeURIComponent(character).replace(/[!'()*]/, "_");
    if (name.length + written.length > NAME_CHARS_MAX) break;
    name = written + name;
  }
  return name;
}

/** The file of a picture that is written as a path. */
function findPicture(
  address: string,
  folder: string,
  { limits, allowOutside }: FileOptions,
): string {
  const [plain = ""] = address.split(/[?#]/, 1);
  const wanted = resolve(folder, decoded(plain));
  let path: string;
  try {
    path = realpathSync(wanted);
    if (!statSync(path).isFile()) throw new Error("no file");
  } catch {
    throw mistakeOf("file_not_found", "noPicture", { address });
  }
  const way = relative(realpathSync(folder), path);
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (isOutside && !allowOutside) throw mistakeOf("invalid_file", "pictureOutside", { address });
  const facts = { address, bytes: statSync(path).size, limit: limits.image_bytes_max };
  if (facts.bytes > facts.limit) throw mistakeOf("invalid_file", "pictureTooLarge", facts);
  return path;
}

async function pictureData(address: string, path: string, images: Images): Promise<string> {
  const bytes = await Bun.file(path).bytes();
  try {
    const picture = await images.load({ bytes, name: path });
    const isLarge = bytes.length > PICTURE_BYTES_SENT;
    const made = isLarge ? await images.forBody(picture) : picture;
    // What would not move any more is sent whole, so that it is said where everything is said.
    const file = made.notes.includes("first_frame") ? picture : made;
    const data = Buffer.from(file.bytes).toString("base64");
    return `data:${file.contentType};name=${nameFor(address)};base64,${data}`;
  } catch (thrown) {
    if (!(thrown instanceof PictureError)) throw thrown;
    const message = `${thrown.message} ${thrown.fix}`;
    throw mistakeOf("invalid_file", "pictureRefused", { address, message });
  }
}

/** An address as it is; a path as the picture itself. */
type Inline = (address: string) => Promise<string>;

/** Pictures of one file, each read once. */
function filePictures(folder: string, options: FileOptions): Inline {
  // All of them are of one person: nobody else has a turn here.
  const images = openImages(options.limits, { allowPrivate: false })("");
  const read = new Map<string, Promise<string>>();
  return async (address) => {
    if (/^file:/i.test(address)) throw mistakeOf("invalid_file", "pictureAsPath", { address });
    if (!isLocal(address)) return address;
    const load = () => pictureData(address, findPicture(address, folder, options), images);
    return read.getOrInsertComputed(address, load);
  };
}

/** The text with every match of a pattern's second group replaced. */
async function replaceAll(
  text: string,
  pattern: RegExp,
  change: (inner: string) => Promise<string>,
): Promise<string> {
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, head = "", inner = ""] = match;
    pieces.push(text.slice(end, match.index), head, await change(inner));
    end = match.index + whole.length;
  }
  return pieces.join("") + text.slice(end);
}

async function inlineMarkdown(text: string, inline: Inline): Promise<string> {
  const parts = text.split(new RegExp(CODE.source, "gm"));
  const changed = parts.map(async (part, at) => {
    // Every second part is what the pattern caught: code.
    if (at % 2 === 1) return part;
    const own = await replaceAll(part, MARKDOWN_PICTURE, (inner) =>
      inline(inner.replace(/^<|>$/g, "")),
    );
    return inlineHtml(own, inline);
  });
  return (await Promise.all(changed)).join("");
}

function inlineHtml(text: string, inline: Inline): Promise<string> {
  return replaceAll(text, HTML_PICTURE, async (quoted) => {
    const quote = quoted.charAt(0);
    return `${quote}${await inline(quoted.slice(1, -1))}${quote}`;
  });
}

async function readText(path: string): Promise<string> {
  const file = Bun.file(path);
  if (!existsSync(path)) throw mistakeOf("file_not_found", "noFile", { path });
  if (file.size > TEXT_BYTES_MAX) {
    const facts = { path, bytes: file.size, limit: TEXT_BYTES_MAX };
    throw mistakeOf("invalid_file", "fileTooLarge", facts);
  }
  // A folder, or what may not be read.
  return file.text().catch(() => {
    throw mistakeOf("invalid_file", "notAFile", { path });
  });
}

/** How many lines of a file stand above its text: those of its settings. */
export async function linesAboveText(path: string): Promise<number> {
  if (FORMATS[extname(path).toLowerCase()] !== "markdown") return 0;
  const text = await readText(path);
  const above = text.slice(0, text.length - readFrontMatter(text).body.length);
  return above.split("\n").length - 1;
}

/** A file of an article, the pictures on this machine in it. */
export async function readArticleFile(path: string, options: FileOptions): Promise<ArticleFile> {
  const format = FORMATS[extname(path).toLowerCase()];
  if (!format) throw mistakeOf("invalid_file", "notArticle", { path });
  const text = await readText(path);
  const inline = filePictures(dirname(resolve(path)), options);
  if (format === "html") return { html: await inlineHtml(text, inline) };
  const { fields, problem } = readFrontMatter(text);
  if (problem !== undefined) throw mistakeOf("invalid_file", "badSettings", { path, problem });
  const cover = fields.cover === undefined ? undefined : await inline(fields.cover);
  const images = fields.image_list && (await Promise.all(fields.image_list.map(inline)));
  return {
    markdown: await inlineMarkdown(text, inline),
    ...(cover !== undefined && { cover }),
    ...(images && { images }),
  };
}

/** One picture of a command: a path as the picture itself, an address as it is. */
export function readPicture(address: string, limits: Limits): Promise<string> {
  return filePictures(process.cwd(), { limits, allowOutside: true })(address);
}
