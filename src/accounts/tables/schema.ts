import type { ColumnType } from "kysely";
import type { Flag } from "../../lib/sql/flag.ts";
import type { AuditRecord } from "../audit.ts";
import type { Invitation, Membership, OperatorToken, Preferences } from "../people/person.ts";

interface MembersTable extends Pick<Membership, "role"> {
  readonly account_id: string;
  readonly user_id: string;
  readonly operator: Flag;
  readonly created_at: number;
}

interface InvitationsTable extends Pick<Invitation, "id" | "email" | "role"> {
  readonly account_id: string;
  readonly operator: Flag;
  readonly hash: string;
  readonly invited_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  readonly user_id: string | null;
  readonly mailed: Flag;
}

interface TokensTable extends Pick<OperatorToken, "id" | "name"> {
  readonly hash: string;
  readonly last_four: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
  /** JSON; null for one that may everything. */
  readonly scopes: string | null;
  readonly owner_id: string | null;
  readonly expiry_noted: ColumnType<0 | 1, undefined, true>;
}

interface LinksTable {
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly used_at: number | null;
}

interface PreferencesTable extends Pick<Preferences, "language" | "theme"> {
  readonly user_id: string;
  readonly time_zone: string | null;
}

interface AuditTable extends Pick<AuditRecord, "id" | "actor" | "action" | "target"> {
  readonly created_at: number;
  readonly user_id: string | null;
  readonly account_id: string | null;
  /** JSON, as the changes are. */
  readonly detail: string;
  readonly changes: string | null;
  readonly subject: string;
}

interface PendingTable {
  readonly hash: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly expires_at: number;
}

interface AttemptsTable {
  readonly name: string;
  readonly failures: number;
  readonly last_at: number;
  readonly free_at: number;
}

interface UsersTable {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: Flag | null;
}

interface OfUser {
  readonly userId: string;
}

/** What this room asks of the sign-in library's tables, which are written by the library. */
interface SignInTables {
  readonly auth_user: UsersTable;
  readonly auth_session: OfUser;
  readonly auth_account: OfUser & { readonly providerId: string };
  readonly auth_verification: { readonly value: string };
  readonly auth_two_factor: OfUser;
  readonly auth_passkey: OfUser;
}

export interface AccountsTables extends SignInTables {
  readonly members: MembersTable;
  readonly invitations: InvitationsTable;
  readonly invitation_links: { readonly invitation_id: string; readonly sealed_token: string };
  readonly operator_tokens: TokensTable;
  readonly operator_links: LinksTable;
  readonly preferences: PreferencesTable;
  readonly audit: AuditTable;
  readonly sign_ups: {
    readonly user_id: string;
    readonly account_id: string;
    readonly created_at: number;
  };
  readonly key_makers: { readonly key_id: string; readonly user_id: string };
  readonly sign_in_attempts: AttemptsTable;
  readonly totp_steps: {
    readonly user_id: string;
    readonly factor: string;
    readonly step: number;
  };
  readonly pending_sign_ups: PendingTable;
}
