// What is counted of a server, and where its threads leave it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const COUNTED = ["statements", "rows", "flushes", "crossings"] as const;
export type Counted = (typeof COUNTED)[number];
export type Counts = Readonly<Record<Counted, number>>;

/** Names the folder to which every thread of a server adds a file. */
export const COUNTS_FOLDER = "COUNTS_FOLDER";

/** The settings of a server that counts. */
export function counting(folder: string): Record<string, string> {
  const preload = join(import.meta.dir, "counted-thread.ts");
  return { BUN_OPTIONS: `--preload=${preload}`, [COUNTS_FOLDER]: folder };
}

/** By all threads of all processes that have counted in a folder. */
export function countsIn(folder: string): Counts {
  const sums = COUNTED.map(() => 0);
  for (const name of readdirSync(folder)) {
    const { buffer } = new Uint8Array(readFileSync(join(folder, name)));
    new Float64Array(buffer).forEach((count, at) => {
      sums[at] = (sums[at] ?? 0) + count;
    });
  }
  return Object.fromEntries(COUNTED.map((name, at) => [name, sums[at]])) as Counts;
}
