import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { Draft } from "./draft.ts";
import type { DraftShelf } from "./draft-shelf.ts";
import { keepFault, sameFault } from "./kept-fault.ts";
import { type Every, isSilent, LEASE_MS, POLL_MS, whileBeating } from "./leases.ts";
import type { KeysStore, Ticket } from "./store.ts";

const KEY_CHARS_MAX = 255;

export type Begun =
  | { readonly kind: "new"; readonly ticket: Ticket }
  | {
      readonly kind: "known";
      readonly draft: Draft;
      /** The draft was made while this call waited for it. */
      readonly joined: boolean;
    };

interface Parts {
  readonly store: KeysStore;
  readonly shelf: DraftShelf;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly every: Every;
  readonly busyWaitMs: number;
}

/** Who makes the one draft of an `Idempotency-Key`, over all processes. */
export class DraftKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes the key, or waits for who has it, and throws what they have failed with. */
  async begin(accountId: string, key: string, requestSum: string): Promise<Begun> {
    if (key === "" || key.length > KEY_CHARS_MAX) {
      const message = `An Idempotency-Key has 1 to ${KEY_CHARS_MAX} characters.`;
      throw new Fault("invalid_value", message, { param: "Idempotency-Key" });
    }
    const { store, shelf, clock, sleep, busyWaitMs } = this.#parts;
    const giveUpAtMs = clock() + busyWaitMs;
    const ticket = { accountId, key, owner: newId("own_") };
    let waitedFor: string | undefined;
    for (;;) {
      const nowMs = clock();
      const found = await store.take(ticket, requestSum, nowMs + LEASE_MS, nowMs, waitedFor);
      if (found === "taken") return { kind: "new", ticket };
      if (found.requestSum !== requestSum) {
        const message = "This Idempotency-Key was used with another body.";
        throw new Fault("idempotency_conflict", message, { param: "Idempotency-Key" });
      }
      if (found.failure) throw sameFault(found.failure);
      if (found.draftId !== null) {
        const draft = await shelf.find(accountId, found.draftId);
        return { kind: "known", draft, joined: waitedFor !== undefined };
      }
      // Who has fallen silent is waited for until it counts as dead; then the key is free.
      const mayDie = isSilent(found.leaseUntilMs - LEASE_MS, nowMs);
      if (nowMs >= giveUpAtMs && !mayDie) {
        const message = "The first request with this Idempotency-Key is still running.";
        throw new Fault("push_busy", message, { headers: { "retry-after": "5" } });
      }
      waitedFor = found.owner;
      await sleep(POLL_MS);
    }
  }

  /**
   * Holds the key while `work` makes its draft. Where it fails the key is free for the next call, and
   * those who wait for this one fail with it: what they ask for was tried, and may have been paid.
   */
  async hold<T>(ticket: Ticket, work: () => Promise<T>): Promise<T> {
    const { store, clock, every } = this.#parts;
    const renew = () => store.renew(ticket, clock() + LEASE_MS);
    try {
      return await whileBeating(every, renew, work);
    } catch (thrown) {
      const failure = thrown instanceof Fault ? keepFault(thrown) : undefined;
      await store.fail(ticket, failure, clock());
      throw thrown;
    }
  }
}
