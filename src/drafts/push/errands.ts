import { newId } from "../../lib/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import {
  busyFault,
  type HeldUntil,
  heldFrom,
  isLost,
  POLL_MS,
  whileBeating,
  whileWaiting,
} from "./leases.ts";
import { finishLeft } from "./pushes.ts";

/** An errand in the hands of this process. */
export interface HeldErrand {
  readonly owner: string;
  /** For the last moment before a call: throws `push_busy` where it may be somebody else's by now. */
  readonly check: () => void;
  /**
   * Before the platform is asked to publish the draft: whoever comes after one that does not live to hear the answer
   * finds this.
   */
  readonly submits: () => Promise<void>;
  /** What came of it is written down, or nothing did. */
  readonly isSettled: () => void;
}

/**
 * Deleting or publishing, of which each is alone with its draft, over all processes: runs `work` once
 * nobody else pushes, deletes or publishes the draft; what has to be known of the draft is read in it.
 * "gone" when the draft was deleted meanwhile. Throws `push_busy` when the wait was in vain.
 */
export async function runErrand<T>(
  deps: Dependencies,
  draftId: string,
  work: (held: HeldErrand) => Promise<T>,
): Promise<T | "gone"> {
  const { every, waiting } = deps;
  const { errands } = deps.store;
  const owner = newId("own_");
  let held = await whileWaiting(waiting, (waits) => take(deps, draftId, owner, waits));
  if (held === undefined) return "gone";
  const renew = async () => {
    const lease = { owner, ...heldFrom(deps) };
    held = (await errands.renew(draftId, lease)) ? lease : undefined;
  };
  const lost = () =>
    busyFault(draftId, "It took too long, and somebody else may have the draft; ask again.");
  const check = () => {
    if (!held || isLost(held, deps)) throw lost();
  };
  let isOpen = false;
  const submits = async () => {
    if (!(await errands.submits(draftId, owner, deps.clock()))) throw lost();
    isOpen = true;
  };
  const isSettled = () => {
    isOpen = false;
  };
  try {
    return await whileBeating(every, renew, () => work({ owner, check, submits, isSettled }));
  } finally {
    // Where this fails the lease ends by itself; so it does where nobody knows yet what has come of it.
    if (!isOpen) await errands.end(draftId, owner).catch(() => {});
  }
}

/** Until when it is ours; undefined when the draft is gone. */
async function take(
  deps: Dependencies,
  draftId: string,
  owner: string,
  waits: () => void,
): Promise<HeldUntil | undefined> {
  const { store, clock, steady, sleep, limits } = deps;
  const giveUpAtMs = steady() + limits.draft_busy_wait_ms;
  for (;;) {
    const lease = { owner, ...heldFrom(deps) };
    const taken = await store.errands.take(draftId, lease, clock());
    if (taken !== "busy") return taken === "taken" ? lease : undefined;
    const mayEnd = await finishLeft(deps, draftId);
    if (steady() >= giveUpAtMs && !mayEnd) {
      throw busyFault(draftId, "Something else is done with this draft; ask again shortly.");
    }
    waits();
    await sleep(POLL_MS);
  }
}
