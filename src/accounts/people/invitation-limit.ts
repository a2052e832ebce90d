import type { Clock } from "../../lib/clock.ts";
import { tooManyTries } from "../../lib/threads/throttle.ts";
import type { SignInGuardTable } from "../tables/sign-in-guard.ts";

/** Each goes by mail to an address that nobody has vouched for. Operators answer for themselves. */
const INVITATIONS_PER_HOUR_MAX = 30;
const HOUR_MS = 3_600_000;

/**
 * How many an account may invite in an hour. It is kept in the database, so that several instances count together,
 * and an office that goes to rest does not begin anew.
 */
export class InvitationLimit {
  readonly #store: Pick<SignInGuardTable, "take">;
  readonly #clock: Clock;

  constructor(store: Pick<SignInGuardTable, "take">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Counts one before it is sent; beyond so many it is refused. */
  async spend(accountId: string): Promise<void> {
    const terms = { nowMs: this.#clock(), windowMs: HOUR_MS, max: INVITATIONS_PER_HOUR_MAX };
    const waitMs = await this.#store.take(`invitations of ${accountId}`, terms);
    if (waitMs > 0) throw tooManyTries(terms, waitMs);
  }
}
