import type { apiAreas } from "./en/api-areas.ts";
import type { en } from "./en/catalogue.ts";
import type { draftAreas } from "./en/drafts/draft-areas.ts";
import type { materialAreas } from "./en/drafts/material-areas.ts";
import type { operatorAreas } from "./en/operator-areas.ts";
import type { settings } from "./en/settings.ts";
import type { Area, Translation } from "./messages.ts";

type SettingsSource = { readonly settings: typeof settings };
type Source = typeof en &
  typeof apiAreas &
  typeof draftAreas &
  typeof materialAreas &
  typeof operatorAreas &
  SettingsSource;

type Translated<Areas extends Readonly<Record<string, Area>>> = {
  readonly [Name in keyof Areas]: Translation<Areas[Name]>;
};

/** What every visit loads, with exactly the areas and keys of the English one. */
export type FirstAreas = Translated<typeof en>;
/** What comes with the pages that need it. */
export type ApiAreas = Translated<typeof apiAreas>;
export type DraftAreas = Translated<typeof draftAreas>;
export type MaterialAreas = Translated<typeof materialAreas>;
export type OperatorAreas = Translated<typeof operatorAreas>;
export type SettingsAreas = Translated<SettingsSource>;
export type Catalogue = Translated<Source>;

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

export function messageAt(catalogue: Partial<Catalogue>, key: MessageKey) {
  const dot = key.indexOf(".");
  const area: Area | undefined = catalogue[key.slice(0, dot) as keyof Source];
  return area?.[key.slice(dot + 1)] ?? key;
}
