import type { Clock } from "../../lib/clock.ts";
import { StoredThrottle, type TryWindows } from "../stored-throttle.ts";

/** Each goes by mail to an address that nobody has vouched for. Operators answer for themselves. */
const INVITATIONS_PER_HOUR_MAX = 30;
const HOUR_MS = 3_600_000;

/** How many an account may invite in an hour. */
export class InvitationLimit {
  readonly #throttle: StoredThrottle;

  constructor(store: TryWindows, clock: Clock) {
    this.#throttle = new StoredThrottle(store, HOUR_MS, clock);
  }

  /** Counts one before it is sent; beyond so many it is refused. */
  spend(accountId: string): Promise<void> {
    return this.#throttle.spend(`invitations of ${accountId}`, INVITATIONS_PER_HOUR_MAX);
  }
}
