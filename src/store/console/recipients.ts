import type { Sql } from "../../lib/sql/sql.ts";
import type { Recipient, Recipients } from "../../notices/facts.ts";

interface Row {
  readonly email: string;
  readonly language: string | null;
  readonly time_zone: string | null;
}

const PEOPLE_SQL = `select u.email, p.language, p.time_zone
  from members m join auth_user u on u.id = m.user_id
    left join preferences p on p.user_id = m.user_id`;

/** The people behind an account, from the tables of members, identities and preferences. */
export class RecipientsTable implements Recipients {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  owners(accountId: string): Promise<readonly Recipient[]> {
    const ofAccount = "where m.account_id = $1 and m.role = 'owner'";
    return this.#people(ofAccount, [accountId]);
  }

  operators(): Promise<readonly Recipient[]> {
    return this.#people("where m.operator = 1", []);
  }

  async #people(filter: string, params: readonly string[]): Promise<readonly Recipient[]> {
    const rows = await this.#sql.query<Row>(
      `${PEOPLE_SQL} ${filter} order by m.created_at, m.user_id`,
      params,
    );
    return rows.map(({ email, language, time_zone: timeZone }) => ({
      email,
      language: language ?? "en",
      timeZone,
    }));
  }
}
