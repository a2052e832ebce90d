// bun bin/pack.ts DIR/main.js packs the program and its packages into DIR: one file for each process and thread that
// it starts, and the parts that they share beside them.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type BunPlugin, Glob } from "bun";
import { flushFolder } from "../src/lib/files/flush-folder.ts";
import { isUsed } from "./packed.mjs";

const sourceDir = fileURLToPath(new URL("../src/", import.meta.url));
const MAIN = join(sourceDir, "cli", "main.ts");
/** Packages that stay where npm put them, because they are machine code or fonts. */
export const OUTSIDE = ["@napi-rs/canvas", "@embedpdf/fonts-sc"];
/** Older versions that stay. Those that still run stay too. */
const KEPT_VERSIONS = 3;

/** How the code names a file that runs by itself (a thread or the program), and any other place beside it. */
const PLACE =
  /new URL\("(\.[^"]+\.ts)", import\.meta\.url\)|join\(import\.meta\.dir, ([^()]+\.ts")\)|import\.meta\.(url|dir)\b/g;

/** Other members would tell the packed code a place that does not exist. Packages are found from either place. */
const MISPLACED = /import\.meta\.(?!url\b|dir\b|resolve\("@?[a-z])\w+/;

/** The path of the file that a match starts; undefined if it starts none. */
function startedBy(url: string | undefined, parts: string | undefined): string | undefined {
  return url ?? (parts && JSON.parse(`[${parts}]`).join("/"));
}

/** Every file that runs by itself: the program first, then its threads. */
export async function entries(): Promise<string[]> {
  const found = new Set([MAIN]);
  for (const name of new Glob("**/*.ts").scanSync(sourceDir)) {
    if (name.endsWith(".test.ts")) continue;
    const path = join(sourceDir, name);
    for (const [, url, parts] of (await Bun.file(path).text()).matchAll(PLACE)) {
      const started = startedBy(url, parts);
      if (started) found.add(join(dirname(path), started));
    }
  }
  return [...found];
}

const packedName = (path: string) => `${basename(path, ".ts")}.js`;

/**
 * Tells the code its old place for the files that it reads, and the new place of the files that it starts.
 * The packed code must lie in `outDir`, or in a folder from which the same files have the same relative paths.
 */
export function places(outDir: string): BunPlugin {
  return {
    name: "places",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(sourceDir)) return undefined;
        const old = relative(outDir, path).split(sep).join("/");
        const text = await Bun.file(path).text();
        const [wrong] = MISPLACED.exec(text) ?? [];
        if (wrong) throw new Error(`${path} says ${wrong}, which cannot be packed`);
        const contents = text.replace(PLACE, (_, url?: string, parts?: string, member?: string) => {
          const started = startedBy(url, parts);
          const place = started
            ? `./${packedName(started)}`
            : member === "url"
              ? old
              : dirname(old);
          const found = `new URL("${place}", import.meta.url)`;
          if (url) return found;
          return member === "url" ? `${found}.href` : `Bun.fileURLToPath(${found})`;
        });
        return { contents, loader: "ts" };
      });
    },
  };
}

function forgetOlder(dir: string): void {
  const age = (name: string) => statSync(join(dir, name)).mtimeMs;
  const older = readdirSync(dir)
    .sort((one, two) => age(two) - age(one))
    .slice(KEPT_VERSIONS)
    .map((name) => join(dir, name));
  for (const path of older) if (!isUsed(path)) rmSync(path, { recursive: true, force: true });
}

/** Flushes the files, so that a power cut after the move leaves no program of empty files. */
async function flushAll(dir: string): Promise<void> {
  const flush = async (name: string) => {
    const file = await open(join(dir, name), "r");
    await file.sync().finally(() => file.close());
  };
  await Promise.all(readdirSync(dir).map(flush));
  flushFolder(dir);
}

/** Packs into a folder beside and moves it whole, because several servers may start at once. */
async function pack(outDir: string): Promise<void> {
  const draft = `${outDir}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await Bun.build({
      entrypoints: await entries(),
      outdir: draft,
      naming: { entry: "[name].js", chunk: "[name]-[hash].js" },
      target: "bun",
      splitting: true,
      sourcemap: "linked",
      external: OUTSIDE,
      plugins: [places(outDir)],
    });
    await flushAll(draft);
    renameSync(draft, outDir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOlder(dirname(outDir));
}

if (import.meta.main) await pack(dirname(process.argv[2] ?? ""));
