import { heapStats } from "bun:jsc";

/** How many arrays of bytes are in memory that somebody still has. */
export function arraysHeld(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts.Uint8Array ?? 0;
}
