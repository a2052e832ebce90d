import type { Role } from "../../accounts/guards.ts";
import type { Invitation, NewInvitation } from "../../accounts/people/person.ts";
import type { InvitationsStore } from "../../accounts/store.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly role: Role;
  readonly operator: number;
  readonly invited_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly mailed: number;
}

function readInvitation(row: Row): Invitation {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    operator: row.operator === 1,
    invitedBy: row.invited_by,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    mailed: row.mailed === 1,
  };
}

export class InvitationsTable implements InvitationsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(invitation: NewInvitation): Promise<void> {
    const { id, sealedToken } = invitation;
    await this.#sql.transaction(async (sql) => {
      await sql.query(
        `insert into invitations
           (id, account_id, email, role, operator, hash, invited_by, created_at, expires_at, mailed)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          id,
          invitation.accountId,
          invitation.email,
          invitation.role,
          invitation.operator ? 1 : 0,
          invitation.hash,
          invitation.invitedBy,
          invitation.createdAtMs,
          invitation.expiresAtMs,
          invitation.mailed ? 1 : 0,
        ],
      );
      await sql.query(
        "insert into invitation_links (invitation_id, sealed_token) values ($1, $2)",
        [id, sealedToken],
      );
    });
  }

  async sealedToken(id: string): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ sealed_token: string }>(
      "select sealed_token from invitation_links where invitation_id = $1",
      [id],
    );
    return row?.sealed_token;
  }

  /** A link that opens nothing any more is not kept. */
  async #forgetLink(id: string): Promise<void> {
    await this.#sql.query("delete from invitation_links where invitation_id = $1", [id]);
  }

  async #open(condition: string, params: readonly SqlValue[]): Promise<readonly Invitation[]> {
    const rows = await this.#sql.query<Row>(
      `select * from invitations where ${condition} and ended_at is null and expires_at > $2
       order by id`,
      params,
    );
    return rows.map(readInvitation);
  }

  async find(hash: string, nowMs: number): Promise<Invitation | undefined> {
    return (await this.#open("hash = $1", [hash, nowMs]))[0];
  }

  openOf(accountId: string, nowMs: number): Promise<readonly Invitation[]> {
    return this.#open("account_id = $1", [accountId, nowMs]);
  }

  openFor(email: string, nowMs: number): Promise<readonly Invitation[]> {
    return this.#open("email = $1", [email, nowMs]);
  }

  async use(id: string, userId: string, nowMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update invitations set ended_at = $1, user_id = $2
       where id = $3 and ended_at is null and expires_at > $1 returning id`,
      [nowMs, userId, id],
    );
    await this.#forgetLink(id);
    return rows.length > 0;
  }

  async noteUnmailed(id: string): Promise<void> {
    await this.#sql.query("update invitations set mailed = 0 where id = $1", [id]);
  }

  async withdraw(accountId: string, id: string, nowMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update invitations set ended_at = $1
       where id = $2 and account_id = $3 and ended_at is null returning id`,
      [nowMs, id, accountId],
    );
    if (rows.length > 0) await this.#forgetLink(id);
    return rows.length > 0;
  }
}
