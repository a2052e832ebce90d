import type { AuditEntry } from "../audit.ts";
import type { Invitation } from "./person.ts";

/** What the audit log tells of an invitation that somebody has accepted, however they came to it. */
export function acceptanceOf(
  { id, accountId, email, role, operator }: Invitation,
  person: { readonly userId: string; readonly email: string },
): AuditEntry {
  return {
    principal: { userId: person.userId, name: person.email, operator: false },
    accountId,
    action: "invitation.accept",
    target: id,
    detail: { email, role, operator },
    once: true,
  };
}
