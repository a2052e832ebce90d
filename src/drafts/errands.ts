import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { busyFault, type Every, LEASE_MS, POLL_MS, whileBeating } from "./leases.ts";
import type { Pushes } from "./pushes.ts";
import type { ErrandsStore } from "./store.ts";

interface Parts {
  readonly store: ErrandsStore;
  readonly pushes: Pushes;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly every: Every;
  /** How long a call waits for what somebody else does with the draft. */
  readonly busyWaitMs: number;
}

/** Deleting and publishing, of which each is alone with its draft, over all processes. */
export class Errands {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs `work` once nobody else pushes, deletes or publishes the draft; what has to be known of the
   * draft is read in it. "gone" when the draft was deleted meanwhile. Throws `push_busy` when the wait
   * was in vain.
   */
  async run<T>(draftId: string, work: (owner: string) => Promise<T>): Promise<T | "gone"> {
    const { store, clock, every } = this.#parts;
    const owner = newId("own_");
    if (!(await this.#take(draftId, owner))) return "gone";
    const renew = () => store.renew(draftId, { owner, untilMs: clock() + LEASE_MS });
    try {
      return await whileBeating(every, renew, () => work(owner));
    } finally {
      // Where this fails the lease ends by itself.
      await store.end(draftId, owner).catch(() => {});
    }
  }

  async #take(draftId: string, owner: string): Promise<boolean> {
    const { store, pushes, clock, sleep, busyWaitMs } = this.#parts;
    const giveUpAtMs = clock() + busyWaitMs;
    for (;;) {
      const nowMs = clock();
      const taken = await store.take(draftId, { owner, untilMs: nowMs + LEASE_MS }, nowMs);
      if (taken !== "busy") return taken === "taken";
      const mayEnd = await pushes.finishLeft(draftId);
      if (nowMs >= giveUpAtMs && !mayEnd) {
        throw busyFault(draftId, "Something else is done with this draft; ask again shortly.");
      }
      await sleep(POLL_MS);
    }
  }
}
