import { watch } from "node:fs";
import { join } from "node:path";

/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 80;

const projectDir = join(import.meta.dir, "..");

/** Not what editors keep beside a file while they write it. */
const SOURCE = /(?:^|\/)[^./#][^/]*\.[a-z0-9]+$/;
const LEFTOVER = /\.(?:tmp|swp)$/;
const TEST = /\.test\.tsx?$/;

/** Nothing that runs reads a test. */
export const isNoTest = (path: string) => !TEST.test(path);

/**
 * Tells what was saved below these folders of the project, one call at a time: what is saved while the
 * work runs makes one more call after it.
 */
export function onSave(
  folders: readonly string[],
  counts: (path: string) => boolean,
  work: (paths: readonly string[]) => Promise<void>,
): void {
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

  for (const folder of folders) {
    watch(join(projectDir, folder), { recursive: true }, (_event, name) => {
      const path = `${folder}/${name?.replaceAll("\\", "/") ?? ""}`;
      if (!SOURCE.test(path) || LEFTOVER.test(path) || !counts(path)) return;
      saved.add(path);
      soon();
    });
  }
}
