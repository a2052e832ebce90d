import { type Clocks, type every, hasCome } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";

/** Whoever has not been heard of for so long counts as dead, and another one goes on. */
export const LEASE_MS = 60_000;
const HEARTBEAT_MS = 15_000;
/** How often those who wait for somebody else look again. */
export const POLL_MS = 500;

/** `every` of the clock; passed in, so that tests can move the time that it counts. */
export type Every = typeof every;

/** Renews a lease while `work` runs, however long its calls take. */
export async function whileBeating<T>(
  every: Every,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const stop = every(HEARTBEAT_MS, () => {
    // A beat that fails is no harm: whoever holds the lease finds out with its next step.
    void renew().catch(() => {});
  });
  try {
    return await work();
  } finally {
    stop();
  }
}

/** Until when its holder has a lease, by both clocks. */
export interface HeldUntil {
  /** As it is written down: others go by it. */
  readonly untilMs: number;
  /** By the clock that nobody sets. */
  readonly steadyMs: number;
}

export function heldFrom({ clock, steady }: Clocks): HeldUntil {
  return { untilMs: clock() + LEASE_MS, steadyMs: steady() + LEASE_MS };
}

/**
 * Whether another may have it by now: its holder has stood still for so long, or others count it as over, as they do when
 * the clock was set back.
 */
export function isLost({ untilMs, steadyMs }: HeldUntil, { clock, steady }: Clocks): boolean {
  return steady() >= steadyMs || hasCome(untilMs, clock(), LEASE_MS);
}

/** Where operators see how many calls wait for what another one does. */
export interface WaitingCalls {
  draftCallsWaiting: number;
}

/** A call that counts as waiting from when it says so to its end. */
export async function whileWaiting<T>(
  calls: WaitingCalls,
  work: (waits: () => void) => Promise<T>,
): Promise<T> {
  let isWaiting = false;
  try {
    return await work(() => {
      if (!isWaiting) calls.draftCallsWaiting += 1;
      isWaiting = true;
    });
  } finally {
    if (isWaiting) calls.draftCallsWaiting -= 1;
  }
}

/** Two beats are missing: who holds the lease has probably died, and it is worth to wait for its end. */
export function isSilent(lastBeatMs: number, nowMs: number): boolean {
  return nowMs - lastBeatMs > 2 * HEARTBEAT_MS;
}

export function busyFault(draftId: string, message: string): Fault {
  return new Fault("push_busy", message, {
    facts: { draft_id: draftId },
    headers: { "retry-after": "5" },
  });
}
