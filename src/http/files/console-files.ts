import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "../../lib/route.ts";
import { sourcesHash } from "./console-sources.ts";

export type Encoding = "br" | "gzip";

export interface ConsoleFile {
  readonly type: string;
  readonly tag: string;
  /** Its name changes with its content. */
  readonly hashed: boolean;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly packed: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
}

/** Files by their path below `/console/`. */
export type ConsoleTree = ReadonlyMap<string, ConsoleFile>;

/** Where the console's pages come from. */
export interface ConsoleSource {
  /** What it answers beside the pages. */
  readonly routes?: readonly Route[];
  /** Whether there is a tree already, so that nobody waits for one. */
  readonly built?: boolean;
  tree(): Promise<ConsoleTree>;
}

interface Manifest {
  readonly sources: string;
  readonly files: Readonly<Record<string, { readonly gzip: number; readonly br: number }>>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
  json: "application/json",
};

function readManifest(distDir: string): Manifest | undefined {
  const path = join(distDir, "manifest.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function readTree(distDir: string, manifest: Manifest): ConsoleTree {
  const read = (name: string) => new Uint8Array(readFileSync(join(distDir, name)));
  const tree = new Map<string, ConsoleFile>();
  for (const [name, { gzip, br }] of Object.entries(manifest.files)) {
    const plain = read(name);
    tree.set(name, {
      type: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
      tag: `"${Bun.hash(plain).toString(36)}"`,
      hashed: name.startsWith("assets/"),
      plain,
      packed: {
        ...(gzip > 0 && { gzip: read(`${name}.gz`) }),
        ...(br > 0 && { br: read(`${name}.br`) }),
      },
    });
  }
  return tree;
}

/** Builds in a process of its own: the loop that serves streams must not wait for a bundler. */
export async function runBuild(webDir: string, flags: readonly string[] = []): Promise<void> {
  const child = Bun.spawn([process.execPath, join(webDir, "build.ts"), "--if-stale", ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const words = await new Response(child.stderr).text();
  await child.exited;
  if (words !== "" && child.exitCode !== 0) throw new Error(`The console was not built: ${words}`);
}

/**
 * The console's built files, held in memory (about a megabyte with their compressed copies), so that
 * a new build beside a running server takes nothing away from it. Where there is no build, or it is
 * older than the sources, one is made first.
 */
export class ConsoleFiles implements ConsoleSource {
  readonly #webDir: string;
  readonly #build: (webDir: string) => Promise<void>;
  readonly #distDir: string;
  #tree: Promise<ConsoleTree> | undefined;
  #built = false;

  constructor(
    webDir: string,
    build: (webDir: string) => Promise<void> = runBuild,
    distDir: string = join(webDir, "dist"),
  ) {
    this.#webDir = webDir;
    this.#build = build;
    this.#distDir = distDir;
  }

  get built(): boolean {
    return this.#built;
  }

  /** Everybody waits for the same build. One that failed is tried again by the next who asks. */
  tree(): Promise<ConsoleTree> {
    this.#tree ??= this.#load().catch((thrown) => {
      this.#tree = undefined;
      throw thrown;
    });
    return this.#tree;
  }

  async #load(): Promise<ConsoleTree> {
    const distDir = this.#distDir;
    // A package that ships its build and not its sources is served as it is.
    const stale =
      existsSync(join(this.#webDir, "build.ts")) &&
      readManifest(distDir)?.sources !== sourcesHash(this.#webDir);
    if (stale) await this.#build(this.#webDir);
    const manifest = readManifest(distDir);
    if (!manifest) throw new Error("The console was not built; run bin/build-web to see why.");
    const tree = readTree(distDir, manifest);
    this.#built = true;
    return tree;
  }
}
