// The shape of a catalogue. English is the source: every other language must have exactly its areas
// and keys, which the type `Translation` enforces, and its placeholders, which a test does.

/** A message that depends on `{count}`; languages use the forms they have. */
export interface Plural {
  readonly one?: string;
  readonly other: string;
}

export type Message = string | Plural;

export type Area = Readonly<Record<string, Message>>;

export type Translation<Source extends Area> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Plural;
};

/** The names in braces of a message: `"Hello {name}"` has `name`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type TextsOf<M> = M extends string ? M : M[keyof M] & string;

/** The values that a message needs; none, where it has no braces. */
export type Values<M, Value> = [NamesIn<TextsOf<M>>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<TextsOf<M>>, Value>>];

export type Language = "en" | "zh";

/** Each by its own name: whoever looks for it can read it. */
export const LANGUAGES = [
  { value: "en", label: "English" },
  { value: "zh", label: "简体中文" },
] as const;

export const LOCALES: Readonly<Record<Language, string>> = { en: "en-US", zh: "zh-CN" };

const PLACEHOLDER = /\{(\w+)\}/g;

/** The form of a message for a count, or the message itself. */
export function formOf(message: Message, language: Language, count: unknown): string {
  if (typeof message === "string") return message;
  const form = new Intl.PluralRules(LOCALES[language]).select(Number(count));
  return (form === "one" ? message.one : undefined) ?? message.other;
}

/** A message with its values put in, piece by piece, so that a value may be more than text. */
export function piecesOf<Value>(
  text: string,
  values: Readonly<Record<string, Value>>,
): (string | Value)[] {
  const pieces: (string | Value)[] = [];
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    pieces.push(text.slice(from, match.index));
    const value = values[match[1] ?? ""];
    pieces.push(value === undefined ? match[0] : value);
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece !== "");
}
