import type { Kysely } from "kysely";
import type { Invitation } from "../people/person.ts";
import { openInvitations, withdrawInvitation } from "./invitations.ts";
import { findMember, isOperator } from "./members.ts";
import type { AccountsTables } from "./schema.ts";

/** Those that somebody answers for. A program of before has written only the address of a person who sent one. */
function openSentBy(
  tables: Kysely<AccountsTables>,
  userId: string,
  nowMs: number,
): Promise<readonly Invitation[]> {
  return openInvitations(
    tables,
    (eb) => {
      const email = eb
        .selectFrom("auth_user")
        .select("auth_user.email")
        .where("auth_user.id", "=", userId);
      const isNamed = eb.and([eb("sender_id", "is", null), eb("invited_by", "=", email)]);
      return eb.or([eb("sender_id", "=", userId), isNamed]);
    },
    nowMs,
  );
}

async function withdrawThose(
  tables: Kysely<AccountsTables>,
  invitations: readonly Invitation[],
  nowMs: number,
): Promise<readonly Invitation[]> {
  const withdrawn: Invitation[] = [];
  for (const invitation of invitations) {
    const { accountId, id } = invitation;
    if (await withdrawInvitation(tables, accountId, id, nowMs)) withdrawn.push(invitation);
  }
  return withdrawn;
}

/** Whether somebody may send such an invitation at this moment. */
async function maySend(
  tables: Kysely<AccountsTables>,
  userId: string,
  { accountId, operator }: Invitation,
): Promise<boolean> {
  if (await isOperator(tables, userId)) return true;
  return !operator && (await findMember(tables, accountId, userId))?.role === "owner";
}

/** Takes back what somebody has sent who may not send it any more. Those that were taken back. */
export async function withdrawLostOf(
  tables: Kysely<AccountsTables>,
  userId: string,
  nowMs: number,
): Promise<readonly Invitation[]> {
  const lost: Invitation[] = [];
  for (const invitation of await openSentBy(tables, userId, nowMs)) {
    if (!(await maySend(tables, userId, invitation))) lost.push(invitation);
  }
  return withdrawThose(tables, lost, nowMs);
}

/** Takes back all that somebody has sent. */
export async function withdrawSentBy(
  tables: Kysely<AccountsTables>,
  userId: string,
  nowMs: number,
): Promise<void> {
  await withdrawThose(tables, await openSentBy(tables, userId, nowMs), nowMs);
}

/** Takes back all that are open to one address in one account. Those that were taken back. */
export async function withdrawSentTo(
  tables: Kysely<AccountsTables>,
  email: string,
  accountId: string,
  nowMs: number,
): Promise<readonly Invitation[]> {
  const open = openInvitations(tables, (eb) => eb.and({ email, account_id: accountId }), nowMs);
  return withdrawThose(tables, await open, nowMs);
}

/** Everybody who has sent one that is open. */
export async function sendersOfOpen(
  tables: Kysely<AccountsTables>,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom("invitations")
    .leftJoin("auth_user", "auth_user.email", "invitations.invited_by")
    .select(({ fn }) => fn.coalesce("sender_id", "auth_user.id").as("sender"))
    .distinct()
    .where("ended_at", "is", null)
    .where("expires_at", ">", nowMs)
    .orderBy("sender")
    .execute();
  return rows.flatMap(({ sender }) => sender ?? []);
}
