import { fileURLToPath } from "node:url";
import { canvasLibrary } from "./pixels.ts";

/** The names under which the shipped fonts are drawn with. A server seldom has any for Chinese. */
export const BOLD = "Faregate Card Bold";
export const REGULAR = "Faregate Card Regular";

const FILES = [
  [BOLD, "NotoSansHans-Bold.otf"],
  [REGULAR, "NotoSansHans-Regular.otf"],
] as const;

/** Asked once: the library lists all its fonts to say whether it has one. */
let loaded: Promise<void> | undefined;

/** Makes the shipped fonts known to the drawing library, once. */
export function loadCardFonts(): Promise<void> {
  loaded ??= load().catch((thrown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}

async function load(): Promise<void> {
  const { GlobalFonts } = await canvasLibrary();
  const home = import.meta.resolve("@embedpdf/fonts-sc");
  for (const [name, file] of FILES) {
    if (GlobalFonts.has(name)) continue;
    const path = fileURLToPath(new URL(`../fonts/${file}`, home));
    if (GlobalFonts.registerFromPath(path, name) === null) {
      throw new Error(`the font ${file} could not be read`);
    }
  }
}
