// Builds what is shipped beside the runtime: the packed program, the console, the documents and the fonts.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Glob } from "bun";
import { runBuild } from "../../src/http/files/console-files.ts";

export const projectDir = fileURLToPath(new URL("../../", import.meta.url));
export const buildDir = join(projectDir, "build");

/** The weights of the font that cards are drawn with. The font holds GB 18030-2022 levels 1 and 2 and little else. */
const FONTS = ["NotoSansHans-Bold.otf", "NotoSansHans-Regular.otf"];

/** Makes an empty folder. */
export function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Puts the files that the program reads at run time below a folder, where it looks for them. */
export async function stageFiles(dir: string): Promise<void> {
  const docs = join(projectDir, "docs");
  mkdirSync(join(dir, "docs"), { recursive: true });
  for (const name of readdirSync(docs)) {
    if (name.endsWith(".md")) cpSync(join(docs, name), join(dir, "docs", name));
  }
  const fonts = fileURLToPath(new URL("../fonts/", import.meta.resolve("@embedpdf/fonts-sc")));
  for (const name of FONTS) cpSync(join(fonts, name), join(dir, "fonts", name));
  const web = join(projectDir, "web");
  await runBuild(web);
  for (const name of new Glob("**/*").scanSync(join(web, "dist"))) {
    if (!name.endsWith(".tmp")) cpSync(join(web, "dist", name), join(dir, "web", "dist", name));
  }
}

/** A package whose code is inside the packed program or the console. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dir: string;
}

/** The packages among the inputs of a bundle, by their names. */
export function packagesAmong(inputs: Iterable<string>): BundledPackage[] {
  const dirs = new Set<string>();
  for (const input of inputs) {
    const [dir] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (dir) dirs.add(join(projectDir, dir.slice(dir.indexOf("node_modules"))));
  }
  return [...dirs]
    .map((dir) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(dir, "package.json"), "utf8"),
      ) as Record<string, string>;
      return { name: name ?? basename(dir), version: version ?? "", license: license ?? "", dir };
    })
    .toSorted((one, two) => one.name.localeCompare(two.name));
}

/** The licences of the packages, one after another. Theirs ask that they go with each copy. */
export function noticesOf(packages: readonly BundledPackage[]): string {
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
