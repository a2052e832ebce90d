import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** Somebody who has signed up and has no place yet. */
interface Unplaced {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
}

/** People on their way in, from before their identity is there until they have a place. */
export class UnplacedPeopleTable extends Rows<AccountsTables> {
  async add(userId: string, accountId: string, nowMs: number): Promise<void> {
    await this.tables
      .insertInto("unplaced_people")
      .values({ user_id: userId, account_id: accountId, created_at: nowMs })
      .execute();
  }

  /** The account that this person is to open; undefined where they have a place, or never were on their way to one. */
  async accountFor(userId: string): Promise<string | undefined> {
    const unplaced = this.tables.selectFrom("unplaced_people").select("account_id");
    return (await unplaced.where("user_id", "=", userId).executeTakeFirst())?.account_id;
  }

  async find(userId: string): Promise<Unplaced | undefined> {
    const row = await this.tables
      .selectFrom("unplaced_people")
      .innerJoin("auth_user", "auth_user.id", "unplaced_people.user_id")
      .select(["auth_user.id", "email", "name", "emailVerified"])
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row && { ...row, emailVerified: row.emailVerified === 1 };
  }

  async remove(userId: string): Promise<void> {
    await this.tables.deleteFrom("unplaced_people").where("user_id", "=", userId).execute();
  }
}
