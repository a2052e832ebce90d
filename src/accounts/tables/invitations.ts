import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { Invitation, NewInvitation } from "../people/person.ts";
import { type AccountsTables, INVITATION } from "./schema.ts";

/** A link that opens nothing any more is not kept. */
async function forgetLink(tables: Kysely<AccountsTables>, id: string): Promise<void> {
  await tables.deleteFrom("invitation_links").where("invitation_id", "=", id).execute();
}

/** Those of some that are open: neither used, nor taken back, nor expired. */
export async function openInvitations(
  tables: Kysely<AccountsTables>,
  which: (eb: ExpressionBuilder<AccountsTables, "invitations">) => Expression<SqlBool>,
  nowMs: number,
): Promise<readonly Invitation[]> {
  const rows = await tables
    .selectFrom("invitations")
    .select(INVITATION.columns)
    .where(which)
    .where("ended_at", "is", null)
    .where("expires_at", ">", nowMs)
    .orderBy("id")
    .execute();
  return rows.map(INVITATION.read);
}

/** False when the account has no such open invitation. */
export async function withdrawInvitation(
  tables: Kysely<AccountsTables>,
  accountId: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tables
    .updateTable("invitations")
    .set({ ended_at: nowMs })
    .where((eb) => eb.and({ id, account_id: accountId, ended_at: null }))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await forgetLink(tables, id);
  return numUpdatedRows > 0n;
}

/** False when it was not open any more. */
export async function takeInvitation(
  tables: Kysely<AccountsTables>,
  id: string,
  userId: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tables
    .updateTable("invitations")
    .set({ ended_at: nowMs, user_id: userId })
    .where((eb) => eb.and({ id, ended_at: null }))
    .where("expires_at", ">", nowMs)
    .executeTakeFirst();
  await forgetLink(tables, id);
  return numUpdatedRows > 0n;
}

export class InvitationsTable extends Rows<AccountsTables> {
  async add({ sealedToken, ...invitation }: NewInvitation): Promise<void> {
    const { id, hash } = invitation;
    await this.tables.atomically(async (tables) => {
      const cells = { ...INVITATION.cells(invitation), hash };
      await tables.insertInto("invitations").values(cells).execute();
      const link = { invitation_id: id, sealed_token: sealedToken };
      await tables.insertInto("invitation_links").values(link).execute();
    });
  }

  /** The sealed token of an open one; absent where it was made before these were kept. */
  async sealedToken(id: string): Promise<string | undefined> {
    const links = this.tables.selectFrom("invitation_links").select("sealed_token");
    return (await links.where("invitation_id", "=", id).executeTakeFirst())?.sealed_token;
  }

  async find(hash: string, nowMs: number): Promise<Invitation | undefined> {
    return (await openInvitations(this.tables, (eb) => eb("hash", "=", hash), nowMs))[0];
  }

  openOf(accountId: string, nowMs: number): Promise<readonly Invitation[]> {
    return openInvitations(this.tables, (eb) => eb("account_id", "=", accountId), nowMs);
  }

  openFor(email: string, nowMs: number): Promise<readonly Invitation[]> {
    return openInvitations(this.tables, (eb) => eb("email", "=", email), nowMs);
  }

  /** Those of an address that one person has used. */
  async usedBy(userId: string, email: string): Promise<readonly Invitation[]> {
    const rows = await this.tables
      .selectFrom("invitations")
      .select(INVITATION.columns)
      .where((eb) => eb.and({ email, user_id: userId }))
      .orderBy("id")
      .execute();
    return rows.map(INVITATION.read);
  }

  /** Its link did not go to its address, and is to be shown. */
  async noteUnmailed(id: string): Promise<void> {
    const invitation = this.tables.updateTable("invitations").where("id", "=", id);
    await invitation.set({ mailed: false }).execute();
  }

  withdraw(accountId: string, id: string, nowMs: number): Promise<boolean> {
    return withdrawInvitation(this.tables, accountId, id, nowMs);
  }
}
