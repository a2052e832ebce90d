import { watch } from "node:fs";

/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 80;

/** Not what editors keep beside a file while they write it. */
const SOURCE = /(?:^|\/)[^./#][^/]*\.[a-z0-9]+$/;
/** Nor tests, which nothing that runs reads. */
const ASIDE = /\.(?:tmp|swp|test\.tsx?)$/;

/**
 * Tells what was saved below a folder, one call at a time: what is saved while the work runs makes
 * one more call after it.
 */
export function onSave(folder: string, work: (paths: readonly string[]) => Promise<void>): void {
  const saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let working = false;

  const begin = async () => {
    if (working || saved.size === 0) return;
    const paths = [...saved].sort();
    saved.clear();
    working = true;
    await work(paths);
    working = false;
    soon();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(begin, QUIET_MS);
  };

  watch(folder, { recursive: true }, (_event, name) => {
    const path = name?.replaceAll("\\", "/") ?? "";
    if (!SOURCE.test(path) || ASIDE.test(path)) return;
    saved.add(path);
    soon();
  });
}
