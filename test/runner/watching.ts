import { watch } from "node:fs";
import { join } from "node:path";

/** Editors write a file more than once, and some tools many files at a time. */
const CALM_MS = 200;
const FOLDERS = ["src", "test", "web", "bench"];

/** The files that were saved since the last question, as soon as there are some and it is calm. */
export function watchSources(projectDir: string): () => Promise<string[]> {
  const saved = new Set<string>();
  let wake = () => {};
  for (const folder of FOLDERS) {
    watch(join(projectDir, folder), { recursive: true }, (_, name) => {
      if (!name || !/\.(?:ts|tsx|json|css|html)$/.test(name)) return;
      saved.add(join(folder, name));
      wake();
    });
  }
  return async () => {
    if (saved.size === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    await Bun.sleep(CALM_MS);
    const files = [...saved];
    saved.clear();
    return files;
  };
}
