import type { Instant, Role } from "../../lib/contract.ts";

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly operator: boolean;
  readonly two_factor: boolean;
  readonly joined_at: Instant;
}

export interface OpenInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly operator: boolean;
  readonly invited_by: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  /** Its link went to its address, and is shown to nobody. */
  readonly mailed: boolean;
}

/** The answer to an invitation, with its link; null where it was mailed. */
export interface NewInvitation extends OpenInvitation {
  readonly token_link: string | null;
}

export const ROLES: readonly Role[] = ["owner", "member", "viewer"];
