// Builds what is shipped beside the runtime: the packed program, the console, the documents and the fonts.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildConfig, BunPlugin } from "bun";
import { Glob } from "bun";
import { entries, OUTSIDE, places } from "../../bin/pack.ts";
import project from "../../package.json" with { type: "json" };
import { runBuild } from "../../src/http/files/console-files.ts";

export const projectDir = fileURLToPath(new URL("../../", import.meta.url));
export const buildDir = join(projectDir, "build");

const FONTS_PACKAGE = "@embedpdf/fonts-sc";
/** The weights of the font that cards are drawn with. The font holds GB 18030-2022 levels 1 and 2 and little else. */
const FONTS = ["NotoSansHans-Bold.otf", "NotoSansHans-Regular.otf"];

/** A package that is a part of what is shipped. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dir: string;
}

/** Makes an empty folder. */
export function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Puts the files that the program reads at run time below a folder; names the packages that they are made of. */
export async function stageFiles(dir: string): Promise<ShippedPackage[]> {
  const docs = join(projectDir, "docs");
  mkdirSync(join(dir, "docs"), { recursive: true });
  for (const name of readdirSync(docs)) {
    if (name.endsWith(".md")) cpSync(join(docs, name), join(dir, "docs", name));
  }
  const fonts = join(projectDir, "node_modules", FONTS_PACKAGE, "fonts");
  for (const name of FONTS) cpSync(join(fonts, name), join(dir, "fonts", name));
  const web = join(projectDir, "web");
  await runBuild(web);
  for (const name of new Glob("**/*").scanSync(join(web, "dist"))) {
    if (!name.endsWith(".tmp")) cpSync(join(web, "dist", name), join(dir, "web", "dist", name));
  }
  const manifest = join(web, "dist", "manifest.json");
  const { packages } = JSON.parse(readFileSync(manifest, "utf8")) as { packages: string[] };
  return packagesOf([...packages, `node_modules/${FONTS_PACKAGE}`]);
}

/**
 * Packs the program and names the packages in it. `position` is where the packed code lies, seen from a folder that has
 * the files as this project has them.
 */
export async function packProgram(
  position: string,
  plugins: readonly BunPlugin[],
  target: Pick<BuildConfig, "outdir" | "compile" | "external">,
): Promise<ShippedPackage[]> {
  const { metafile } = await Bun.build({
    ...target,
    entrypoints: await entries(),
    naming: { entry: "[name].js", chunk: "[name]-[hash].js" },
    target: "bun",
    splitting: true,
    // Names stay, so that a stack trace can be read.
    minify: { whitespace: true, syntax: true, identifiers: false },
    metafile: true,
    plugins: [...plugins, places(join(projectDir, position))],
  });
  if (!metafile) throw new Error("The bundler did not say what it packed.");
  return packagesOf(Object.keys(metafile.inputs));
}

/** The names of the packages that an installation runs: those in the bundle, and those that npm adds. */
export async function shippedNames(): Promise<ReadonlySet<string>> {
  const dir = emptyFolder(join(buildDir, `names-${process.pid}`));
  try {
    const program = await packProgram("program", [], { outdir: dir, external: OUTSIDE });
    const bundled = [...program, ...(await stageFiles(dir))].map(({ name }) => name);
    return new Set([...bundled, ...Object.keys(project.dependencies)]);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** The packages that paths of this project lie in. */
function packagesOf(paths: readonly string[]): ShippedPackage[] {
  const found = paths.map((path) =>
    /node_modules\/(?:@[^/]+\/)?[^/]+(?!.*node_modules\/)/.exec(path),
  );
  const dirs = new Set(found.filter((match) => match !== null).map(([dir]) => dir));
  return [...dirs].map((dir) => packageIn(join(projectDir, dir)));
}

export function packageIn(dir: string): ShippedPackage {
  const text = readFileSync(join(dir, "package.json"), "utf8");
  const { name = "", version = "", license = "" } = JSON.parse(text) as Partial<ShippedPackage>;
  return { name, version, license, dir };
}

/** Each package once, by name. */
export function sorted(packages: readonly ShippedPackage[]): ShippedPackage[] {
  const byName = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...byName.values()].toSorted((one, two) => one.name.localeCompare(two.name));
}

/** The licences of the packages, one after another. The licences ask that they go with each copy. */
export function noticesOf(packages: readonly ShippedPackage[]): string {
  const texts = packages.map(({ name, version, license, dir }) => {
    const file = readdirSync(dir).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? readFileSync(join(dir, file), "utf8").trim() : `License: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return texts.join(`\n${"-".repeat(72)}\n\n`);
}

/** The bytes of the files below a folder. Two names of one file count once. */
export function sizeOf(dir: string): number {
  const bytes = new Map<number, number>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { ino, size } = statSync(join(entry.parentPath, entry.name));
    bytes.set(ino, size);
  }
  return bytes.values().reduce((sum, size) => sum + size, 0);
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
