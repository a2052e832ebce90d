import { every } from "../lib/clock.ts";
import type { Histogram } from "./metrics.ts";

/** Often enough to meet what holds up the loop, seldom enough to cost nothing. */
const LOOK_MS = 200;

/** Counts how late a timer is: for so long nobody's bytes went anywhere. Returns the way to stop it. */
export function watchLoop(
  delays: Pick<Histogram, "observe">,
  now: () => number = () => performance.now(),
): () => void {
  let dueMs = now() + LOOK_MS;
  return every(LOOK_MS, () => {
    const nowMs = now();
    delays.observe(Math.max(0, nowMs - dueMs));
    dueMs = nowMs + LOOK_MS;
  });
}
