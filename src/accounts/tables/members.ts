import type { Kysely } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { Member, MemberChange, Membership, PersonName } from "../people/person.ts";
import { type AccountsTables, MEMBERSHIP } from "./schema.ts";

/** What of a membership is to be another. */
export type MemberForm = { readonly [Name in "role" | "operator"]?: Membership[Name] | undefined };

function selectMembers(tables: Kysely<AccountsTables>) {
  return tables.selectFrom("members").select(MEMBERSHIP.columns);
}

/** One person in one account. */
function one(account_id: string, user_id: string) {
  return { account_id, user_id };
}

export async function findMember(
  tables: Kysely<AccountsTables>,
  accountId: string,
  userId: string,
): Promise<Membership | undefined> {
  const row = await selectMembers(tables)
    .where((eb) => eb.and(one(accountId, userId)))
    .executeTakeFirst();
  return row && MEMBERSHIP.read(row);
}

async function has(
  tables: Kysely<AccountsTables>,
  what: Partial<ReturnType<typeof one>> & ({ readonly role: "owner" } | { readonly operator: 1 }),
  except = "",
): Promise<boolean> {
  const found = selectMembers(tables)
    .where((eb) => eb.and(what))
    .where("user_id", "<>", except);
  return (await found.limit(1).execute()).length > 0;
}

/** The address that somebody signs in with. */
export async function emailOf(
  tables: Kysely<AccountsTables>,
  userId: string,
): Promise<string | undefined> {
  const users = tables.selectFrom("auth_user").select("email");
  return (await users.where("id", "=", userId).executeTakeFirst())?.email;
}

export function isOperator(tables: Kysely<AccountsTables>, userId: string): Promise<boolean> {
  return has(tables, { user_id: userId, operator: 1 });
}

/** In a transaction, or two owners could each remove the other. */
async function checked(
  tables: Kysely<AccountsTables>,
  accountId: string,
  userId: string,
  form: MemberForm,
): Promise<Membership | Exclude<MemberChange, "done">> {
  const member = await findMember(tables, accountId, userId);
  if (!member) return "missing";
  const others = (what: { readonly role: "owner" } | { readonly operator: 1 }) =>
    has(tables, { account_id: accountId, ...what }, userId);
  const losesOwner = member.role === "owner" && (form.role ?? "owner") !== "owner";
  if (losesOwner && !(await others({ role: "owner" }))) return "last_owner";
  const losesOperator = member.operator && form.operator === false;
  if (losesOperator && !(await others({ operator: 1 }))) return "last_operator";
  return member;
}

/** In a transaction. */
export async function changeMember(
  tables: Kysely<AccountsTables>,
  accountId: string,
  userId: string,
  form: MemberForm,
): Promise<MemberChange> {
  const member = await checked(tables, accountId, userId, form);
  if (typeof member === "string") return member;
  const { role = member.role, operator = member.operator } = form;
  const found = tables.updateTable("members").where((eb) => eb.and(one(accountId, userId)));
  await found.set({ role, operator }).execute();
  return "done";
}

/** In a transaction. */
export async function removeMember(
  tables: Kysely<AccountsTables>,
  accountId: string,
  userId: string,
): Promise<MemberChange> {
  const member = await checked(tables, accountId, userId, { role: "viewer", operator: false });
  if (typeof member === "string") return member;
  await tables
    .deleteFrom("members")
    .where((eb) => eb.and(one(accountId, userId)))
    .execute();
  return "done";
}

/** A person who is a member already stays what they are. */
export async function addMember(
  tables: Kysely<AccountsTables>,
  member: Membership,
  nowMs: number,
): Promise<void> {
  await tables
    .insertInto("members")
    .values({ ...MEMBERSHIP.cells(member), created_at: nowMs })
    .onConflict((conflict) => conflict.columns(["account_id", "user_id"]).doNothing())
    .execute();
}

export class MembersTable extends Rows<AccountsTables> {
  add(member: Membership, nowMs: number): Promise<void> {
    return addMember(this.tables, member, nowMs);
  }

  find(accountId: string, userId: string): Promise<Membership | undefined> {
    return findMember(this.tables, accountId, userId);
  }

  async ofUser(userId: string): Promise<readonly Membership[]> {
    const rows = await selectMembers(this.tables)
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .orderBy("account_id")
      .execute();
    return rows.map(MEMBERSHIP.read);
  }

  async ofAccount(accountId: string): Promise<readonly Member[]> {
    const rows = await selectMembers(this.tables)
      .innerJoin("auth_user", "auth_user.id", "members.user_id")
      .select(["name", "email", "twoFactorEnabled as twoFactor", "created_at as createdAtMs"])
      .where("account_id", "=", accountId)
      .orderBy("created_at")
      .orderBy("user_id")
      .execute();
    return rows.map(({ twoFactor, ...row }) => {
      const { name, email, createdAtMs } = row;
      return { ...MEMBERSHIP.read(row), name, email, createdAtMs, twoFactor: twoFactor === 1 };
    });
  }

  isOperator(userId: string): Promise<boolean> {
    return isOperator(this.tables, userId);
  }

  /** False on an installation that nobody has signed in to yet. */
  anyOperator(): Promise<boolean> {
    return has(this.tables, { operator: 1 });
  }

  emailOf(userId: string): Promise<string | undefined> {
    return emailOf(this.tables, userId);
  }

  /** Of those that there are, by their ids. */
  async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonName>> {
    if (userIds.length === 0) return new Map();
    const users = this.tables.selectFrom("auth_user").select(["id", "name", "email"]);
    const rows = await users.where("id", "in", userIds).execute();
    return new Map(rows.map(({ id, name, email }) => [id, { name, email }]));
  }

  /** Also as the last owner: whoever never was who they said has none to hand an account to. */
  async leaveAll(userId: string): Promise<void> {
    await this.tables.deleteFrom("members").where("user_id", "=", userId).execute();
  }
}
