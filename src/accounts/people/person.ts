import type { Person } from "../contract/me.ts";
import type { Role } from "../guards.ts";

/** A person in an account. */
export interface Membership {
  readonly accountId: string;
  readonly userId: string;
  readonly role: Role;
  /** Runs the installation; only members of the operator's account may. */
  readonly operator: boolean;
}

export interface Member extends Membership {
  readonly name: string;
  readonly email: string;
  readonly twoFactor: boolean;
  readonly createdAtMs: number;
}

/** What somebody is called, and signs in with. */
export interface PersonName {
  readonly name: string;
  readonly email: string;
}

export interface Invitation {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
  readonly operator: boolean;
  /** Who sent it, in words: a person's address, or the name of a token. */
  readonly invitedBy: string;
  /** The person who answers for it, and with whose right it ends; null where nobody does, or a program of before wrote it. */
  readonly senderId: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Its link was mailed and shown to nobody: whoever has it reads the mail of the address. */
  readonly mailed: boolean;
}

export interface NewInvitation extends Invitation {
  /** What the token in the link is found by. */
  readonly hash: string;
  /** The token itself, sealed: whoever invited may want the link again. */
  readonly sealedToken: string;
}

/** What a token may do: look, change things, and change what money there is. */
export const TOKEN_SCOPES = ["read", "write", "money"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export interface OperatorToken {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  /** Null for one that stays good until it is revoked. */
  readonly expiresAtMs: number | null;
  readonly scopes: readonly TokenScope[];
  /** The operator whose it is, and with whom it ends; null for tokens of before. */
  readonly ownerId: string | null;
}

/** How a person wants the console to look. Null: as the browser says. */
export interface Preferences {
  readonly language: Person["language"];
  readonly theme: Person["theme"];
  readonly timeZone: string | null;
}

/** What became of a change to a member. An account is never left without its last owner. */
export type MemberChange = "done" | "missing" | "last_owner" | "last_operator";

export interface ChangedMember {
  readonly outcome: MemberChange;
  /** Invitations that ended with it: those that they may not send any more, and those to them. */
  readonly withdrawn: readonly Invitation[];
}

/** What became of an invitation that somebody accepts. */
export interface AcceptedInvitation {
  /** False when it was not open any more. */
  readonly isDone: boolean;
  /** What they are by it: who was a member already stays what they are. */
  readonly membership?: Membership | undefined;
  /** The others of the same address to the same account, which ended with it. */
  readonly withdrawn: readonly Invitation[];
}
