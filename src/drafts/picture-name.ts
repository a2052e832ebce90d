// Which picture is meant, in the words of whoever wrote the article.

export interface NamedPicture {
  /** The address or file as it was written; of a picture in the text itself, what is known of it. */
  readonly picture: string;
  /** Of the text below its settings, where the picture stands there. */
  readonly line?: number;
}

const NAME_CHARS_MAX = 200;
/** Whoever puts a file into a text may say which it was: `data:image/png;name=a.png;base64,…`. */
const FILE_NAME = /^data:image\/[\w.+-]{1,40};name=([\w.%~-]{1,200});base64,/i;
const KIND = /^data:(image\/[\w.+-]{1,40})/i;
/** `[sketch]: data:image/…`: the label is what stands in the text. */
const LABEL = /(?:^|\n) {0,3}\[([^\]\n]{1,100})\]:[ \t]*<?$/;
const LABEL_REACH = 120;

/** As it was before it was written as a part of an address; what cannot have been stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where an address stands in a text; rendering writes some of their characters otherwise. */
function placeOf(text: string, src: string): number {
  const found = text.indexOf(src);
  if (found >= 0 || src.startsWith("data:")) return found;
  return text.indexOf(decoded(src));
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

/** The name of an address, and of a picture that is written out the file that it was. */
export function nameOf(src: string): string {
  const file = FILE_NAME.exec(src)?.[1];
  if (file !== undefined) return decoded(file).slice(0, NAME_CHARS_MAX);
  const kind = KIND.exec(src)?.[1];
  return kind === undefined ? src.slice(0, NAME_CHARS_MAX) : `a data: address (${kind})`;
}

/** A picture of a text, by its source. */
export function namedInText(text: string, src: string): NamedPicture {
  const place = placeOf(text, src);
  if (place < 0) return { picture: nameOf(src) };
  const label = LABEL.exec(text.slice(Math.max(0, place - LABEL_REACH), place))?.[1];
  if (label === undefined) return { picture: nameOf(src), line: lineAt(text, place) };
  // Definitions stand at the end, and editors hide them; what counts is where it is called.
  const line = lineAt(text, text.indexOf(`[${label}]`));
  return { picture: src.startsWith("data:") ? label : nameOf(src), line };
}

/** In front of what is said of it. */
export function introduced({ picture, line }: NamedPicture, message: string): string {
  return `${picture}${line === undefined ? "" : ` (line ${line})`}: ${message}`;
}
