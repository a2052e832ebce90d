// What the process that relays loads: everything that its entry reaches, now or later.
import { posix } from "node:path";
import type { Source } from "./source.ts";

const ENTRY = "src/cli/serve.ts";
/** The office's, which is a process of its own. */
const ROOMS = ["console", "payments", "drafts", "platform", "notices"];
/** What a gate may load beside the runtime; each weighs on every installation. Schemas load zod when they are asked. */
const PACKAGES = ["zod"];
const ADDRESS = /\bnew\s+URL\(\s*"(?<path>\.[^"]+)"/g;

/** What a file loads; imports of types are none. */
function loadedBy({ path, text }: Source): string[] {
  const loader = path.endsWith("x") ? "tsx" : "ts";
  const imports = new Bun.Transpiler({ loader }).scanImports(text).map((each) => each.path);
  const addresses = [...text.matchAll(ADDRESS)].map(({ groups }) => groups?.path ?? "");
  return [...imports, ...addresses];
}

function isForbidden(path: string): boolean {
  if (path.startsWith("src/")) return ROOMS.includes(path.split("/")[1] ?? "");
  if (/^(?:node|bun):|^bun$|\.json$/.test(path)) return false;
  return !PACKAGES.includes(path);
}

/** Each file or package that a gate must not load, with the file that has it do so. */
export function gateProblems(sources: readonly Source[], entry = ENTRY): string[] {
  const known = new Map(sources.map((source) => [source.path, source]));
  const seen = new Set([entry]);
  const problems: string[] = [];
  for (const path of seen) {
    const source = known.get(path);
    for (const named of source ? loadedBy(source) : []) {
      const loaded = named.startsWith(".") ? posix.join(posix.dirname(path), named) : named;
      if (isForbidden(loaded)) problems.push(`${path} → ${loaded}`);
      else seen.add(loaded);
    }
  }
  return problems;
}
