// Pictures that stand in a text as data URLs: megabytes that a reader of markdown need not look at.

const PICTURE =
  /data:image\/[a-z0-9.+-]{1,40}(?:;name=[\w.%~-]{1,200})?;base64,[a-z0-9+/=_-]{100,}/gi;
/** Stands for a picture while a text is read; nobody has a reason to write it. */
const MARK = /data:x-kept-picture-(\d{1,6})-/g;

interface LightText {
  readonly text: string;
  readonly pictures: readonly string[];
}

export function withoutPictures(text: string): LightText {
  const pictures: string[] = [];
  const light = text.replace(PICTURE, (picture) => {
    pictures.push(picture);
    return `data:x-kept-picture-${pictures.length - 1}-`;
  });
  return { text: light, pictures };
}

/** How much there is to read of a text; the pictures that stand in it are not. */
export function charsToRead(text: string): number {
  return withoutPictures(text).text.length;
}

/** Puts them back, wherever their marks have come to stand. */
export function withPictures(text: string, pictures: readonly string[]): string {
  if (pictures.length === 0) return text;
  return text.replace(MARK, (mark, index: string) => pictures[Number(index)] ?? mark);
}
