import { Fault } from "../../lib/faults.ts";
import type { Key } from "../account.ts";
import { isAtLeast, type Principal, type Role } from "../guards.ts";
import type { Memberships } from "../people/members.ts";
import type { AccountsStore } from "../store.ts";
import type { KeyMakersTable } from "../tables/key-makers.ts";

interface RightsParts {
  readonly makers: KeyMakersTable;
  readonly memberships: Pick<Memberships, "roleIn" | "emailOf" | "isOperator">;
  readonly keys: Pick<AccountsStore, "describeKey" | "updateKey">;
}

type OwnKey = Pick<Key, "id" | "accountId">;

/** What a key may do beside calling models: what the person who made it may do at this moment. */
export class KeyRights {
  readonly #parts: RightsParts;

  constructor(parts: RightsParts) {
    this.#parts = parts;
  }

  /** Before the key is there: without its maker it would count as made at the machine. */
  async noteMaker(keyId: string, { userId, token }: Principal): Promise<void> {
    const maker = userId ?? token?.ownerId ?? undefined;
    if (maker !== undefined) await this.#parts.makers.set(keyId, maker);
  }

  /** Undefined where whoever made it does not belong to the account any more. */
  async roleOf({ id, accountId }: OwnKey): Promise<Role | undefined> {
    const { makers, memberships } = this.#parts;
    const maker = await makers.find(id);
    // Made on the command line: whoever has the machine may everything.
    return maker === undefined ? "owner" : memberships.roleIn(accountId, maker);
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
   * maker is gone is theirs from then on.
   */
  widen(key: OwnKey, principal: Principal, role: Role): Promise<void> {
    return this.#answerFor(key, principal, role, "account_read");
  }

  /**
   * Lets somebody have a new secret of a key, under the same rule: with it they may what its maker may.
   */
  handOver(key: OwnKey, principal: Principal, role: Role): Promise<void> {
    return this.#answerFor(key, principal, role);
  }

  async #answerFor(key: OwnKey, principal: Principal, role: Role, param?: string): Promise<void> {
    const makersRole = await this.roleOf(key);
    if (makersRole === undefined) return this.noteMaker(key.id, principal);
    if (isAtLeast(role, makersRole)) return;
    throw new Fault(
      "permission_denied",
      `Who made this key has the role ${makersRole}, yours is ${role}; ask them to change this.`,
      { param },
    );
  }

  /**
   * Ends all keys of somebody who turned out not to be who they said, and who is shut out already: who is signed in
   * could make another behind it.
   */
  async disableKeysOf(userId: string): Promise<void> {
    const { makers, keys } = this.#parts;
    for (const id of await makers.keysOf(userId)) await keys.updateKey(id, { enabled: false });
  }

  /**
   * Takes their accounts from the keys of somebody who has left one, or runs the installation no more and
   * with it has left all that they do not belong to. The keys call models as before.
   */
  async narrowKeysOf(userId: string): Promise<void> {
    const { makers, memberships } = this.#parts;
    // They may everything everywhere, and their programs make the most keys.
    if (await memberships.isOperator(userId)) return;
    for (const id of await makers.keysOf(userId)) await this.narrow(id);
  }

  /**
   * Takes the account from a key whose maker is not of it. For whoever has just given it the account, too:
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
    for (const userId of await this.#parts.makers.makers()) await this.narrowKeysOf(userId);
  }
}
