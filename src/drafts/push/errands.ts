import { newId } from "../../lib/ids.ts";
import type { ErrandRows } from "../tables/errands.ts";
import { busyFault, LEASE_MS, POLL_MS, type Waits, whileBeating, whileWaiting } from "./leases.ts";
import type { Pushes } from "./pushes.ts";

interface Parts extends Waits {
  readonly store: ErrandRows;
  readonly pushes: Pushes;
}

/** An errand in the hands of this process. */
export interface HeldErrand {
  readonly owner: string;
  /** For the last moment before a call: throws `push_busy` where it may be somebody else's by now. */
  readonly check: () => void;
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
  async run<T>(draftId: string, work: (held: HeldErrand) => Promise<T>): Promise<T | "gone"> {
    const { store, clock, every } = this.#parts;
    const owner = newId("own_");
    let heldUntilMs = await whileWaiting(this.#parts.waiting, (waits) =>
      this.#take(draftId, owner, waits),
    );
    if (heldUntilMs === undefined) return "gone";
    const renew = async () => {
      const untilMs = clock() + LEASE_MS;
      const isHeld = await store.renew(draftId, { owner, untilMs });
      heldUntilMs = isHeld ? untilMs : 0;
    };
    const check = () => {
      if (clock() < (heldUntilMs ?? 0)) return;
      throw busyFault(
        draftId,
        "It took too long, and somebody else may have the draft; ask again.",
      );
    };
    try {
      return await whileBeating(every, renew, () => work({ owner, check }));
    } finally {
      // Where this fails the lease ends by itself.
      await store.end(draftId, owner).catch(() => {});
    }
  }

  /** Until when it is ours; undefined when the draft is gone. */
  async #take(draftId: string, owner: string, waits: () => void): Promise<number | undefined> {
    const { store, pushes, clock, sleep, busyWaitMs } = this.#parts;
    const giveUpAtMs = clock() + busyWaitMs;
    for (;;) {
      const nowMs = clock();
      const untilMs = nowMs + LEASE_MS;
      const taken = await store.take(draftId, { owner, untilMs }, nowMs);
      if (taken !== "busy") return taken === "taken" ? untilMs : undefined;
      const mayEnd = await pushes.finishLeft(draftId);
      if (nowMs >= giveUpAtMs && !mayEnd) {
        throw busyFault(draftId, "Something else is done with this draft; ask again shortly.");
      }
      waits();
      await sleep(POLL_MS);
    }
  }
}
