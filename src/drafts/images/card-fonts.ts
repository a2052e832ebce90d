import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canvasLibrary } from "./pixels.ts";

/** The names under which the shipped fonts are drawn with. A server seldom has any for Chinese. */
export const BOLD = "Faregate Card Bold";
export const REGULAR = "Faregate Card Regular";

const FILES = [
  [BOLD, "NotoSansHans-Bold.otf"],
  [REGULAR, "NotoSansHans-Regular.otf"],
] as const;

/** Where a package and an executable have their fonts. A clone has those of npm. */
const SHIPPED = join(import.meta.dir, "..", "..", "..", "fonts");

let loaded: Promise<void> | undefined;

/** Makes the shipped fonts known to the drawing library. It looks once, because the library lists all its fonts then. */
export function loadCardFonts(): Promise<void> {
  loaded ??= load().catch((thrown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}

function pathOf(file: string): string {
  const shipped = join(SHIPPED, file);
  if (existsSync(shipped)) return shipped;
  return fileURLToPath(new URL(`../fonts/${file}`, import.meta.resolve("@embedpdf/fonts-sc")));
}

async function load(): Promise<void> {
  const { GlobalFonts } = await canvasLibrary();
  for (const [name, file] of FILES) {
    if (GlobalFonts.has(name)) continue;
    const path = pathOf(file);
    // The library cannot open a file that lies inside an executable.
    const font = Bun.isStandaloneExecutable
      ? GlobalFonts.register(Buffer.from(await Bun.file(path).arrayBuffer()), name)
      : GlobalFonts.registerFromPath(path, name);
    if (font === null) throw new Error(`the font ${path} could not be read`);
  }
}
