import type { Kysely } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { Member, MemberChange, Membership, PersonName } from "../people/person.ts";
import { type AccountsTables, MEMBERSHIP } from "./schema.ts";

/** What of a membership is to be another. */
type Wish = { readonly [Name in "role" | "operator"]?: Membership[Name] | undefined };

function selectMembers(tables: Kysely<AccountsTables>) {
  return tables.selectFrom("members").select(MEMBERSHIP.columns);
}

/** One person in one account. */
function one(account_id: string, user_id: string) {
  return { account_id, user_id };
}

async function findMember(
  tables: Kysely<AccountsTables>,
  accountId: string,
  userId: string,
): Promise<Membership | undefined> {
  const row = await selectMembers(tables)
    .where((eb) => eb.and(one(accountId, userId)))
    .executeTakeFirst();
  return row && MEMBERSHIP.read(row);
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

  async #has(what: { readonly user_id?: string; readonly operator: 1 }): Promise<boolean> {
    const found = selectMembers(this.tables).where((eb) => eb.and(what));
    return (await found.limit(1).execute()).length > 0;
  }

  isOperator(userId: string): Promise<boolean> {
    return this.#has({ user_id: userId, operator: 1 });
  }

  /** False on an installation that nobody has signed in to yet. */
  anyOperator(): Promise<boolean> {
    return this.#has({ operator: 1 });
  }

  /** The address that somebody signs in with. */
  async emailOf(userId: string): Promise<string | undefined> {
    const users = this.tables.selectFrom("auth_user").select("email");
    return (await users.where("id", "=", userId).executeTakeFirst())?.email;
  }

  /** Of those that there are, by their ids. */
  async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonName>> {
    if (userIds.length === 0) return new Map();
    const users = this.tables.selectFrom("auth_user").select(["id", "name", "email"]);
    const rows = await users.where("id", "in", userIds).execute();
    return new Map(rows.map(({ id, name, email }) => [id, { name, email }]));
  }

  change(accountId: string, userId: string, wish: Wish): Promise<MemberChange> {
    return this.#guarded(accountId, userId, wish, async (tables, member) => {
      const role = wish.role ?? member.role;
      const operator = wish.operator ?? member.operator;
      await tables
        .updateTable("members")
        .set({ role, operator })
        .where((eb) => eb.and(one(accountId, userId)))
        .execute();
    });
  }

  remove(accountId: string, userId: string): Promise<MemberChange> {
    const leaving: Wish = { role: "viewer", operator: false };
    return this.#guarded(accountId, userId, leaving, async (tables) => {
      await tables
        .deleteFrom("members")
        .where((eb) => eb.and(one(accountId, userId)))
        .execute();
    });
  }

  /** Also as the last owner: whoever never was who they said has none to hand an account to. */
  async leaveAll(userId: string): Promise<void> {
    await this.tables.deleteFrom("members").where("user_id", "=", userId).execute();
  }

  /** In one transaction, or two owners could each remove the other. */
  #guarded(
    accountId: string,
    userId: string,
    wish: Wish,
    act: (tables: Kysely<AccountsTables>, member: Membership) => Promise<void>,
  ): Promise<MemberChange> {
    return this.tables.atomically(async (tables) => {
      const member = await findMember(tables, accountId, userId);
      if (!member) return "missing";
      const others = async (what: { readonly role: "owner" } | { readonly operator: 1 }) => {
        const found = await selectMembers(tables)
          .where((eb) => eb.and({ account_id: accountId, ...what }))
          .where("user_id", "<>", userId)
          .limit(1)
          .execute();
        return found.length > 0;
      };
      const losesOwner = member.role === "owner" && (wish.role ?? "owner") !== "owner";
      if (losesOwner && !(await others({ role: "owner" }))) return "last_owner";
      const losesOperator = member.operator && wish.operator === false;
      if (losesOperator && !(await others({ operator: 1 }))) return "last_operator";
      await act(tables, member);
      return "done";
    });
  }
}
