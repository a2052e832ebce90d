import type { Clock } from "./clock.ts";
import { Fault } from "./faults.ts";

const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 2_000;

/**
 * Writes what storage refuses again, until it is written or it is too late: then throws what was thrown
 * last. A fault is an answer and not an outage, so it is thrown at once.
 */
export function insist(
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
): Promise<void> {
  return write().catch((thrown) => again(thrown, write, clock, giveUpAtMs));
}

async function again(
  refused: unknown,
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
): Promise<void> {
  let thrown = refused;
  for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MAX_MS)) {
    if (thrown instanceof Fault) throw thrown;
    if (clock() + pauseMs > giveUpAtMs) throw thrown;
    await Bun.sleep(pauseMs);
    try {
      await write();
      return;
    } catch (next) {
      thrown = next;
    }
  }
}
