// The pages know the server by its contract, and take nothing of it into the browser.
import { referencesOf } from "./imports.ts";
import type { Source } from "./source.ts";

const CONTRACT = /^src\/(?:.+\/)?contract(?:\.ts|\/[^/]+\.ts)$/;
/** Runs where the console is built, not where it is shown. */
const BUILD = "web/build.ts";

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
