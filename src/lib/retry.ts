import type { Clock } from "./clock.ts";
import { Fault } from "./faults.ts";
import type { TimeBudget } from "./threads/time-budget.ts";

const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 2_000;

/** A full disk stays full until the operator frees space, so no client waits for it longer than this. */
const FULL_DISK_MS = 5_000;

/** In the words of SQLite, PostgreSQL and the system. */
const isDiskFull = (thrown: unknown) =>
  thrown instanceof Error && /disk is full|no space left|ENOSPC/i.test(thrown.message);

/**
 * Retries a write that storage refuses, until it succeeds or `giveUpAtMs` is there. Then it throws the last
 * error. It throws a fault at once, because a fault is an answer and no outage. It takes the pauses from
 * `timeBudget`.
 */
export function retryWrite(
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
  timeBudget?: TimeBudget,
): Promise<void> {
  return write().catch((thrown) => retryRefusedWrite(thrown, write, clock, giveUpAtMs, timeBudget));
}

/** The same for a write that was refused once. */
export async function retryRefusedWrite(
  refused: unknown,
  write: () => Promise<void>,
  clock: Clock,
  giveUpAtMs: number,
  timeBudget?: TimeBudget,
): Promise<void> {
  let thrown = refused;
  const fullUntilMs = clock() + FULL_DISK_MS;
  for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MAX_MS)) {
    if (thrown instanceof Fault) throw thrown;
    const untilMs =
      isDiskFull(thrown) && giveUpAtMs < Number.POSITIVE_INFINITY ? fullUntilMs : giveUpAtMs;
    if (clock() + pauseMs > Math.min(untilMs, giveUpAtMs)) throw thrown;
    const sinceMs = clock();
    await Bun.sleep(pauseMs);
    // A pause in which the process was stopped counts as the longest one at most.
    if (timeBudget) timeBudget.leftMs -= Math.min(clock() - sinceMs, RETRY_MAX_MS);
    try {
      await write();
      return;
    } catch (next) {
      thrown = next;
    }
  }
}
