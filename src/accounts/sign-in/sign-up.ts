import { AsyncLocalStorage } from "node:async_hooks";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Account } from "../account.ts";
import type { AuditLog } from "../audit.ts";
import { acceptanceOf, guestPrincipal } from "../people/acceptance.ts";
import type { Memberships } from "../people/members.ts";
import type { Invitation } from "../people/person.ts";
import { noteWithdrawn } from "../people/withdrawal.ts";
import type { InstallationSettings } from "../settings.ts";
import type { SignUpsTable } from "../tables/sign-ups.ts";
import type { UnplacedPeopleTable } from "../tables/unplaced-people.ts";

export interface SignUpTerms {
  readonly policy: InstallationSettings["signup"];
  /** Given to an account that somebody opens by signing up, once their address is confirmed. */
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
  /** The account with this id, which is opened where it is not there. */
  openAccount(id: string, name: string): Promise<Account>;
  /** The ledger's: the same id credits once. */
  credit(credit: Credit): Promise<unknown>;
  readonly store: SignUpsTable;
  readonly unplaced: UnplacedPeopleTable;
  readonly memberships: Memberships;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/** An identity that is about to be made, or just was. */
interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
}

/** As the library has it, whose second factor is a plugin's and in no type. */
export interface Identity extends Pick<Person, "id" | "emailVerified"> {
  readonly twoFactorEnabled?: boolean | null | undefined;
}

/**
 * One name for all addresses that lead to one mailbox, as far as most mail servers agree: case does not
 * count, nor does what follows a plus sign.
 */
function mailboxOf(email: string): string {
  const folded = email.trim().toLowerCase();
  const at = folded.lastIndexOf("@");
  const local = folded.slice(0, at);
  const plus = local.indexOf("+");
  return (plus > 0 ? local.slice(0, plus) : local) + folded.slice(at);
}

/** The ledger credits an id once, so a mailbox is given credit once, whoever signs up with it. */
function creditId(email: string): string {
  const digest = new Bun.CryptoHasher("sha256").update(mailboxOf(email)).digest("hex");
  return `signup_${digest.slice(0, 40)}`;
}

/** In the words of the library, which is loaded where this is asked. */
async function refused(message: string): Promise<Error> {
  const { APIError } = await import("better-auth/api");
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

  isGranted(): boolean {
    return this.#granted.getStore() === true;
  }

  granted<T>(work: () => Promise<T>): Promise<T> {
    return this.#granted.run(true, work);
  }

  /**
   * Whether an identity stays with whoever has it. One that nobody confirmed does not, unless it runs the
   * installation or has a second factor: these are to withstand somebody who has come by the mail.
   */
  async isTaken({ id, emailVerified, twoFactorEnabled }: Identity): Promise<boolean> {
    return emailVerified || twoFactorEnabled === true || this.#parts.memberships.isOperator(id);
  }

  /** An address counts as invited only where its provider has verified it; others need the link. */
  async check(person: Pick<Person, "email" | "emailVerified">): Promise<void> {
    if (this.#granted.getStore()) return;
    const { policy } = await this.#parts.terms();
    if (policy === "open") return;
    if (policy === "closed") throw await refused("Nobody new can sign up here.");
    const invited =
      person.emailVerified &&
      (await this.#parts.memberships.invitationsFor(person.email)).length > 0;
    if (!invited)
      throw await refused("Signing up needs an invitation; open the link that came with it.");
  }

  /**
   * The id of somebody new, who is to have a place from here on however far this comes: what is left undone is done
   * when they come again. Who is let in by a link has theirs by that.
   */
  async expect(): Promise<string> {
    const { unplaced, clock } = this.#parts;
    const id = newId("usr_");
    if (!this.isGranted()) await unplaced.add(id, newId("acct_"), clock());
    return id;
  }

  /** Whether an identity is in no account, as one is that was let in by a link and not placed. */
  async belongsNowhere(userId: string): Promise<boolean> {
    return (await this.#parts.memberships.ofUser(userId)).length === 0;
  }

  /** Whether somebody had shown that the address is theirs, and got no place: nobody has been in with it yet. */
  async isHalfMade({ id, emailVerified }: Pick<Person, "id" | "emailVerified">): Promise<boolean> {
    return emailVerified && (await this.#parts.unplaced.accountFor(id)) !== undefined;
  }

  /** Of an identity that is gone. */
  forget(userId: string): Promise<void> {
    return this.#parts.unplaced.remove(userId);
  }

  /** Before somebody is in: a process may have ended before they had their place. */
  async arrive(userId: string): Promise<void> {
    const person = await this.#parts.unplaced.find(userId);
    if (person) await this.place(person);
  }

  /** What was done of it before is not done again. */
  async place(person: Person): Promise<void> {
    const { memberships, unplaced } = this.#parts;
    const accountId = this.isGranted() ? undefined : await unplaced.accountFor(person.id);
    if (accountId === undefined) return;
    const invitations = await this.#lettingIn(person);
    for (const invitation of invitations) await this.#accept(invitation, person);
    await this.#noteAccepted(person);
    const joined = await memberships.ofUser(person.id);
    const isLetIn = joined.some((membership) => membership.accountId !== accountId);
    if (invitations.length === 0 && !isLetIn) await this.#openAccount(person, accountId);
    await unplaced.remove(person.id);
  }

  /**
   * Invitations that are accepted by signing up, since without them nobody could. Elsewhere they wait for a
   * yes: anybody may invite any address, and would have strangers work and pay in an account of theirs.
   */
  async #lettingIn({ email, emailVerified }: Person): Promise<readonly Invitation[]> {
    const { policy } = await this.#parts.terms();
    if (policy !== "invite" || !emailVerified) return [];
    return this.#parts.memberships.invitationsFor(email);
  }

  /** One that ended with another to the same account is not open any more, and nothing comes of it. */
  async #accept(invitation: Invitation, { id: userId, email }: Person): Promise<void> {
    const { memberships, audit } = this.#parts;
    const { withdrawn } = await memberships.accept(invitation, userId);
    await noteWithdrawn(audit, withdrawn, guestPrincipal({ userId, email }));
  }

  /** All that they have accepted: who accepted before a failure is not asked to accept again. */
  async #noteAccepted({ id: userId, email }: Person): Promise<void> {
    const { memberships, audit } = this.#parts;
    for (const invitation of await memberships.acceptedBy(userId, email)) {
      await audit.write(acceptanceOf(invitation, { userId, email }));
    }
  }

  async #openAccount(person: Person, accountId: string): Promise<void> {
    const { openAccount, store, memberships, audit, clock } = this.#parts;
    const account = await openAccount(accountId, person.name || person.email);
    await memberships.join(account, person.id, "owner");
    await store.add(person.id, account.id, clock());
    await audit.write({
      principal: { userId: person.id, name: person.email, operator: false },
      accountId,
      action: "account.create",
      target: accountId,
      detail: { name: account.name, hard: account.hard },
      once: true,
    });
    if (person.emailVerified) await this.confirmed(person);
  }

  /** The address is known to be theirs: the account that they opened gets its credit. */
  async confirmed({ id, email }: Pick<Person, "id" | "email">): Promise<void> {
    const { store, credit, clock } = this.#parts;
    const accountId = await store.accountOf(id);
    const { credit: amount } = await this.#parts.terms();
    if (accountId === undefined || amount <= 0n) return;
    await credit({
      id: creditId(email),
      accountId,
      amount,
      kind: "trial",
      note: `sign-up credit of ${formatUsd(amount)} USD`,
      createdAtMs: clock(),
    });
  }
}
