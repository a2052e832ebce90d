// Pictures that stand in a text as data URLs: megabytes that a reader of markdown need not look at.
import { ArticleTooComplex } from "../too-complex.ts";

const PICTURE =
  /data:image\/[a-z0-9.+-]{1,40}(?:;name=[\w.%~-]{1,200})?;base64,[a-z0-9+/=_-]{100,}/gi;
/** Of those that are shown more than once, so much is put back again; nobody reads an article of more. */
const REPEATED_CHARS_MAX = 20_000_000;

interface LightText {
  readonly text: string;
  readonly pictures: readonly string[];
  /** Stands before the number of a picture while a text is read. Nobody can guess it, and so have one put in. */
  readonly mark: string;
}

export function withoutPictures(text: string): LightText {
  const pictures: string[] = [];
  const mark = `data:x-kept-${crypto.randomUUID().slice(-12)}-`;
  const light = text.replace(PICTURE, (picture) => {
    pictures.push(picture);
    return `${mark}${pictures.length - 1}-`;
  });
  return { text: light, pictures, mark };
}

/** How much there is to read of a text; the pictures that stand in it are not. */
export function charsToRead(text: string): number {
  return withoutPictures(text).text.length;
}

/**
 * Puts them back, wherever their marks have come to stand. Throws `ArticleTooComplex` where a few letters ask for
 * a large one again and again.
 */
export function withPictures(
  text: string,
  { pictures, mark }: Pick<LightText, "pictures" | "mark">,
): string {
  if (pictures.length === 0) return text;
  const shown = new Set<number>();
  let repeated = 0;
  return text.replace(new RegExp(`${mark}(\\d+)-`, "g"), (found, index: string) => {
    const at = Number(index);
    const picture = pictures[at] ?? found;
    if (shown.has(at)) repeated += picture.length;
    shown.add(at);
    if (repeated > REPEATED_CHARS_MAX) throw new ArticleTooComplex();
    return picture;
  });
}
