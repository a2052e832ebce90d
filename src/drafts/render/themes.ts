// The themes of this house, the first of which is the one that articles have unless told.
import type { Theme } from "./theme.ts";
import { CALM } from "./themes/calm.ts";
import { ENGINEER } from "./themes/engineer.ts";
import { INK_THEME } from "./themes/ink.ts";
import { LETTERPRESS } from "./themes/letterpress.ts";
import { MAGAZINE } from "./themes/magazine.ts";

export const THEMES: readonly Theme[] = [CALM, LETTERPRESS, ENGINEER, MAGAZINE, INK_THEME];

/** A draft may name a theme that a later version no longer has; it is then shown in the default. */
export function themeOf(id: string | undefined): Theme {
  return THEMES.find((theme) => theme.id === id) ?? CALM;
}
