// Where a process that is watched leaves the longest gap of its loop.
import { join } from "node:path";

/** How often the loop is expected to come by. */
export const TICK_MS = 2;

export function gapFile(folder: string, pid: number): string {
  return join(folder, `gap-${pid}`);
}

/** The longest gap in milliseconds, and the most that the thread has worked between two ticks. */
export interface Gap {
  readonly ms: number;
  readonly workedMs: number;
}

export const GAP_NUMBERS = 2;

/** Reads the longest since it was last asked. */
export function openGap(folder: string, pid: number): () => Gap {
  const longest = new Float64Array(Bun.mmap(gapFile(folder, pid), { shared: true }).buffer);
  return () => {
    const [ms = 0, workedMs = 0] = longest;
    longest.fill(0);
    return { ms, workedMs };
  };
}
