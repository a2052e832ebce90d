import type { AuditEntry } from "../audit.ts";
import type { Principal } from "../guards.ts";
import type { Invitation, Membership } from "./person.ts";

interface Guest {
  readonly userId: string;
  readonly email: string;
}

/** Who accepts an invitation, as the audit log names them. */
export function guestPrincipal({ userId, email }: Guest): Principal {
  return { userId, name: email, operator: false };
}

/**
 * What the audit log tells of an invitation that somebody has accepted, however they came to it: what they are by it, which
 * is what they were offered unless they were a member before.
 */
export function acceptanceOf(
  invitation: Invitation,
  guest: Guest,
  membership: Pick<Membership, "role" | "operator"> = invitation,
): AuditEntry {
  const { id, accountId, email } = invitation;
  const { role, operator } = membership;
  return {
    principal: guestPrincipal(guest),
    accountId,
    action: "invitation.accept",
    target: id,
    detail: { email, role, operator },
    once: true,
  };
}
