import type { Clock } from "../lib/clock.ts";
import { every } from "../lib/clock.ts";
import type { Push } from "./draft.ts";
import type { DraftChange, Lease, PushesStore, PushStep } from "./store.ts";

const HEARTBEAT_MS = 15_000;

/** Another process has taken the push; this one must not touch it any more. */
export class LeaseLost extends Error {
  constructor() {
    super("another process has taken this push");
  }
}

/** Another push of the same words to the same box is not over. */
export class SameWordsBusy extends Error {
  constructor() {
    super("the same words are being sent to this box");
  }
}

/** A push in the hands of this process. Every step is written before it is taken. */
export class PushRun {
  readonly #store: PushesStore;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly clock: Clock;
  #push: Push;

  constructor(store: PushesStore, push: Push, owner: string, leaseMs: number, clock: Clock) {
    this.#store = store;
    this.#push = push;
    this.#owner = owner;
    this.#leaseMs = leaseMs;
    this.clock = clock;
  }

  get push(): Push {
    return this.#push;
  }

  get #lease(): Lease {
    return { owner: this.#owner, untilMs: this.clock() + this.#leaseMs };
  }

  /** Throws when the push is not ours any more, or must wait for another one. */
  async step(step: PushStep, draft?: DraftChange): Promise<void> {
    const atMs = this.clock();
    const outcome = await this.#store.step(this.#push, step, this.#lease, atMs, draft);
    if (outcome === "lost") throw new LeaseLost();
    if (outcome === "busy") throw new SameWordsBusy();
    const { fingerprint: _fingerprint, ...changed } = step;
    this.#push = { ...this.#push, ...changed, updatedAtMs: atMs };
  }

  /** Keeps the push for longer. */
  renew(): Promise<void> {
    return this.step({});
  }

  /** Holds the push while `work` runs, however long its calls take. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const stop = every(HEARTBEAT_MS, () => {
      // A beat that fails is no harm: the next step finds out whether the push is still ours.
      void this.renew().catch(() => {});
    });
    try {
      return await work();
    } finally {
      stop();
      // Where this fails the lease ends by itself.
      await this.#store.release(this.#push.id, this.#owner).catch(() => {});
    }
  }
}
