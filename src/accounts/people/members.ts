import type { Kysely } from "kysely";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { Account } from "../account.ts";
import type { Role } from "../guards.ts";
import { hashSecret, LINK_PREFIX, newSecret } from "../keys/secret.ts";
import { InvitationsTable, takeInvitation } from "../tables/invitations.ts";
import {
  addMember,
  changeMember,
  emailOf,
  findMember,
  type MemberForm,
  MembersTable,
  removeMember,
} from "../tables/members.ts";
import type { AccountsTables } from "../tables/schema.ts";
import {
  sendersOfOpen,
  withdrawLostOf,
  withdrawSentBy,
  withdrawSentTo,
} from "../tables/sent-invitations.ts";
import type { AcceptedInvitation, ChangedMember, Invitation, MemberChange } from "./person.ts";

const INVITATION_MS = 7 * 24 * 3_600_000;

interface InvitationForm {
  readonly email: string;
  readonly role: Role;
  readonly operator: boolean;
  readonly invitedBy: string;
  readonly senderId?: string | undefined;
}

/** Who belongs to which account and in which role. Identities are the sign-in's, this is ours. */
export class Memberships extends MembersTable {
  readonly #invitations: InvitationsTable;
  readonly #vault: Pick<Vault, "seal" | "open">;
  readonly #clock: Clock;

  constructor(sql: Sql, vault: Pick<Vault, "seal" | "open">, clock: Clock) {
    super(sql);
    this.#invitations = new InvitationsTable(sql);
    this.#vault = vault;
    this.#clock = clock;
  }

  /** What somebody may do in an account that there is: operators everything. */
  async roleIn(accountId: string, userId: string): Promise<Role | undefined> {
    if (await this.isOperator(userId)) return "owner";
    return (await this.find(accountId, userId))?.role;
  }

  join(account: Account, userId: string, role: Role, operator = false): Promise<void> {
    const member = { accountId: account.id, userId, role, operator: operator && account.operator };
    return this.add(member, this.#clock());
  }

  /**
   * One that is about to be mailed counts as mailed from the first moment, or its link could be told to
   * somebody else while the mail is on its way.
   */
  async invite(
    account: Account,
    form: InvitationForm,
    mailed = false,
  ): Promise<{ invitation: Invitation; token: string }> {
    const token = newSecret(LINK_PREFIX);
    const nowMs = this.#clock();
    const invitation: Invitation = {
      id: newId("inv_"),
      accountId: account.id,
      email: form.email.trim().toLowerCase(),
      role: form.role,
      operator: form.operator && account.operator,
      invitedBy: form.invitedBy,
      senderId: form.senderId ?? null,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + INVITATION_MS,
      mailed,
    };
    const sealedToken = this.#vault.seal(token);
    await this.#invitations.add({ ...invitation, hash: hashSecret(token), sealedToken });
    return { invitation, token };
  }

  /** The token of an open invitation once more; undefined where it cannot be read any more. */
  async tokenOf({ id }: Invitation): Promise<string | undefined> {
    const sealed = await this.#invitations.sealedToken(id);
    if (sealed === undefined) return undefined;
    try {
      return this.#vault.open(sealed);
    } catch {
      return undefined;
    }
  }

  async openInvitation(accountId: string, id: string): Promise<Invitation | undefined> {
    const open = await this.invitationsOf(accountId);
    return open.find((invitation) => invitation.id === id);
  }

  /** The mail server did not take it. */
  noteUnmailed({ id }: Invitation): Promise<void> {
    return this.#invitations.noteUnmailed(id);
  }

  invitation(token: string): Promise<Invitation | undefined> {
    return this.#invitations.find(hashSecret(token), this.#clock());
  }

  invitationsOf(accountId: string): Promise<readonly Invitation[]> {
    return this.#invitations.openOf(accountId, this.#clock());
  }

  /** For people whose address somebody else vouches for. */
  invitationsFor(email: string): Promise<readonly Invitation[]> {
    return this.#invitations.openFor(email.toLowerCase(), this.#clock());
  }

  /** Those of somebody's own address, which are all that anybody can accept. */
  acceptedBy(userId: string, email: string): Promise<readonly Invitation[]> {
    return this.#invitations.usedBy(userId, email.toLowerCase());
  }

  withdraw(accountId: string, id: string): Promise<boolean> {
    return this.#invitations.withdraw(accountId, id, this.#clock());
  }

  /**
   * What somebody may not send any more ends with the right to: its link may be in their own hands. So may one of
   * before to themselves, which would bring them back as what they are no more.
   */
  change(accountId: string, userId: string, form: MemberForm): Promise<ChangedMember> {
    return this.tables.atomically(async (tables) =>
      this.#changed(tables, await changeMember(tables, accountId, userId, form), accountId, userId),
    );
  }

  remove(accountId: string, userId: string): Promise<ChangedMember> {
    return this.tables.atomically(async (tables) =>
      this.#changed(tables, await removeMember(tables, accountId, userId), accountId, userId),
    );
  }

  async #changed(
    tables: Kysely<AccountsTables>,
    outcome: MemberChange,
    accountId: string,
    userId: string,
  ): Promise<ChangedMember> {
    if (outcome !== "done") return { outcome, withdrawn: [] };
    const sent = await this.#withdrawLostOf(tables, userId);
    const email = (await emailOf(tables, userId))?.toLowerCase() ?? "";
    const received = await withdrawSentTo(tables, email, accountId, this.#clock());
    return { outcome, withdrawn: [...sent, ...received] };
  }

  #withdrawLostOf(tables: Kysely<AccountsTables>, userId: string) {
    return withdrawLostOf(tables, userId, this.#clock());
  }

  /** Of everybody: one may have been sent while its sender lost the right to. Those that were taken back. */
  async withdrawLost(): Promise<readonly Invitation[]> {
    const withdrawn: Invitation[] = [];
    for (const userId of await sendersOfOpen(this.tables, this.#clock())) {
      const lost = this.tables.atomically((tables) => this.#withdrawLostOf(tables, userId));
      withdrawn.push(...(await lost));
    }
    return withdrawn;
  }

  /** The same for all of somebody who turned out not to be who they said. */
  withdrawAllOf(userId: string): Promise<void> {
    return withdrawSentBy(this.tables, userId, this.#clock());
  }

  /**
   * An invitation is used up and somebody a member, or neither. Others of the address to the account say what has come
   * to pass, and end with it.
   */
  accept(invitation: Invitation, userId: string): Promise<AcceptedInvitation> {
    const nowMs = this.#clock();
    const { accountId, email, role, operator } = invitation;
    return this.tables.atomically(async (tables) => {
      const isDone = await takeInvitation(tables, invitation.id, userId, nowMs);
      if (!isDone) return { isDone, withdrawn: [] };
      await addMember(tables, { accountId, userId, role, operator }, nowMs);
      const membership = await findMember(tables, accountId, userId);
      const withdrawn = await withdrawSentTo(tables, email, accountId, nowMs);
      return { isDone, membership, withdrawn };
    });
  }
}
