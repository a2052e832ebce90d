import type { RoomTables } from "../../lib/sql/sql.ts";

/**
 * The tables of the sign-in library, in its own spelling. Flags are 0 and 1 and times are ISO texts
 * on both engines, so that one form of its queries serves both. It asks for all columns that there are, so
 * that no version of these tables goes unnoticed by a program that runs. Into `auth_rate_limit` only programs of before
 * write: calls are counted where other tries are.
 */
export const SIGN_IN_TABLES: RoomTables = {
  room: "sign-in",
  least: 1,
  versions: [
    `create table auth_user (
       id text primary key,
       name text not null,
       email text not null unique,
       "emailVerified" integer not null,
       image text,
       "createdAt" text not null,
       "updatedAt" text not null,
       "twoFactorEnabled" integer
     );
     create table auth_session (
       id text primary key,
       "expiresAt" text not null,
       token text not null unique,
       "createdAt" text not null,
       "updatedAt" text not null,
       "ipAddress" text,
       "userAgent" text,
       "userId" text not null references auth_user (id) on delete cascade
     );
     create index auth_session_by_user on auth_session ("userId");
     create table auth_account (
       id text primary key,
       "accountId" text not null,
       "providerId" text not null,
       "userId" text not null references auth_user (id) on delete cascade,
       "accessToken" text,
       "refreshToken" text,
       "idToken" text,
       "accessTokenExpiresAt" text,
       "refreshTokenExpiresAt" text,
       scope text,
       password text,
       "createdAt" text not null,
       "updatedAt" text not null
     );
     create index auth_account_by_user on auth_account ("userId");
     create unique index auth_account_by_provider on auth_account ("providerId", "accountId");
     create table auth_verification (
       id text primary key,
       identifier text not null,
       value text not null,
       "expiresAt" text not null,
       "createdAt" text not null,
       "updatedAt" text not null
     );
     create index auth_verification_by_identifier on auth_verification (identifier);
     create table auth_two_factor (
       id text primary key,
       secret text not null,
       "backupCodes" text not null,
       "userId" text not null references auth_user (id) on delete cascade,
       verified integer,
       "failedVerificationCount" integer,
       "lockedUntil" text
     );
     create index auth_two_factor_by_user on auth_two_factor ("userId");
     create table auth_passkey (
       id text primary key,
       name text,
       "publicKey" text not null,
       "userId" text not null references auth_user (id) on delete cascade,
       "credentialID" text not null unique,
       counter bigint not null,
       "deviceType" text not null,
       "backedUp" integer not null,
       transports text,
       "createdAt" text,
       aaguid text
     );
     create index auth_passkey_by_user on auth_passkey ("userId");
     create table auth_rate_limit (
       id text primary key,
       key text not null unique,
       count integer not null,
       "lastRequest" bigint not null
     );`,
  ],
};
