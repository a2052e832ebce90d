import type { AuditEntry } from "../audit.ts";
import type { Principal } from "../guards.ts";
import type { Invitation } from "./person.ts";

interface Guest {
  readonly userId: string;
  readonly email: string;
}

/** Who accepts an invitation, as the audit log names them. */
export function guestPrincipal({ userId, email }: Guest): Principal {
  return { userId, name: email, operator: false };
}

/** What the audit log tells of an invitation that somebody has accepted, however they came to it. */
export function acceptanceOf(
  { id, accountId, email, role, operator }: Invitation,
  guest: Guest,
): AuditEntry {
  return {
    principal: guestPrincipal(guest),
    accountId,
    action: "invitation.accept",
    target: id,
    detail: { email, role, operator },
    once: true,
  };
}
