// Builds the console into web/dist: hashed names, compressed copies beside each file, and a manifest
// that the server reads.
//
//   --if-stale  do nothing where the sources have not changed since; a first visit may then weigh what it will
//   --weigh     with --if-stale: it may not, and what was not weighed when it was built is built again
//   --plain     neither minified nor compressed, for whoever works on it: a quarter of the time
//   --into DIR  another folder than web/dist
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuildArtifact } from "bun";
import tailwind from "bun-plugin-tailwind";
import { sourcesHash } from "../src/http/files/console-sources.ts";

interface BuiltFile {
  /** Path below /console/. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Loaded whatever page of the application comes first. */
  first: boolean;
  /** What a page or a language loads with it; itself among them. */
  readonly needs: ReadonlySet<string>;
  readonly source?: string | undefined;
}

interface Listed {
  readonly bytes: number;
  readonly gzip: number;
  readonly br: number;
}

/** Whatever page comes first: what a visitor with nothing in the cache waits for. */
const FIRST_VISIT_BYTES_MAX = 200 * 1024;
/** Smaller ones only grow, or gain less than a packet. */
const COMPRESS_BYTES_MIN = 512;
const KILOBYTE = 1024;

/** Documents that are served, and the script that each of them starts with. */
const PAGES = [
  { document: "index.html", entry: "main.tsx" },
  { document: "material.html", entry: "material/main.tsx" },
  { document: "api.html", entry: "api/main.tsx" },
] as const;
const PAINT = "first-paint.ts";
/** Words that come with some pages only, by the pages' sources, as the router asks for them. */
const LATER_WORDS = [
  { words: /\/draft-areas-[^-]+$/, pages: /^features\/drafts\// },
  { words: /\/material-areas-[^-]+$/, pages: /^material\.html$/ },
  { words: /\/api-areas-[^-]+$/, pages: /^api\.html$/ },
  { words: /\/settings-[^-]+$/, pages: /^features\/settings\// },
  {
    words: /\/operator-areas-[^-]+$/,
    pages: /^features\/(?:operator-accounts|channels|prices|codes|ledger|audit|system)\//,
  },
] as const;

const webDir = fileURLToPath(new URL(".", import.meta.url));
const { values: flags } = parseArgs({
  options: {
    "if-stale": { type: "boolean", default: false },
    weigh: { type: "boolean", default: false },
    plain: { type: "boolean", default: false },
    into: { type: "string", default: join(webDir, "dist") },
  },
});
const distDir = flags.into;
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

interface Bundle {
  readonly outputs: readonly BuildArtifact[];
  /** The files that it was made of. */
  readonly inputs: readonly string[];
  /** The source of each file that is loaded by itself, such as a page, by the file's name. */
  readonly sources: ReadonlyMap<string, string>;
}

async function bundle(): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: [...PAGES.map(({ entry }) => entry), PAINT].map((name) => join(webDir, name)),
    root: webDir,
    plugins: [tailwind],
    // Without it React's development build is shipped, twice as large.
    define: { "process.env.NODE_ENV": '"production"' },
    target: "browser",
    format: "esm",
    splitting: true,
    minify: !flags.plain,
    metafile: true,
    publicPath: "/console/",
    naming: {
      entry: "assets/[name]-[hash].[ext]",
      chunk: "assets/[name]-[hash].[ext]",
      asset: "assets/[name]-[hash].[ext]",
    },
  });
  const described = Object.entries(built.metafile?.outputs ?? {});
  const sources = described.flatMap(([path, { entryPoint }]) =>
    entryPoint ? [[plainName(path), entryPoint.replace(/^.*?web\//, "")] as const] : [],
  );
  const inputs = Object.keys(built.metafile?.inputs ?? {});
  return { outputs: built.outputs, inputs, sources: new Map(sources) };
}

function plainName(path: string): string {
  return path.replace(/^\.?\//, "");
}

/** What a script loads before it runs: its static imports, and theirs. */
function staticImports(start: string, texts: ReadonlyMap<string, string>): Set<string> {
  const reached = new Set<string>();
  const queue = [start];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const text = texts.get(name) ?? "";
    for (const { path, kind } of new Bun.Transpiler({ loader: "js" }).scanImports(text)) {
      if (kind === "import-statement") queue.push(path.replace(/^\/console\//, ""));
    }
  }
  return reached;
}

function page(icon: string, names: { main: string; paint: string; css: string[]; pre: string[] }) {
  const url = (name: string) => `/console/${name}`;
  const styles = names.css.map((name) => `<link rel="stylesheet" href="${url(name)}" />`);
  const scripts = [
    `<script type="module" src="${url(names.main)}"></script>`,
    ...names.pre.map((name) => `<link rel="modulepreload" href="${url(name)}" />`),
  ];
  return readFileSync(join(webDir, "index.html"), "utf8")
    .replace("%icon%", url(icon))
    .replace("%first-paint%", url(names.paint))
    .replace("%styles%", styles.join("\n    "))
    .replace("%scripts%", scripts.join("\n    "));
}

function fileOf(source: string, files: readonly BuiltFile[]): string {
  const file = files.find((one) => one.source === source && one.name.endsWith(".js"));
  if (!file) throw new Error(`nothing was built of ${source}`);
  return file.name;
}

/** The folders of the packages among the inputs, which a copy of the console must name with their licences. */
function packagesOf(inputs: readonly string[]): string[] {
  const folders = inputs.map((path) => /node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

async function builtFiles(): Promise<{ files: BuiltFile[]; packages: string[] }> {
  const outputs = new Map<string, Uint8Array>();
  const texts = new Map<string, string>();
  const built = await bundle();
  for (const output of built.outputs) {
    const name = plainName(output.path);
    if (name.endsWith(".js")) texts.set(name, await output.text());
    outputs.set(name, new Uint8Array(await output.arrayBuffer()));
  }
  const files: BuiltFile[] = [...outputs].map(([name, bytes]) => {
    const needs = staticImports(name, texts);
    return { name, bytes, first: false, needs, source: built.sources.get(name) };
  });
  // Not by their names: shared parts are called after the entry too.
  const paint = fileOf(PAINT, files);
  const css = files.filter(({ name }) => name.endsWith(".css")).map(({ name }) => name);
  const icon = readFileSync(join(webDir, "icon.svg"));
  const iconName = `assets/icon-${Bun.hash(icon).toString(36)}.svg`;
  const documents = PAGES.map(({ document, entry }, index) => {
    const main = fileOf(entry, files);
    const loaded = staticImports(main, texts);
    const pre = [...loaded].filter((name) => name !== main);
    const bytes = new TextEncoder().encode(page(iconName, { main, paint, css, pre }));
    const needs = new Set([...loaded, paint, iconName, ...css]);
    return { name: document, bytes, first: index === 0, needs };
  });
  files.push({ name: iconName, bytes: icon, first: true, needs: new Set() }, ...documents);
  for (const file of files) file.first ||= documents[0]?.needs.has(file.name) ?? false;
  return { files, packages: packagesOf(built.inputs) };
}

/** Another process may build at the same time; whoever reads must never see half a file. */
function put(name: string, bytes: Uint8Array | string): void {
  const path = join(distDir, name);
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
}

async function write(file: BuiltFile): Promise<Listed> {
  put(file.name, file.bytes);
  if (flags.plain || file.bytes.length < COMPRESS_BYTES_MIN) {
    return { bytes: file.bytes.length, gzip: 0, br: 0 };
  }
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
  const [gz, br] = await Promise.all([
    gzipped(file.bytes, { level: 9 }),
    brotlied(file.bytes, quality),
  ]);
  put(`${file.name}.gz`, gz);
  put(`${file.name}.br`, br);
  return { bytes: file.bytes.length, gzip: gz.length, br: br.length };
}

function forget(kept: ReadonlySet<string>): void {
  for (const entry of readdirSync(join(distDir, "assets"))) {
    const name = `assets/${entry}`.replace(/\.(?:gz|br)$/, "");
    if (!kept.has(name) && !entry.endsWith(".tmp")) {
      rmSync(join(distDir, "assets", entry), { force: true });
    }
  }
}

interface Visit {
  readonly page: string;
  readonly bytes: number;
}

/** What a first visit fetches, page by page: what is always needed, a language, and the page. */
function firstVisits(files: readonly BuiltFile[], weight: (name: string) => number): Visit[] {
  const always = new Set(files.filter((file) => file.first).map(({ name }) => name));
  const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + weight(name), 0);
  const added = ({ needs }: BuiltFile) => sum([...needs].filter((name) => !always.has(name)));
  const languages = files.filter(({ name }) => name.includes("/catalogue-"));
  const heaviest = (words: readonly BuiltFile[]) => Math.max(0, ...words.map(added));
  const common = sum(always) + heaviest(languages);
  const later = (page: string) =>
    LATER_WORDS.filter(({ pages }) => pages.test(page))
      .map(({ words }) => heaviest(files.filter(({ name }) => words.test(name))))
      .reduce((all, bytes) => all + bytes, 0);
  const pages = files.flatMap((file) => {
    const { source } = file;
    if (!source?.includes("page")) return [];
    return [{ page: source, bytes: common + added(file) + later(source) }];
  });
  // Documents beside the application's load what they need themselves.
  const others = files
    .filter(({ name, first }) => name.endsWith(".html") && !first)
    .flatMap(({ name, needs }) =>
      languages.map((language) => ({
        page: name,
        bytes: sum(new Set([name, ...needs, ...language.needs])) + later(name),
      })),
    );
  return [...pages, ...others].sort((a, b) => b.bytes - a.bytes);
}

function report(files: readonly BuiltFile[], listed: Readonly<Record<string, Listed>>): number {
  const size = (bytes: number) => `${(bytes / KILOBYTE).toFixed(1).padStart(7)} KB`;
  const weight = (name: string) => listed[name]?.gzip || (listed[name]?.bytes ?? 0);
  const lines = files
    .toSorted((a, b) => weight(b.name) - weight(a.name))
    .map(({ name, bytes, first }) => {
      const mark = first ? "first" : "later";
      return `${size(bytes.length)} ${size(weight(name))} gzip  ${mark}  ${name}`;
    });
  const visits = firstVisits(files, weight);
  lines.push(...visits.map(({ page, bytes }) => `${size(bytes)} gzip  first visit of  ${page}`));
  const most = visits[0]?.bytes ?? 0;
  const bounds = [most, FIRST_VISIT_BYTES_MAX].map((bytes) => size(bytes).trim());
  lines.push(`First visit of any page at most ${bounds[0]} gzip of ${bounds[1]}`);
  process.stdout.write(`${lines.join("\n")}\n`);
  return most;
}

/** Gives the weight of a first visit. */
async function build(): Promise<number> {
  const startedMs = performance.now();
  const sources = sourcesHash(webDir);
  mkdirSync(join(distDir, "assets"), { recursive: true });
  const { files, packages } = await builtFiles();
  const sizes = await Promise.all(
    files.map(async (file) => [file.name, await write(file)] as const),
  );
  const listed = Object.fromEntries(sizes);
  const firstVisit = flags.plain ? undefined : report(files, listed);
  // Last, and whole: a folder with a manifest is a folder that can be served.
  const manifest = { sources, firstVisit, packages, files: listed };
  put("manifest.json", JSON.stringify(manifest, null, 1));
  forget(new Set(Object.keys(listed)));
  process.stdout.write(`Built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
  return firstVisit ?? 0;
}

/** What a first visit of the built console weighs, where that was built of the sources of now. */
function freshWeight(): number | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(distDir, "manifest.json"), "utf8"));
    if (manifest.sources !== sourcesHash(webDir)) return undefined;
    return manifest.firstVisit ?? (flags.weigh ? undefined : 0);
  } catch {
    return undefined;
  }
}

const weight = (flags["if-stale"] ? freshWeight() : undefined) ?? (await build());
// A server that needs its console builds it, however large it is.
const isBounded = flags.weigh || !flags["if-stale"];
if (isBounded && weight > FIRST_VISIT_BYTES_MAX) {
  process.stderr.write(`A first visit weighs ${weight} bytes of ${FIRST_VISIT_BYTES_MAX}.\n`);
  process.exitCode = 1;
}
