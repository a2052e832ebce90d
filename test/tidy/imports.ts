// Which file names which, read from the text: Bun's own scan leaves out imports of types.
import { posix } from "node:path";
import type { Source } from "./source.ts";

/** `url` is a file that is named by its address, such as a worker, and not loaded as a module. */
type ReferenceKind = "import" | "type" | "url";

export interface Reference {
  kind: ReferenceKind;
  /** The file that is named, relative to the project; packages are left out. */
  path: string;
}

const STATIC =
  /\b(?:import|export)\s+(?<type>type\s+(?=[\w$*{]))?(?:[\w$*\s{},]+?\s*\bfrom\s*)?["'](?<name> *)["']/dg;
const DYNAMIC = /\bimport\s*\(\s*["'`](?<name> *)["'`]/dg;
const ADDRESS = /\b(?:new\s+URL|new\s+Worker|import\.meta\.resolve)\s*\(\s*["'`](?<name> *)["'`]/dg;

export function referencesOf(source: Source): Reference[] {
  const found: Reference[] = [];
  const add = (pattern: RegExp, kind: (match: RegExpExecArray) => ReferenceKind) => {
    for (const match of source.code.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.name ?? [0, 0];
      const name = source.text.slice(start, end);
      if (!name.startsWith(".")) continue;
      found.push({ kind: kind(match), path: posix.join(posix.dirname(source.path), name) });
    }
  };
  add(STATIC, (match) => (match.groups?.type ? "type" : "import"));
  add(DYNAMIC, () => "import");
  add(ADDRESS, () => "url");
  return found;
}
