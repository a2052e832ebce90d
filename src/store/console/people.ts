import type { PeopleStores } from "../../accounts/people/people.ts";
import type { Clock } from "../../lib/clock.ts";
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

/** Everything about people, in the console's tables. */
export function peopleStores(sql: Sql, clock: Clock): PeopleStores {
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
    dialect: async () => (await import("../../lib/sql/dialect.ts")).dialectOver(sql),
  };
}
