// What a theme is: a table from each part of an article to its style. Themes hold no code.
import type { baseParts } from "./themes/base.ts";
import type { Style } from "./tree.ts";

/** What an article is made of; the base says it for all themes. */
export type Part = keyof ReturnType<typeof baseParts>;

/** A real element that stands where a style sheet would use `::before` or `::after`. */
export interface Ornament {
  readonly text: string;
  readonly style: Style;
}

export interface HeadingLook {
  readonly box: Style;
  readonly text: Style;
  /** Its text may hold `00`, in whose place the number of the heading stands. */
  readonly before?: Ornament;
  readonly after?: Ornament;
}

export interface Theme {
  readonly id: string;
  readonly name: { readonly en: string; readonly zh: string };
  readonly about: { readonly en: string; readonly zh: string };
  /** For pictures that should suit the article, such as a title card. */
  readonly colours: { readonly ink: string; readonly paper: string; readonly accent: string };
  readonly code: "light" | "dark";
  readonly parts: Readonly<Record<Part, Style>>;
  readonly headings: Readonly<Record<"h1" | "h2" | "h3" | "h4", HeadingLook>>;
  /** Marks of lists by depth; the last stands for all that are deeper. */
  readonly markers: readonly string[];
  readonly quoteMark?: Ornament;
  /** What stands between two parts of an article; a plain line when absent. */
  readonly ruleMark?: Ornament;
}
