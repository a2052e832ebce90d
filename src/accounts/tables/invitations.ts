import { Rows } from "../../lib/sql/tables.ts";
import type { Invitation, NewInvitation } from "../people/person.ts";
import type { AccountsTables } from "./schema.ts";

export class InvitationsTable extends Rows<AccountsTables> {
  async add({ sealedToken, ...invitation }: NewInvitation): Promise<void> {
    const { id, email, role, hash } = invitation;
    await this.tables.atomically(async (tables) => {
      await tables
        .insertInto("invitations")
        .values({
          ...{ id, email, role, hash },
          account_id: invitation.accountId,
          operator: invitation.operator,
          invited_by: invitation.invitedBy,
          created_at: invitation.createdAtMs,
          expires_at: invitation.expiresAtMs,
          mailed: invitation.mailed,
        })
        .execute();
      const link = { invitation_id: id, sealed_token: sealedToken };
      await tables.insertInto("invitation_links").values(link).execute();
    });
  }

  /** The sealed token of an open one; absent where it was made before these were kept. */
  async sealedToken(id: string): Promise<string | undefined> {
    const links = this.tables.selectFrom("invitation_links").select("sealed_token");
    return (await links.where("invitation_id", "=", id).executeTakeFirst())?.sealed_token;
  }

  /** A link that opens nothing any more is not kept. */
  async #forgetLink(id: string): Promise<void> {
    await this.tables.deleteFrom("invitation_links").where("invitation_id", "=", id).execute();
  }

  async #open(
    by: "hash" | "account_id" | "email",
    value: string,
    nowMs: number,
  ): Promise<readonly Invitation[]> {
    const rows = await this.tables
      .selectFrom("invitations")
      .select(["id", "account_id as accountId", "email", "role", "operator", "mailed"])
      .select(["invited_by as invitedBy", "created_at as createdAtMs", "expires_at as expiresAtMs"])
      .where(by, "=", value)
      .where("ended_at", "is", null)
      .where("expires_at", ">", nowMs)
      .orderBy("id")
      .execute();
    return rows.map((row) => ({ ...row, operator: row.operator === 1, mailed: row.mailed === 1 }));
  }

  /** Only one that is open: neither used, nor taken back, nor expired. */
  async find(hash: string, nowMs: number): Promise<Invitation | undefined> {
    return (await this.#open("hash", hash, nowMs))[0];
  }

  openOf(accountId: string, nowMs: number): Promise<readonly Invitation[]> {
    return this.#open("account_id", accountId, nowMs);
  }

  openFor(email: string, nowMs: number): Promise<readonly Invitation[]> {
    return this.#open("email", email, nowMs);
  }

  /** False when it was not open any more. */
  async use(id: string, userId: string, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.tables
      .updateTable("invitations")
      .set({ ended_at: nowMs, user_id: userId })
      .where((eb) => eb.and({ id, ended_at: null }))
      .where("expires_at", ">", nowMs)
      .executeTakeFirst();
    await this.#forgetLink(id);
    return numUpdatedRows > 0n;
  }

  /** Its link did not go to its address, and is to be shown. */
  async noteUnmailed(id: string): Promise<void> {
    const invitation = this.tables.updateTable("invitations").where("id", "=", id);
    await invitation.set({ mailed: false }).execute();
  }

  /** False when the account has no such open invitation. */
  async withdraw(accountId: string, id: string, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.tables
      .updateTable("invitations")
      .set({ ended_at: nowMs })
      .where((eb) => eb.and({ id, account_id: accountId, ended_at: null }))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await this.#forgetLink(id);
    return numUpdatedRows > 0n;
  }
}
