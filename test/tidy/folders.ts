// Where a file is looked for: a folder is read at a glance, or it is two.
import { posix } from "node:path";
import type { ProjectFile } from "./source.ts";

const FILES_MAX = 25;

/** Folders with too many files beside each other. */
export function fullFolders(files: readonly Pick<ProjectFile, "path">[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => posix.dirname(path));
  return [...folders]
    .filter(([, inside]) => inside.length > FILES_MAX)
    .map(([folder, inside]) => `${folder} has ${inside.length} files`);
}
