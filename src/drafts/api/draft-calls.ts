import type { AccountCall } from "../../accounts/guards.ts";
import type { Limits } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { Throttle } from "../../lib/threads/throttle.ts";
import type { KeyClient } from "./key-client.ts";

const MINUTE_MS = 60_000;

type CallLimits = Pick<Limits, "draft_calls_per_minute" | "draft_calls_per_account">;

/** Calls of one kind of caller, a minute at a time. */
class MinuteLimit {
  readonly #max: number;
  readonly #throttle: Throttle;
  /** As the error says them: what is counted, and the limit's name. */
  readonly #words: { readonly what: string; readonly limit: string };

  constructor(max: number, clock: Clock, words: { readonly what: string; readonly limit: string }) {
    this.#max = max;
    this.#throttle = new Throttle(MINUTE_MS, clock);
    this.#words = words;
  }

  count(name: string): void {
    const max = this.#max;
    if (this.#throttle.take(name, max)) return;
    const { what, limit } = this.#words;
    const waitMs = Math.max(1, this.#throttle.waitMs(name));
    const seconds = Math.ceil(waitMs / 1000);
    const message =
      `Rate limit reached for ${what} per minute: limit ${max}, used ${max}. ` +
      `Please try again in ${seconds}s.`;
    throw new Fault("rate_limit_exceeded", message, {
      headers: {
        "retry-after": String(seconds),
        "retry-after-ms": String(waitMs),
        "x-faregate-limit": limit,
      },
    });
  }
}

/**
 * Counts calls that make, change or render drafts, before a byte of them is read. They cost processor time and no money, so
 * neither the balance nor a key's own rates bound them. Each counts to its key or person, and to the account, which may have
 * many of both.
 */
export class DraftCalls {
  readonly #callers: MinuteLimit;
  readonly #accounts: MinuteLimit;

  constructor(limits: CallLimits, clock: Clock) {
    this.#callers = new MinuteLimit(limits.draft_calls_per_minute, clock, {
      what: "draft calls",
      limit: "draft_calls",
    });
    this.#accounts = new MinuteLimit(limits.draft_calls_per_account, clock, {
      what: "draft calls of this account",
      limit: "draft_calls_per_account",
    });
  }

  /** Counts calls by a key, all kinds together. */
  countKey({ key }: KeyClient, calls = 1): void {
    for (let at = 0; at < calls; at++) this.#count(`key ${key.id}`, key.accountId);
  }

  /**
   * Counts calls of a person in an account, each kind by itself: an editor saves, previews and shows what is being
   * written at the same pace.
   */
  counted<Call extends AccountCall, Answer>(
    kind: string,
    handle: (call: Call) => Promise<Answer>,
  ): (call: Call) => Promise<Answer> {
    return async (call) => {
      const { principal, accountId } = call;
      this.#count(`${kind} ${accountId} ${principal.userId ?? ""} ${principal.name}`, accountId);
      return handle(call);
    };
  }

  /** A caller that is refused does not count to its account, so that it cannot use up the calls of the others. */
  #count(caller: string, accountId: string): void {
    this.#callers.count(caller);
    this.#accounts.count(accountId);
  }
}
