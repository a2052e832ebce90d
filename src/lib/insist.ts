import type { Clock } from "./clock.ts";
import { Fault } from "./faults.ts";

const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 2_000;

/**
 * Writes what storage refuses again, until it is written or it is too late: then throws what was thrown
 * last. A fault is an answer and not an outage, so it is thrown at once.
 */
export async function insist(
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
): Promise<void> {
  let pauseMs = RETRY_FIRST_MS;
  for (;;) {
    try {
      await write();
      return;
    } catch (thrown) {
      if (thrown instanceof Fault) throw thrown;
      if (clock() + pauseMs > giveUpAtMs) throw thrown;
      await Bun.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, RETRY_MAX_MS);
    }
  }
}
