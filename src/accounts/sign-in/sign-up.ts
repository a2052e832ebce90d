import { AsyncLocalStorage } from "node:async_hooks";
import { APIError } from "better-auth/api";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Account } from "../account.ts";
import type { Memberships } from "../members.ts";

/** Who may make an identity: those who were invited, anybody, or nobody new. */
type SignUpPolicy = "invite" | "open" | "closed";

export interface SignUpTerms {
  readonly policy: SignUpPolicy;
  /** Given to an account that somebody opens by signing up. */
  readonly credit: NanoUsd;
}

export interface Credit {
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  readonly kind: "trial";
  readonly note: string;
  readonly createdAtMs: number;
}

interface SignUpParts {
  /** Asked at each sign-up: an operator may change them at any time. */
  terms(): Promise<SignUpTerms>;
  createAccount(name: string, options: { readonly hard: true }): Promise<Account>;
  /** The ledger's: the same id credits once. */
  credit(credit: Credit): Promise<unknown>;
  readonly memberships: Memberships;
  readonly clock: Clock;
}

/** An identity that is about to be made, or just was. */
interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
}

function refused(message: string): APIError {
  return new APIError("FORBIDDEN", { code: "SIGN_UP_REFUSED", message });
}

/** Decides who may make an identity, and gives those who may a place. */
export class SignUp {
  readonly #parts: SignUpParts;
  /** Set while somebody is let in by a link, which places them itself. */
  readonly #granted = new AsyncLocalStorage<true>();

  constructor(parts: SignUpParts) {
    this.#parts = parts;
  }

  terms(): Promise<SignUpTerms> {
    return this.#parts.terms();
  }

  granted<T>(work: () => Promise<T>): Promise<T> {
    return this.#granted.run(true, work);
  }

  /** An address counts as invited only where its provider has verified it; others need the link. */
  async check(person: Pick<Person, "email" | "emailVerified">): Promise<void> {
    if (this.#granted.getStore()) return;
    const { policy } = await this.#parts.terms();
    if (policy === "open") return;
    if (policy === "closed") throw refused("Nobody new can sign up here.");
    const invited =
      person.emailVerified &&
      (await this.#parts.memberships.invitationsFor(person.email)).length > 0;
    if (!invited) throw refused("Signing up needs an invitation; open the link that came with it.");
  }

  async place(person: Person): Promise<void> {
    if (this.#granted.getStore()) return;
    const { memberships } = this.#parts;
    const invitations = person.emailVerified ? await memberships.invitationsFor(person.email) : [];
    for (const invitation of invitations) await memberships.accept(invitation, person.id);
    if (invitations.length === 0) await this.#openAccount(person);
  }

  async #openAccount(person: Person): Promise<void> {
    const { createAccount, credit, memberships, clock } = this.#parts;
    const account = await createAccount(person.name || person.email, { hard: true });
    await memberships.join(account, person.id, "owner");
    const { credit: amount } = await this.#parts.terms();
    if (amount <= 0n) return;
    await credit({
      id: `signup-${account.id}`,
      accountId: account.id,
      amount,
      kind: "trial",
      note: `sign-up credit of ${formatUsd(amount)} USD`,
      createdAtMs: clock(),
    });
  }
}
