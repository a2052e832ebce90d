import { newId } from "../../lib/ids.ts";
import type { Ground } from "../ground.ts";
import { busyFault, LEASE_MS, POLL_MS, whileBeating, whileWaiting } from "./leases.ts";
import { finishLeft } from "./pushes.ts";

/** An errand in the hands of this process. */
export interface HeldErrand {
  readonly owner: string;
  /** For the last moment before a call: throws `push_busy` where it may be somebody else's by now. */
  readonly check: () => void;
}

/**
 * Deleting or publishing, of which each is alone with its draft, over all processes: runs `work` once
 * nobody else pushes, deletes or publishes the draft; what has to be known of the draft is read in it.
 * "gone" when the draft was deleted meanwhile. Throws `push_busy` when the wait was in vain.
 */
export async function runErrand<T>(
  ground: Ground,
  draftId: string,
  work: (held: HeldErrand) => Promise<T>,
): Promise<T | "gone"> {
  const { clock, steady, every, waiting } = ground;
  const { errands } = ground.store;
  const owner = newId("own_");
  let heldUntilMs = await whileWaiting(waiting, (waits) => take(ground, draftId, owner, waits));
  if (heldUntilMs === undefined) return "gone";
  // Also by the clock that nobody sets.
  let heldForMs = steady() + LEASE_MS;
  const renew = async () => {
    const untilMs = clock() + LEASE_MS;
    const forMs = steady() + LEASE_MS;
    const isHeld = await errands.renew(draftId, { owner, untilMs });
    heldUntilMs = isHeld ? untilMs : 0;
    heldForMs = forMs;
  };
  const check = () => {
    if (clock() < (heldUntilMs ?? 0) && steady() < heldForMs) return;
    throw busyFault(draftId, "It took too long, and somebody else may have the draft; ask again.");
  };
  try {
    return await whileBeating(every, renew, () => work({ owner, check }));
  } finally {
    // Where this fails the lease ends by itself.
    await errands.end(draftId, owner).catch(() => {});
  }
}

/** Until when it is ours; undefined when the draft is gone. */
async function take(
  ground: Ground,
  draftId: string,
  owner: string,
  waits: () => void,
): Promise<number | undefined> {
  const { store, clock, steady, sleep, limits } = ground;
  const giveUpAtMs = steady() + limits.draft_busy_wait_ms;
  for (;;) {
    const nowMs = clock();
    const untilMs = nowMs + LEASE_MS;
    const taken = await store.errands.take(draftId, { owner, untilMs }, nowMs);
    if (taken !== "busy") return taken === "taken" ? untilMs : undefined;
    const mayEnd = await finishLeft(ground, draftId);
    if (steady() >= giveUpAtMs && !mayEnd) {
      throw busyFault(draftId, "Something else is done with this draft; ask again shortly.");
    }
    waits();
    await sleep(POLL_MS);
  }
}
