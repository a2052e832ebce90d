// What is joined to what: circles, files that nothing reaches, exports that nobody names.
import { type Reference, referencesOf } from "./imports.ts";
import { isTest, lineAt, type Source } from "./source.ts";

const ENTRY = "src/cli/main.ts";
const EXPORT =
  /\bexport\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\s*\*?|const|let|class|interface|type)\s+(?<name>[\w$]+)/g;
const EXPORT_LIST = /\bexport\s+(?:type\s+)?\{(?<names>[^}]*)\}/g;

/** Each circle of files that load one another, once, as a chain that ends where it began. */
export function circles(sources: Source[]): string[] {
  const graph = graphOf(sources, ({ kind }) => kind === "import");
  const done = new Set<string>();
  const chain: string[] = [];
  const found: string[] = [];
  const visit = (path: string) => {
    const start = chain.indexOf(path);
    if (start >= 0) {
      found.push([...chain.slice(start), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    chain.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    chain.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return found;
}

/** Files of src/ that the program does not load; being loaded by a test is not enough. Nothing loads declarations. */
export function deadFiles(sources: Source[]): string[] {
  const graph = graphOf(sources, () => true);
  const reached = new Set<string>();
  const queue = [ENTRY];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    queue.push(...(graph.get(path) ?? []));
  }
  return sources
    .map(({ path }) => path)
    .filter((path) => path.startsWith("src/") && !isTest(path) && !path.endsWith(".d.ts"))
    .filter((path) => !reached.has(path));
}

/** Names that a file of src/ exports and no other file, tests included, mentions. */
export function deadExports(sources: Source[]): string[] {
  const mentions = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const [word] of source.code.matchAll(/[\w$]+/g)) {
      const paths = mentions.get(word) ?? new Set();
      mentions.set(word, paths.add(source.path));
    }
  }
  return sources
    .filter((source) => source.path.startsWith("src/"))
    .flatMap((source) =>
      exportsOf(source)
        .filter(({ name }) => (mentions.get(name)?.size ?? 0) < 2)
        .map(({ name, line }) => `${source.path}:${line} ${name}`),
    );
}

function exportsOf(source: Source): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  for (const match of source.code.matchAll(EXPORT)) {
    found.push({ name: match.groups?.name ?? "", line: lineAt(source.code, match.index) });
  }
  for (const match of source.code.matchAll(EXPORT_LIST)) {
    for (const item of (match.groups?.names ?? "").split(",")) {
      const name = item.trim().split(/\s+/).at(-1);
      if (name) found.push({ name, line: lineAt(source.code, match.index) });
    }
  }
  return found;
}

function graphOf(
  sources: Source[],
  wanted: (reference: Reference) => boolean,
): Map<string, string[]> {
  const known = new Set(sources.map(({ path }) => path));
  const edges = (source: Source) =>
    referencesOf(source)
      .filter((reference) => wanted(reference) && known.has(reference.path))
      .map(({ path }) => path);
  return new Map(sources.map((source) => [source.path, edges(source)]));
}
