import type { en } from "./en/catalogue.ts";
import type { Area, Translation } from "./messages.ts";

export type Source = typeof en;

/** A whole catalogue with exactly the areas and keys of the English one. */
export type Catalogue = { readonly [Name in keyof Source]: Translation<Source[Name]> };

/** `"keys.title"` and all the others. */
export type MessageKey = {
  [Name in keyof Source & string]: `${Name}.${keyof Source[Name] & string}`;
}[keyof Source & string];

export type MessageAt<Key extends MessageKey> = Key extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Source
    ? Rest extends keyof Source[Name]
      ? Source[Name][Rest]
      : never
    : never
  : never;

export function messageAt(catalogue: Catalogue, key: MessageKey) {
  const dot = key.indexOf(".");
  const area: Area = catalogue[key.slice(0, dot) as keyof Source];
  return area[key.slice(dot + 1)] ?? key;
}
