// The shape of the words of the command line, as the console keeps its own: English is the source, another
// language has exactly its keys, which a type enforces, and its placeholders, which a test does.

export type Language = "en" | "zh";

export type Area = Readonly<Record<string, string>>;

export type Translation<Source extends Area> = { readonly [Key in keyof Source]: string };

/** The names in braces of a message: `"there is no key {id}"` has `id`. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values that a message needs; none, where it has no braces. */
export type Values<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, string | number>>];

/** A message with its values put in; what a value says is never read as a placeholder. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
