// Pictures that are dropped into the text stand as definitions at the end of the markdown, so that
// the text refers to them by a short name. The editor shows the text without them.

const DEFINITION = /^\[(picture-\d+)\]: (data:image\/\S+)$/;

export interface PastedPicture {
  readonly name: string;
  readonly data: string;
}

export interface SplitText {
  readonly text: string;
  readonly pictures: readonly PastedPicture[];
}

/** Takes the definitions off the end. What stands anywhere else is text. */
export function splitPictures(source: string): SplitText {
  const lines = source.split("\n");
  const pictures: PastedPicture[] = [];
  let end = lines.length;
  for (; end > 0; end--) {
    const [, name, data] = DEFINITION.exec(lines[end - 1] ?? "") ?? [];
    if (name === undefined || data === undefined) break;
    pictures.unshift({ name, data });
  }
  if (pictures.length === 0) return { text: source, pictures };
  // The empty line that `joinPictures` puts between.
  const text = lines.slice(0, end).join("\n");
  return { text: text.endsWith("\n") ? text.slice(0, -1) : text, pictures };
}

export function joinPictures({ text, pictures }: SplitText): string {
  if (pictures.length === 0) return text;
  const lines = pictures.map(({ name, data }) => `[${name}]: ${data}`);
  return `${text}\n\n${lines.join("\n")}`;
}

/** The next free name. */
export function pictureName(pictures: readonly PastedPicture[]): string {
  const numbers = pictures.map(({ name }) => Number(name.slice("picture-".length)));
  return `picture-${Math.max(0, ...numbers) + 1}`;
}
