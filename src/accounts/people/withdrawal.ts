import type { AuditEntry, AuditLog } from "../audit.ts";
import type { Principal } from "../guards.ts";
import type { Memberships } from "./members.ts";
import type { Invitation } from "./person.ts";

const HOUSE: Principal = { userId: undefined, name: "Faregate", operator: false };

function withdrawalOf({ id, accountId, email }: Invitation, principal: Principal): AuditEntry {
  return { principal, accountId, action: "invitation.withdraw", target: id, detail: { email } };
}

/** Tells the audit log of invitations that were taken back, and by whose doing. */
export async function noteWithdrawn(
  audit: AuditLog,
  withdrawn: readonly Invitation[],
  principal: Principal,
): Promise<void> {
  for (const invitation of withdrawn) await audit.write(withdrawalOf(invitation, principal));
}

interface WithdrawalParts {
  readonly memberships: Pick<Memberships, "withdrawLost">;
  readonly audit: AuditLog;
}

/**
 * Takes back all invitations whose sender may not invite any more. At the start: a program of before leaves them open
 * where it ends on the way.
 */
export async function withdrawLost({ memberships, audit }: WithdrawalParts): Promise<void> {
  await noteWithdrawn(audit, await memberships.withdrawLost(), HOUSE);
}
