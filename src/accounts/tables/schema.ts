import type { ColumnType } from "kysely";
import type { Flag } from "../../lib/sql/flag.ts";
import { asNamed, type ColumnsOf, flag, json, keptAs, plain } from "../../lib/sql/kept.ts";
import type { AuditRecord } from "../audit.ts";
import type { Invitation, Membership, OperatorToken, Preferences } from "../people/person.ts";

export const MEMBERSHIP = keptAs<Membership>()({
  role: plain("role"),
  accountId: plain("account_id"),
  userId: plain("user_id"),
  operator: flag("operator"),
});

export const INVITATION = keptAs<Invitation>()({
  ...asNamed("id", "email", "role"),
  accountId: plain("account_id"),
  operator: flag("operator"),
  invitedBy: plain("invited_by"),
  senderId: plain("sender_id"),
  createdAtMs: plain("created_at"),
  expiresAtMs: plain("expires_at"),
  mailed: flag("mailed"),
});

interface InvitationsTable extends ColumnsOf<typeof INVITATION> {
  readonly hash: string;
  readonly ended_at: number | null;
  readonly user_id: string | null;
}

/** Without scopes it may everything. */
type KeptToken = Omit<OperatorToken, "scopes"> & { scopes: OperatorToken["scopes"] | null };

export const TOKEN = keptAs<KeptToken>()({
  ...asNamed("id", "name"),
  lastFour: plain("last_four"),
  createdBy: plain("created_by"),
  createdAtMs: plain("created_at"),
  lastUsedAtMs: plain("last_used_at"),
  expiresAtMs: plain("expires_at"),
  scopes: json("scopes"),
  ownerId: plain("owner_id"),
});

interface TokensTable extends ColumnsOf<typeof TOKEN> {
  readonly hash: string;
  readonly revoked_at: number | null;
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
  readonly emailVerified: Flag;
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
  readonly auth_two_factor: OfUser & {
    readonly verified: Flag | null;
    readonly failedVerificationCount: number | null;
    /** In the form of ISO 8601. */
    readonly lockedUntil: string | null;
  };
  readonly auth_passkey: OfUser;
}

export interface AccountsTables extends SignInTables {
  readonly members: ColumnsOf<typeof MEMBERSHIP> & { readonly created_at: number };
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
  /** Who signs up and has no place yet, with the account that they open unless somebody else's lets them in. */
  readonly unplaced_people: {
    readonly user_id: string;
    readonly account_id: string;
    readonly created_at: number;
  };
  readonly key_makers: { readonly key_id: string; readonly user_id: string };
  readonly secret_makers: {
    readonly hash: string;
    readonly key_id: string;
    readonly user_id: string;
  };
  readonly sign_in_attempts: AttemptsTable;
  readonly totp_steps: {
    readonly user_id: string;
    readonly factor: string;
    readonly step: number;
  };
  readonly pending_sign_ups: PendingTable;
}
