import type { Auth } from "better-auth";
import type { AuditLog } from "../audit.ts";
import type { PendingSignUp } from "../tables/pending-sign-ups.ts";
import type { SignInGuardTable } from "../tables/sign-in-guard.ts";
import type { SignUp } from "./sign-up.ts";

interface IdentityParts {
  readonly context: Pick<Awaited<Auth["$context"]>, "internalAdapter">;
  readonly signUp: SignUp;
  readonly guard: SignInGuardTable;
  readonly audit: AuditLog;
  /** Ends keys that somebody has made who turned out not to be this person. */
  disableKeysOf(userId: string): Promise<void>;
  /** Takes somebody out of every account. */
  leaveAll(userId: string): Promise<void>;
}

export type NewIdentity = Pick<PendingSignUp, "email" | "name" | "passwordHash">;

/**
 * Ends an identity that nobody had confirmed, for whoever has shown that the address is theirs. It is not
 * handed over: its account may have members, keys and data that were put there for them to find. Somebody
 * who signs in with it meanwhile has a session of an identity that is gone.
 */
async function end(parts: IdentityParts, { id, email }: { id: string; email: string }) {
  await parts.disableKeysOf(id);
  await parts.leaveAll(id);
  await parts.guard.putOut(id);
  await parts.context.internalAdapter.deleteUser(id);
  const principal = { userId: id, name: email, operator: false };
  await parts.audit.write({ principal, accountId: null, action: "identity.end", target: id });
}

/** Makes the identity of somebody whose address is known to be theirs. False where there is one already. */
export async function makeConfirmed(parts: IdentityParts, wish: NewIdentity): Promise<boolean> {
  const { internalAdapter } = parts.context;
  const { email, name, passwordHash: password } = wish;
  const known = await internalAdapter.findUserByEmail(email);
  if (known && (await parts.signUp.isTaken(known.user))) return false;
  // Before anything is ended for somebody who is then not let in.
  await parts.signUp.check({ email, emailVerified: true });
  if (known) await end(parts, known.user);
  const { id } = await internalAdapter.createUser(
    { email, name, emailVerified: true },
    { method: "email-password" },
  );
  await internalAdapter.linkAccount({
    ...{ userId: id, providerId: "credential", accountId: id, password },
  });
  return true;
}
