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

/** An exclusive job whose lease this process holds. */
export interface HeldJob {
  readonly owner: string;
  /** Call it right before a call to the platform: it throws `push_busy` if another process may hold the job by now. */
  readonly check: () => void;
  /**
   * Notes that the platform is about to be asked to publish the draft. If this process ends before the answer, the
   * next one finds the note.
   */
  readonly submits: () => Promise<void>;
  /** Notes that the outcome is written down, or that nothing happened. */
  readonly isSettled: () => void;
}

/**
 * Runs `work`, which deletes or publishes a draft, while no other process pushes, deletes or publishes it. The work
 * reads the draft itself, since it may have changed during the wait. Returns "gone" if the draft was deleted
 * meanwhile, and throws `push_busy` if the draft stays busy for too long.
 */
export async function runExclusiveJob<T>(
  deps: Dependencies,
  draftId: string,
  work: (held: HeldJob) => Promise<T>,
): Promise<T | "gone"> {
  const { every, waiting } = deps;
  const { exclusiveJobs } = deps.store;
  const owner = newId("own_");
  let held = await whileWaiting(waiting, (waits) => take(deps, draftId, owner, waits));
  if (held === undefined) return "gone";
  const renew = async () => {
    const lease = { owner, ...heldFrom(deps) };
    held = (await exclusiveJobs.renew(draftId, lease)) ? lease : undefined;
  };
  const lost = () =>
    busyFault(draftId, "It took too long, and somebody else may have the draft; ask again.");
  const check = () => {
    if (!held || isLost(held, deps)) throw lost();
  };
  let isOpen = false;
  const submits = async () => {
    if (!(await exclusiveJobs.submits(draftId, owner, deps.clock()))) throw lost();
    isOpen = true;
  };
  const isSettled = () => {
    isOpen = false;
  };
  try {
    return await whileBeating(every, renew, () => work({ owner, check, submits, isSettled }));
  } finally {
    // If this fails, the lease ends by itself. So it does while the outcome is unknown.
    if (!isOpen) await exclusiveJobs.end(draftId, owner).catch(() => {});
  }
}

/** The lease of this process; undefined if the draft is gone. */
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
    const taken = await store.exclusiveJobs.take(draftId, lease, clock());
    if (taken !== "busy") return taken === "taken" ? lease : undefined;
    const mayEnd = await finishLeft(deps, draftId);
    if (steady() >= giveUpAtMs && !mayEnd) {
      throw busyFault(draftId, "Something else is done with this draft; ask again shortly.");
    }
    waits();
    await sleep(POLL_MS);
  }
}
