import type { Clock, Clocks } from "../../lib/clock.ts";
import type { Push } from "../draft.ts";
import type { Reply } from "../platform-api/platform-http.ts";
import type { DraftChange } from "../tables/drafts.ts";
import type { Lease } from "../tables/exclusive-jobs.ts";
import type { PushRows, PushStep } from "../tables/pushes.ts";
import { type Every, type HeldUntil, heldFrom, isLost, whileBeating } from "./leases.ts";

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

interface Tools extends Clocks {
  readonly store: PushRows;
  readonly every: Every;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A push in the hands of this process. Every step is written before it is taken. */
export class PushRun {
  readonly #tools: Tools;
  readonly #owner: string;
  #push: Push;
  /** Undefined once it is known to be another's. */
  #held: HeldUntil | undefined;

  /** Of a push that was just taken by this owner, until then. */
  constructor(tools: Tools, push: Push, lease: Lease & HeldUntil) {
    this.#tools = tools;
    this.#push = push;
    this.#owner = lease.owner;
    this.#held = lease;
  }

  get push(): Push {
    return this.#push;
  }

  get clock(): Clock {
    return this.#tools.clock;
  }

  /** Throws when the push is not ours any more, or must wait for another one. */
  async step(step: PushStep, draft?: DraftChange): Promise<void> {
    const atMs = this.clock();
    const lease = { owner: this.#owner, ...heldFrom(this.#tools) };
    const outcome = await this.#tools.store.step(this.#push, step, lease, atMs, draft);
    if (outcome === "lost") {
      this.#held = undefined;
      throw new LeaseLost();
    }
    if (outcome === "busy") throw new SameWordsBusy();
    // As it is written there now, though it is earlier than before where the clock was set back.
    this.#held = lease;
    const { fingerprint: _fingerprint, record: _record, meant, ...changed } = step;
    const version = meant?.version ?? this.#push.version;
    this.#push = { ...this.#push, ...changed, version, updatedAtMs: atMs };
  }

  /** Keeps the push for longer. */
  renew(): Promise<void> {
    return this.step({});
  }

  /** A call that may be made twice: one whose answer was lost is made again after each of the waits. */
  async retry<T>(waitsMs: readonly number[], call: () => Promise<Reply<T>>): Promise<Reply<T>> {
    for (const waitMs of waitsMs) {
      await this.renew();
      const reply = await call();
      if (reply.kind !== "unknown") return reply;
      await this.#tools.sleep(waitMs);
    }
    await this.renew();
    return call();
  }

  /** For the last moment before a call: a process that was held up for long may have lost the push. */
  readonly checkHeld = (): void => {
    if (!this.#held || isLost(this.#held, this.#tools)) throw new LeaseLost();
  };

  /** Holds the push while `work` runs, however long its calls take. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const { store, every } = this.#tools;
    try {
      return await whileBeating(every, () => this.renew(), work);
    } finally {
      // Where this fails the lease ends by itself.
      await store.release(this.#push.id, this.#owner).catch(() => {});
    }
  }
}
