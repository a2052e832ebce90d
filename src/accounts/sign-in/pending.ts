import type { Clock } from "../../lib/clock.ts";
import { hashSecret, LINK_PREFIX, newSecret } from "../keys/secret.ts";
import type { PendingSignUp, PendingSignUpsTable } from "../tables/pending-sign-ups.ts";
import type { NewIdentity } from "./identities.ts";
import type { SendMail } from "./mail.ts";

const CONFIRM_MS = 24 * 3_600_000;

interface PendingParts {
  readonly store: PendingSignUpsTable;
  readonly sendMail: SendMail;
  readonly clock: Clock;
  /** What a link to a page of the console begins with. */
  consoleUrl(): string;
}

/**
 * Sign-ups whose address nobody has shown to be theirs. They are no identities yet, so an address that
 * somebody else has written keeps nobody out: whoever opens the mail and knows the password has it.
 */
export class PendingSignUps {
  readonly #parts: PendingParts;

  constructor(parts: PendingParts) {
    this.#parts = parts;
  }

  async begin(identity: NewIdentity): Promise<void> {
    const { store, sendMail, clock, consoleUrl } = this.#parts;
    const token = newSecret(LINK_PREFIX);
    const nowMs = clock();
    const expiresAtMs = nowMs + CONFIRM_MS;
    await store.add({ ...identity, hash: hashSecret(token), expiresAtMs }, nowMs);
    await sendMail({
      to: identity.email,
      subject: "Confirm your address for Faregate",
      text: `Somebody, hopefully you, signed up with this address. Open the link within a day and enter the
password that you have chosen:

${consoleUrl()}/confirm#${token}

If it was not you, nothing has to be done: without that password the link is worth nothing.`,
    });
  }

  /** For an address that has an identity: whoever signed up hears the same as everybody. */
  async tellOwner(email: string): Promise<void> {
    const { sendMail, consoleUrl } = this.#parts;
    await sendMail({
      to: email,
      subject: "You can already sign in to Faregate",
      text: `Somebody, hopefully you, signed up with this address, which signs in already:

${consoleUrl()}/sign-in

If you have forgotten the password, that page leads to a new one. If it was not you, nothing has to be done.`,
    });
  }

  find(token: string): Promise<PendingSignUp | undefined> {
    return this.#parts.store.find(hashSecret(token), this.#parts.clock());
  }

  /**
   * Runs the work if nobody else was faster. All others of the address end with it; it stays good itself when the
   * work fails.
   */
  async use<T>(pending: PendingSignUp, work: () => Promise<T>): Promise<T | undefined> {
    const { store } = this.#parts;
    if (!(await store.take(pending))) return undefined;
    try {
      return await work();
    } catch (thrown) {
      await store.putBack(pending);
      throw thrown;
    }
  }
}
