import type { Role } from "../../accounts/guards.ts";
import type { Member, MemberChange, Membership, PersonName } from "../../accounts/people/person.ts";
import type { MembersStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

interface Row {
  readonly account_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly operator: number;
}

interface PersonRow extends Row {
  readonly created_at: number;
  readonly name: string;
  readonly email: string;
  readonly two_factor: number | null;
}

function readMembership(row: Row): Membership {
  return {
    accountId: row.account_id,
    userId: row.user_id,
    role: row.role,
    operator: row.operator === 1,
  };
}

function readMember(row: PersonRow): Member {
  return {
    ...readMembership(row),
    name: row.name,
    email: row.email,
    twoFactor: row.two_factor === 1,
    createdAtMs: row.created_at,
  };
}

type Wish = Parameters<MembersStore["change"]>[2];

const FIND_SQL = "select * from members where account_id = $1 and user_id = $2";

export class MembersTable implements MembersStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add({ accountId, userId, role, operator }: Membership, nowMs: number): Promise<void> {
    await this.#sql.query(
      `insert into members (account_id, user_id, role, operator, created_at)
       values ($1, $2, $3, $4, $5) on conflict (account_id, user_id) do nothing`,
      [accountId, userId, role, operator ? 1 : 0, nowMs],
    );
  }

  async find(accountId: string, userId: string): Promise<Membership | undefined> {
    const [row] = await this.#sql.query<Row>(FIND_SQL, [accountId, userId]);
    return row && readMembership(row);
  }

  async ofUser(userId: string): Promise<readonly Membership[]> {
    const rows = await this.#sql.query<Row>(
      "select * from members where user_id = $1 order by created_at, account_id",
      [userId],
    );
    return rows.map(readMembership);
  }

  async ofAccount(accountId: string): Promise<readonly Member[]> {
    const rows = await this.#sql.query<PersonRow>(
      `select m.*, u.name, u.email, u."twoFactorEnabled" as two_factor
       from members m join auth_user u on u.id = m.user_id
       where m.account_id = $1 order by m.created_at, m.user_id`,
      [accountId],
    );
    return rows.map(readMember);
  }

  async isOperator(userId: string): Promise<boolean> {
    const rows = await this.#sql.query(
      "select user_id from members where user_id = $1 and operator = 1 limit 1",
      [userId],
    );
    return rows.length > 0;
  }

  async anyOperator(): Promise<boolean> {
    const rows = await this.#sql.query("select user_id from members where operator = 1 limit 1");
    return rows.length > 0;
  }

  async emailOf(userId: string): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ email: string }>(
      "select email from auth_user where id = $1",
      [userId],
    );
    return row?.email;
  }

  async namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonName>> {
    if (userIds.length === 0) return new Map();
    const places = userIds.map((_, index) => `$${index + 1}`).join(", ");
    const rows = await this.#sql.query<PersonName & { readonly id: string }>(
      `select id, name, email from auth_user where id in (${places})`,
      userIds,
    );
    return new Map(rows.map(({ id, name, email }) => [id, { name, email }]));
  }

  change(accountId: string, userId: string, wish: Wish): Promise<MemberChange> {
    return this.#guarded(accountId, userId, wish, async (sql, member) => {
      const role = wish.role ?? member.role;
      const operator = wish.operator ?? member.operator;
      await sql.query(
        "update members set role = $1, operator = $2 where account_id = $3 and user_id = $4",
        [role, operator ? 1 : 0, accountId, userId],
      );
    });
  }

  remove(accountId: string, userId: string): Promise<MemberChange> {
    const leaving: Wish = { role: "viewer", operator: false };
    return this.#guarded(accountId, userId, leaving, async (sql) => {
      await sql.query("delete from members where account_id = $1 and user_id = $2", [
        accountId,
        userId,
      ]);
    });
  }

  async removeAll(userId: string): Promise<void> {
    await this.#sql.query("delete from members where user_id = $1", [userId]);
  }

  /** In one transaction, or two owners could each remove the other. */
  #guarded(
    accountId: string,
    userId: string,
    wish: Wish,
    act: (sql: Sql, member: Membership) => Promise<void>,
  ): Promise<MemberChange> {
    return this.#sql.transaction(async (sql) => {
      const [row] = await sql.query<Row>(FIND_SQL, [accountId, userId]);
      if (!row) return "missing";
      const others = async (condition: string) => {
        const found = await sql.query(
          `select user_id from members where account_id = $1 and user_id <> $2 and ${condition}
           limit 1`,
          [accountId, userId],
        );
        return found.length > 0;
      };
      const member = readMembership(row);
      const losesOwner = member.role === "owner" && (wish.role ?? "owner") !== "owner";
      if (losesOwner && !(await others("role = 'owner'"))) return "last_owner";
      const losesOperator = member.operator && wish.operator === false;
      if (losesOperator && !(await others("operator = 1"))) return "last_operator";
      await act(sql, member);
      return "done";
    });
  }
}
