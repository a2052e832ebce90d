import { Fault } from "../../lib/faults.ts";
import type { Key } from "../account.ts";
import { isAtLeast, type Principal, personOf, type Role } from "../guards.ts";
import type { Memberships } from "../people/members.ts";
import type { AccountsStore } from "../store.ts";
import type { KeyMakersTable } from "../tables/key-makers.ts";
import type { SecretMakers } from "./secret-makers.ts";

interface RightsParts {
  readonly makers: KeyMakersTable;
  readonly secrets: SecretMakers;
  readonly memberships: Pick<Memberships, "roleIn" | "emailOf" | "isOperator">;
  readonly keys: Pick<AccountsStore, "describeKey" | "updateKey">;
}

type OwnKey = Pick<Key, "id" | "accountId">;

/**
 * What a key may do beside calling models: what the person who made it may do at this moment, and whoever else was
 * given a secret by which it can be called.
 */
export class KeyRights {
  readonly #parts: RightsParts;

  constructor(parts: RightsParts) {
    this.#parts = parts;
  }

  /** Before the key is there: without its maker it would count as made at the machine. */
  async noteMaker(keyId: string, principal: Principal): Promise<void> {
    const maker = personOf(principal);
    if (maker !== undefined) await this.#parts.makers.set(keyId, maker);
  }

  /** Takes back what was written for a key that was not created. */
  forgetMaker(keyId: string): Promise<void> {
    return this.#parts.makers.remove(keyId);
  }

  /** Before a secret is told that opens the key already: so it ends with whoever hears it. */
  async noteSecret(keyId: string, secret: string, principal: Principal): Promise<void> {
    const maker = personOf(principal);
    if (maker !== undefined) await this.#parts.secrets.note(keyId, secret, maker);
  }

  /** Of one that was told to nobody after all. */
  forgetSecret(secret: string): Promise<void> {
    return this.#parts.secrets.forget(secret);
  }

  /**
   * The least of those who made it and its secrets that work; undefined where one of them does not belong to the
   * account any more.
   */
  async roleOf({ id, accountId }: OwnKey): Promise<Role | undefined> {
    const { makers, memberships, secrets } = this.#parts;
    const maker = await makers.find(id);
    let least = await this.#makersRole(accountId, maker);
    for (const { userId } of await secrets.othersOf(id, maker)) {
      const role = await memberships.roleIn(accountId, userId);
      if (role === undefined || least === undefined) return undefined;
      if (isAtLeast(least, role)) least = role;
    }
    return least;
  }

  /** Made on the command line, it is nobody's: whoever has the machine may everything. */
  async #makersRole(accountId: string, maker: string | undefined): Promise<Role | undefined> {
    return maker === undefined ? "owner" : this.#parts.memberships.roleIn(accountId, maker);
  }

  /** Who acts by a key, for the audit log. */
  async principalOf({
    id,
    name,
    lastFour,
  }: Pick<Key, "id" | "name" | "lastFour">): Promise<Principal> {
    const { makers, memberships } = this.#parts;
    const userId = await makers.find(id);
    const email = userId === undefined ? undefined : await memberships.emailOf(userId);
    const words = `key ${name} …${lastFour}`;
    return { userId, name: email ? `${words} of ${email}` : words, operator: false };
  }

  /**
   * Lets somebody give a key the account to read, if they may at least what its maker may. A key whose
   * maker is gone is theirs from then on, and they answer for secrets of those who are gone.
   */
  async widen(key: OwnKey, principal: Principal, role: Role): Promise<void> {
    await this.#answerFor(key, principal, role, "account_read");
    const { secrets, memberships } = this.#parts;
    const person = personOf(principal);
    if (person === undefined) return;
    for (const known of await secrets.othersOf(key.id, person)) {
      if ((await memberships.roleIn(key.accountId, known.userId)) !== undefined) continue;
      await secrets.give(known, person);
    }
  }

  /**
   * Lets somebody have a new secret of a key, under the same rule: with it they may what its maker may.
   */
  handOver(key: OwnKey, principal: Principal, role: Role): Promise<void> {
    return this.#answerFor(key, principal, role);
  }

  async #answerFor(key: OwnKey, principal: Principal, role: Role, param?: string): Promise<void> {
    const makersRole = await this.#makersRole(key.accountId, await this.#parts.makers.find(key.id));
    if (makersRole === undefined) return this.noteMaker(key.id, principal);
    if (isAtLeast(role, makersRole)) return;
    throw new Fault(
      "permission_denied",
      `The maker of this key has the role ${makersRole}, yours is ${role}; ask them to change this.`,
      { param },
    );
  }

  /** Those that somebody has made, and those that others have made and they can call by a secret of their own. */
  async #keysOf(userId: string): Promise<ReadonlySet<string>> {
    const { makers, secrets } = this.#parts;
    return new Set([...(await makers.keysOf(userId)), ...(await secrets.keysOf(userId))]);
  }

  /**
   * Ends all keys of somebody who turned out not to be who they said, and who is shut out already: who is signed in
   * could make another behind it.
   */
  async disableKeysOf(userId: string): Promise<void> {
    const { keys } = this.#parts;
    for (const id of await this.#keysOf(userId)) await keys.updateKey(id, { enabled: false });
  }

  /**
   * Takes their accounts from the keys of somebody who has left one, or runs the installation no more and
   * with it has left all that they do not belong to. The keys call models as before.
   */
  async narrowKeysOf(userId: string): Promise<void> {
    // They may everything everywhere, and their programs make the most keys.
    if (await this.#parts.memberships.isOperator(userId)) return;
    for (const id of await this.#keysOf(userId)) await this.narrow(id);
  }

  /**
   * Takes the account from a key whose maker is not of it, or who has its secret. For whoever has just given it the account, too:
   * the maker may have left meanwhile, and nobody has found anything to take then.
   */
  async narrow(id: string): Promise<void> {
    const { keys } = this.#parts;
    const key = await keys.describeKey(id);
    if (!key?.accountRead || (await this.roleOf(key)) !== undefined) return;
    await keys.updateKey(id, { accountRead: false });
  }

  /** The same for everybody: people and keys are in two databases, and a crash may have come between. */
  async narrowAll(): Promise<void> {
    const { makers, secrets } = this.#parts;
    const all = new Set([...(await makers.makers()), ...(await secrets.makers())]);
    for (const userId of all) await this.narrowKeysOf(userId);
  }
}
