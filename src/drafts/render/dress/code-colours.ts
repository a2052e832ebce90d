// Colours of code, by the scopes that highlight.js finds.

/** On a background as light as #f6f8fa, and on one as dark as #1b2130. */
type Colour = Readonly<Record<"light" | "dark", string>>;

export const CODE_COLOURS: Readonly<Record<string, Colour>> = {
  comment: { light: "#59636e", dark: "#8f9bb3" },
  quote: { light: "#59636e", dark: "#8f9bb3" },
  keyword: { light: "#b3202f", dark: "#ff8fa3" },
  "selector-tag": { light: "#116329", dark: "#ff8fa3" },
  literal: { light: "#0a50a3", dark: "#f6b26b" },
  number: { light: "#0a50a3", dark: "#f6b26b" },
  string: { light: "#0a3d77", dark: "#a5d6a0" },
  regexp: { light: "#116329", dark: "#a5d6a0" },
  title: { light: "#6f3cc4", dark: "#8ab8ff" },
  section: { light: "#0a50a3", dark: "#8ab8ff" },
  "title.class": { light: "#8a3b00", dark: "#ffd580" },
  type: { light: "#8a3b00", dark: "#ffd580" },
  built_in: { light: "#8a3b00", dark: "#7fd6d6" },
  attr: { light: "#0a50a3", dark: "#7fd6d6" },
  attribute: { light: "#0a50a3", dark: "#7fd6d6" },
  property: { light: "#0a50a3", dark: "#7fd6d6" },
  variable: { light: "#8a3b00", dark: "#e8c1ff" },
  "template-variable": { light: "#8a3b00", dark: "#e8c1ff" },
  symbol: { light: "#0a50a3", dark: "#f6b26b" },
  bullet: { light: "#0a50a3", dark: "#f6b26b" },
  meta: { light: "#59636e", dark: "#a9b4c8" },
  tag: { light: "#24292f", dark: "#a9b4c8" },
  name: { light: "#116329", dark: "#ff8fa3" },
  "selector-class": { light: "#6f3cc4", dark: "#ffd580" },
  "selector-id": { light: "#6f3cc4", dark: "#ffd580" },
  link: { light: "#0a50a3", dark: "#8ab8ff" },
  addition: { light: "#116329", dark: "#a5d6a0" },
  deletion: { light: "#b3202f", dark: "#ff8fa3" },
};
