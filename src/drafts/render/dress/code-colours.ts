// Colours of code, by the scopes that highlight.js finds.

type Palette = Readonly<Record<string, string>>;

/** On a background as light as #f6f8fa. */
const LIGHT: Palette = {
  comment: "#59636e",
  quote: "#59636e",
  keyword: "#b3202f",
  "selector-tag": "#116329",
  literal: "#0a50a3",
  number: "#0a50a3",
  string: "#0a3d77",
  regexp: "#116329",
  title: "#6f3cc4",
  section: "#0a50a3",
  "title.class": "#8a3b00",
  type: "#8a3b00",
  built_in: "#8a3b00",
  attr: "#0a50a3",
  attribute: "#0a50a3",
  property: "#0a50a3",
  variable: "#8a3b00",
  "template-variable": "#8a3b00",
  symbol: "#0a50a3",
  bullet: "#0a50a3",
  meta: "#59636e",
  tag: "#24292f",
  name: "#116329",
  "selector-class": "#6f3cc4",
  "selector-id": "#6f3cc4",
  link: "#0a50a3",
  addition: "#116329",
  deletion: "#b3202f",
};

/** On a background as dark as #1b2130. */
const DARK: Palette = {
  comment: "#8f9bb3",
  quote: "#8f9bb3",
  keyword: "#ff8fa3",
  "selector-tag": "#ff8fa3",
  literal: "#f6b26b",
  number: "#f6b26b",
  string: "#a5d6a0",
  regexp: "#a5d6a0",
  title: "#8ab8ff",
  section: "#8ab8ff",
  "title.class": "#ffd580",
  type: "#ffd580",
  built_in: "#7fd6d6",
  attr: "#7fd6d6",
  attribute: "#7fd6d6",
  property: "#7fd6d6",
  variable: "#e8c1ff",
  "template-variable": "#e8c1ff",
  symbol: "#f6b26b",
  bullet: "#f6b26b",
  meta: "#a9b4c8",
  tag: "#a9b4c8",
  name: "#ff8fa3",
  "selector-class": "#ffd580",
  "selector-id": "#ffd580",
  link: "#8ab8ff",
  addition: "#a5d6a0",
  deletion: "#ff8fa3",
};

export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = { light: LIGHT, dark: DARK };
