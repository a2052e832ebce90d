import type { Limits } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SignInTriesTable } from "../tables/sign-in-tries.ts";

/** Wrong passwords of so long ago do not count any more. */
const FORGET_MS = 24 * 3_600_000;

type BackOffLimits = Pick<
  Limits,
  "sign_in_person_failures_max" | "sign_in_person_wait_ms" | "sign_in_person_wait_max_ms"
>;

/** Who is tried: a person in general, or a browser that they have signed in with before. */
interface Target {
  readonly email: string;
  /** What tells one such browser from another. */
  readonly device?: string | undefined;
}

/** Addresses are kept as digests: whoever tries writes here, also what nobody has. */
function nameOf({ email, device = "" }: Target): string {
  const text = JSON.stringify([email.trim().toLowerCase(), device]);
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/**
 * Lets wrong passwords of one person wait longer and longer, from wherever they come, up to a most: who
 * guesses gets a few a day, and nobody is locked out for good. It is kept in the database, so that several
 * instances count together. A browser that the person has signed in with before is counted by itself.
 */
export class BackOff {
  readonly #store: SignInTriesTable;
  readonly #limits: BackOffLimits;
  readonly #clock: Clock;

  constructor(store: SignInTriesTable, limits: BackOffLimits, clock: Clock) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Counts a try before it is made. How long to wait where it is too early; zero where it is not. */
  begin(target: Target): Promise<number> {
    const nowMs = this.#clock();
    return this.#store.begin(nameOf(target), {
      nowMs,
      forgetBeforeMs: nowMs - FORGET_MS,
      free: this.#limits.sign_in_person_failures_max,
      firstMs: this.#limits.sign_in_person_wait_ms,
      mostMs: this.#limits.sign_in_person_wait_max_ms,
    });
  }

  /** It was the right password. */
  async succeeded(target: Target): Promise<void> {
    await this.#store.forget(nameOf(target));
  }
}
