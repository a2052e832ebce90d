import type { Clock } from "./clock.ts";
import { Fault } from "./faults.ts";
import type { Allowance } from "./threads/allowance.ts";

const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 2_000;

/**
 * Writes what storage refuses again, until it is written or it is too late: then throws what was thrown
 * last. A fault is an answer and not an outage, so it is thrown at once. The pauses are taken from `allowance`,
 * where there is one.
 */
export function insist(
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
  allowance?: Allowance,
): Promise<void> {
  return write().catch((thrown) => insistAgain(thrown, write, clock, giveUpAtMs, allowance));
}

/** The same for what has been refused once. */
export async function insistAgain(
  refused: unknown,
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
  allowance?: Allowance,
): Promise<void> {
  let thrown = refused;
  for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MAX_MS)) {
    if (thrown instanceof Fault) throw thrown;
    if (clock() + pauseMs > giveUpAtMs) throw thrown;
    const sinceMs = clock();
    await Bun.sleep(pauseMs);
    // Of a pause in which the process was stopped, no more than the longest one.
    if (allowance) allowance.leftMs -= Math.min(clock() - sinceMs, RETRY_MAX_MS);
    try {
      await write();
      return;
    } catch (next) {
      thrown = next;
    }
  }
}
