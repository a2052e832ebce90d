// Which files have changed since a tool that looks at each by itself found all of them right.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What was found right: the hash of a file and of all that it was judged by. */
type Right = ReadonlySet<string>;

interface Judged {
  readonly folder: string;
  /** Below the folder. */
  readonly paths: readonly string[];
  /** Below the folder too: the tool and its rules. With any of them everything has to be judged anew. */
  readonly rules: readonly string[];
}

/** Gone since it was listed, or a link to a folder, as `node_modules` may be in a second checkout. */
const NO_FILE: readonly unknown[] = ["ENOENT", "EISDIR"];

/** The hash of each file that can be read, by its path; what is no file has none. */
function hashes({ folder, paths, rules }: Judged): Map<string, string> {
  const read = (path: string) => readFileSync(join(folder, path));
  const law = rules.reduce((seed, path) => Bun.hash.wyhash(read(path), seed), 0n);
  const found = new Map<string, string>();
  for (const path of paths) {
    try {
      // The same text may be right in one place and wrong in another.
      found.set(path, Bun.hash.wyhash(read(path), Bun.hash.wyhash(path, law)).toString(36));
    } catch (thrown) {
      if (!NO_FILE.includes((thrown as NodeJS.ErrnoException).code)) throw thrown;
    }
  }
  return found;
}

async function rightBefore(notes: string): Promise<Right> {
  const kept = Bun.file(notes);
  return new Set((await kept.exists()) ? (await kept.text()).split("\n") : []);
}

/**
 * Shows the tool what has changed since it was last content, and notes it if it is content again. What is noted is
 * taken before it looks: whatever is saved meanwhile is shown to it the next time.
 */
export async function checkChanged(
  judged: Judged,
  notes: string,
  isRight: (paths: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const found = hashes(judged);
  const right = await rightBefore(notes);
  const changed = [...found].filter(([, hash]) => !right.has(hash)).map(([path]) => path);
  if (changed.length > 0 && !(await isRight(changed))) return false;
  await Bun.write(notes, [...found.values()].join("\n"));
  return true;
}
