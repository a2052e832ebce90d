import { asFault, Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { insist } from "../../lib/insist.ts";
import type { Draft } from "../draft.ts";
import type { KeyRow, KeyRows, Ticket } from "../tables/keys.ts";
import { keepFault, sameFault } from "./kept-fault.ts";
import { isSilent, LEASE_MS, POLL_MS, type Waits, whileBeating, whileWaiting } from "./leases.ts";

const KEY_CHARS_MAX = 255;
/** So long a failure is written again where storage does not take it. */
const FAIL_INSIST_MS = 3_000;

export type Begun =
  | { readonly kind: "new"; readonly ticket: Ticket }
  | {
      readonly kind: "known";
      readonly draft: Draft;
      /** What was to be told beside it when it was made, as JSON. */
      readonly answer: string | null;
      /** The draft was made while this call waited for it. */
      readonly joined: boolean;
    };

/** Whose key it is: the caller's by now, or that of who came first, with what has come of it. */
type Claim =
  | { readonly kind: "new"; readonly ticket: Ticket }
  | { readonly kind: "made"; readonly row: KeyRow; readonly joined: boolean };

interface Parts extends Waits {
  readonly store: KeyRows;
  readonly find: (accountId: string, draftId: string) => Promise<Draft>;
  /** Leases go by it: the machines' own clocks may differ by more than a lease. */
  readonly sharedTime: () => Promise<number>;
  /** How long an answer that is no draft is kept under its key. */
  readonly keepMs: number;
}

function usedOtherwise(): Fault {
  const message = "This Idempotency-Key was used with another body.";
  return new Fault("idempotency_conflict", message, { param: "Idempotency-Key" });
}

/** Who makes the one draft, or the one answer, of an `Idempotency-Key`, over all processes. */
export class DraftKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes the key for a draft, or waits for who has it, and throws what they have failed with. */
  async begin(accountId: string, key: string, requestSum: string): Promise<Begun> {
    const claim = await this.#claim(accountId, key, requestSum);
    if (claim.kind === "new") return claim;
    const { draftId, answer } = claim.row;
    if (draftId === null) throw usedOtherwise();
    const draft = await this.#parts.find(accountId, draftId);
    return { kind: "known", draft, answer, joined: claim.joined };
  }

  /** Does the work for the first who comes with the key; others get what it came to. */
  async once<T>(
    { accountId, key, requestSum }: { accountId: string; key: string; requestSum: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const claim = await this.#claim(accountId, key, requestSum);
    if (claim.kind === "made") {
      if (claim.row.answer === null) throw usedOtherwise();
      return JSON.parse(claim.row.answer) as T;
    }
    const { store, sharedTime, keepMs } = this.#parts;
    return this.hold(claim.ticket, async () => {
      const made = await work();
      await store.answer(claim.ticket, JSON.stringify(made), (await sharedTime()) + keepMs);
      return made;
    });
  }

  #claim(accountId: string, key: string, requestSum: string): Promise<Claim> {
    return whileWaiting(this.#parts.waiting, (waits) =>
      this.#claimBehind(accountId, key, requestSum, waits),
    );
  }

  async #claimBehind(
    accountId: string,
    key: string,
    requestSum: string,
    waits: () => void,
  ): Promise<Claim> {
    if (key === "" || key.length > KEY_CHARS_MAX) {
      const message = `An Idempotency-Key has 1 to ${KEY_CHARS_MAX} characters.`;
      throw new Fault("invalid_value", message, { param: "Idempotency-Key" });
    }
    const { store, clock, sharedTime, sleep, busyWaitMs } = this.#parts;
    const giveUpAtMs = clock() + busyWaitMs;
    const ticket = { accountId, key, owner: newId("own_") };
    let waitedFor: string | undefined;
    for (;;) {
      const nowMs = await sharedTime();
      const found = await store.take(ticket, requestSum, nowMs + LEASE_MS, nowMs, waitedFor);
      if (found === "taken") return { kind: "new", ticket };
      if (found.requestSum !== requestSum) throw usedOtherwise();
      if (found.failure) throw sameFault(found.failure);
      if (found.draftId !== null || found.answer !== null) {
        return { kind: "made", row: found, joined: waitedFor !== undefined };
      }
      // Who has fallen silent is waited for until it counts as dead; then the key is free.
      const mayDie = isSilent(found.leaseUntilMs - LEASE_MS, nowMs);
      if (clock() >= giveUpAtMs && !mayDie) {
        const message = "The first request with this Idempotency-Key is still running.";
        throw new Fault("push_busy", message, { headers: { "retry-after": "5" } });
      }
      waitedFor = found.owner;
      waits();
      await sleep(POLL_MS);
    }
  }

  /**
   * Holds the key while `work` makes what it is for. Where it fails the key is free for the next call, and
   * those who wait for this one fail with it: what they ask for was tried, and may have been paid.
   */
  async hold<T>(ticket: Ticket, work: () => Promise<T>): Promise<T> {
    const { store, clock, sharedTime, every } = this.#parts;
    const renew = async () => store.renew(ticket, (await sharedTime()) + LEASE_MS);
    try {
      return await whileBeating(every, renew, work);
    } catch (thrown) {
      // What was a moment's outage of storage is not to keep them from hearing of it.
      const fail = async () => store.fail(ticket, keepFault(asFault(thrown)), await sharedTime());
      await insist(fail, clock, clock() + FAIL_INSIST_MS).catch(() => {});
      throw thrown;
    }
  }
}
