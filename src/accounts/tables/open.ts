import type { Clock } from "../../lib/clock.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { AuditTable } from "./audit.ts";
import { KeyMakersTable } from "./key-makers.ts";
import { MembersTable } from "./members.ts";
import { OperatorLinksTable, OperatorTokensTable } from "./operator-access.ts";
import { PendingSignUpsTable } from "./pending-sign-ups.ts";
import { PreferencesTable } from "./preferences.ts";
import { SecretMakersTable } from "./secret-makers.ts";
import { SignInTriesTable } from "./sign-in-tries.ts";
import { SignUpsTable } from "./sign-ups.ts";
import { TryWindowsTable } from "./try-windows.ts";
import { UnplacedPeopleTable } from "./unplaced-people.ts";

/** Where people and their access are kept. */
export type PeopleStores = ReturnType<typeof peopleStores>;

/** Everything about people, in the console's tables. */
export function peopleStores(sql: Sql, clock: Clock) {
  return {
    members: new MembersTable(sql),
    signInTries: new SignInTriesTable(sql),
    tries: new TryWindowsTable(sql),
    pending: new PendingSignUpsTable(sql),
    signUps: new SignUpsTable(sql),
    unplaced: new UnplacedPeopleTable(sql),
    keyMakers: new KeyMakersTable(sql),
    secretMakers: new SecretMakersTable(sql),
    tokens: new OperatorTokensTable(sql),
    links: new OperatorLinksTable(sql),
    preferences: new PreferencesTable(sql),
    audit: new AuditTable(sql, clock),
    sql,
  };
}
