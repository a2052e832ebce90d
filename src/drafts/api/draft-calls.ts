import type { AccountCall } from "../../accounts/guards.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { Throttle } from "../../lib/threads/throttle.ts";
import type { KeyClient } from "./key-client.ts";

const MINUTE_MS = 60_000;

/**
 * Counts calls that make, change or render drafts, before a byte of them is read. They cost
 * processor time and no money, so neither balance nor a key's own rates bound them.
 */
export class DraftCalls {
  readonly #perMinute: number;
  readonly #throttle: Throttle;

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#throttle = new Throttle(MINUTE_MS, clock);
  }

  /** Of a key, all together. */
  countKey({ key }: KeyClient, calls = 1): void {
    for (let at = 0; at < calls; at++) this.#count(`key ${key.id}`);
  }

  /**
   * Of a person in an account, each kind by itself: an editor saves, previews and shows what is being
   * written at the same pace.
   */
  counted<Call extends AccountCall, Answer>(
    kind: string,
    handle: (call: Call) => Promise<Answer>,
  ): (call: Call) => Promise<Answer> {
    return async (call) => {
      const { principal, accountId } = call;
      this.#count(`${kind} ${accountId} ${principal.userId ?? ""} ${principal.name}`);
      return handle(call);
    };
  }

  #count(name: string): void {
    const max = this.#perMinute;
    if (this.#throttle.take(name, max)) return;
    const waitMs = Math.max(1, this.#throttle.waitMs(name));
    const seconds = Math.ceil(waitMs / 1000);
    const message =
      `Rate limit reached for draft calls per minute: limit ${max}, used ${max}. ` +
      `Please try again in ${seconds}s.`;
    throw new Fault("rate_limit_exceeded", message, {
      headers: {
        "retry-after": String(seconds),
        "retry-after-ms": String(waitMs),
        "x-faregate-limit": "draft_calls",
      },
    });
  }
}
