import type { Clock } from "../../lib/clock.ts";
import { dialectOver } from "../../lib/sql/dialect.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { AuditTable } from "./audit.ts";
import { InvitationsTable } from "./invitations.ts";
import { KeyMakersTable } from "./key-makers.ts";
import { MembersTable } from "./members.ts";
import { OperatorLinksTable, OperatorTokensTable } from "./operator-access.ts";
import { PendingSignUpsTable } from "./pending-sign-ups.ts";
import { PreferencesTable } from "./preferences.ts";
import { SignInGuardTable } from "./sign-in-guard.ts";
import { SignUpsTable } from "./sign-ups.ts";

/** Where people and their access are kept. */
export type PeopleStores = ReturnType<typeof peopleStores>;

/** Everything about people, in the console's tables. */
export function peopleStores(sql: Sql, clock: Clock) {
  return {
    members: new MembersTable(sql),
    invitations: new InvitationsTable(sql),
    guard: new SignInGuardTable(sql),
    pending: new PendingSignUpsTable(sql),
    signUps: new SignUpsTable(sql),
    keyMakers: new KeyMakersTable(sql),
    tokens: new OperatorTokensTable(sql),
    links: new OperatorLinksTable(sql),
    preferences: new PreferencesTable(sql),
    audit: new AuditTable(sql, clock),
    /** For the sign-in library's own tables. */
    dialect: dialectOver(sql),
  };
}
