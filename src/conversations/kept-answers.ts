import type { Limits } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { AnswerName, Claim, Claimant, ClaimName } from "./claim.ts";
import { type Holder, type KeptAnswer, packAnswer, unpackAnswer } from "./packing.ts";
import type { ClaimSpan, KeptAnswerStore } from "./store.ts";

/**
 * Answers under an `Idempotency-Key`, for whoever asks the same again. They are not stored responses:
 * no id leads to them, and they go after their time whatever `store` says.
 */
export class KeptAnswers {
  readonly #store: KeptAnswerStore;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly enabled: boolean;
  /** Of many who want the same answer at once, one reads it. */
  readonly #reading = new Map<string, Promise<KeptAnswer | undefined>>();

  constructor(store: KeptAnswerStore, limits: Limits, clock: Clock, enabled: boolean) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
    this.enabled = enabled;
  }

  /** Takes the value for a request, unless it is taken. Gives back who has it. */
  claim(claimant: Claimant, timeBudget?: TimeBudget): Promise<Claim> {
    return this.#store.claim(claimant, this.#span(longestRequestMs(this.#limits)), timeBudget);
  }

  find(name: ClaimName, timeBudget?: TimeBudget): Promise<Claim | undefined> {
    return this.#store.findClaim(name, timeBudget);
  }

  /**
   * Keeps the answer of the request that has the value, or that there is one which is not kept. False
   * when the request does not have the value any more.
   */
  async keep(
    claimant: Claimant,
    answer: KeptAnswer | undefined,
    timeBudget?: TimeBudget,
  ): Promise<boolean> {
    const body = answer ? await packAnswer(answer) : null;
    const accountBytesMax = this.#limits.idempotency_account_bytes_max;
    const packed = { ...this.#span(), body, accountBytesMax };
    return this.#store.keepAnswer(claimant, packed, timeBudget);
  }

  /** The answer of a request that has a value, if it is still kept. It counts for each who wants it. */
  async answer(
    name: AnswerName,
    requestId: string,
    timeBudget?: TimeBudget,
    holder?: Holder,
  ): Promise<KeptAnswer | undefined> {
    const others = this.#reading.get(requestId);
    if (others) {
      const answer = await others;
      if (answer) holder?.grow(answer.body.byteLength);
      return answer;
    }
    const reading = this.#read(name, requestId, timeBudget, holder).finally(() =>
      this.#reading.delete(requestId),
    );
    this.#reading.set(requestId, reading);
    return reading;
  }

  async #read(
    name: AnswerName,
    requestId: string,
    timeBudget: TimeBudget | undefined,
    holder: Holder | undefined,
  ): Promise<KeptAnswer | undefined> {
    const packed = await this.#store.findAnswer(name, requestId, timeBudget);
    return packed && unpackAnswer(packed, holder);
  }

  /** Lets go of the value, if the claim is still what it was. */
  free(
    name: ClaimName,
    { requestId, state }: Pick<Claim, "requestId" | "state">,
    timeBudget?: TimeBudget,
  ): Promise<void> {
    return this.#store.freeClaim(name, requestId, state, timeBudget);
  }

  sweep(): Promise<number> {
    return this.#store.sweepAnswers(this.#clock());
  }

  /** The time that answers are kept for, with what comes before it. */
  #span(beforeMs = 0): ClaimSpan {
    const nowMs = this.#clock();
    return { nowMs, expiresAtMs: nowMs + beforeMs + this.#limits.idempotency_keep_ms };
  }
}

/** Of one that has taken its value: it waits for storage and money, then for its vendors, then for storage once more. */
function longestRequestMs(limits: Limits): number {
  const { admission_storage_ms, admission_wait_ms, upstream_total_ms, settle_wait_ms } = limits;
  return admission_storage_ms + admission_wait_ms + upstream_total_ms + settle_wait_ms;
}
