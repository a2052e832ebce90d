// The pages know the server by its contract, take nothing of it into the browser, and tell at once what it has done.
import { referencesOf } from "./imports.ts";
import { lineAt, type Source } from "./source.ts";

const CONTRACT = /^src\/(?:.+\/)?contract(?:\.ts|\/[^/]+\.ts)$/;
/** Runs where the console is built, not where it is shown. */
const BUILD = "web/build.ts";
/** Reads again what pages show: whoever waits for it keeps to themselves what is done already. */
const WAITED_READ = /(?<!\bvoid \w+\.)\b(?:invalidate|refetch|reset)Queries\(/g;

export function takenFromServer(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith("web/") && path !== BUILD && !path.includes(".test."))
    .flatMap((source) =>
      referencesOf(source)
        .filter(({ path }) => path.startsWith("src/"))
        .filter(({ kind, path }) => kind !== "type" || !CONTRACT.test(path))
        .map(({ path }) => `${source.path} → ${path}`),
    );
}

export function waitedReads(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith("web/"))
    .flatMap(({ path, code }) =>
      [...code.matchAll(WAITED_READ)].map(({ index }) => `${path}:${lineAt(code, index)}`),
    );
}
