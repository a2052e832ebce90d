import type { Auth } from "better-auth";
import type { AuditLog } from "../audit.ts";
import type { PendingSignUp } from "../tables/pending-sign-ups.ts";
import type { SignInTriesTable } from "../tables/sign-in-tries.ts";
import type { Identity, SignUp } from "./sign-up.ts";

interface IdentityParts {
  readonly context: Pick<Awaited<Auth["$context"]>, "internalAdapter" | "password">;
  readonly signUp: SignUp;
  readonly signInTries: SignInTriesTable;
  readonly audit: AuditLog;
  /** Ends keys that somebody has made who turned out not to be this person. */
  disableKeysOf(userId: string): Promise<void>;
  /** The same of invitations, whose links they may have. */
  withdrawInvitationsOf(userId: string): Promise<void>;
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
  await parts.signInTries.putOut(id);
  await parts.withdrawInvitationsOf(id);
  await parts.context.internalAdapter.deleteUser(id);
  // Once more, for those that were made by now: of an identity that is gone no key comes any more.
  await parts.disableKeysOf(id);
  await parts.signUp.forget(id);
  const principal = { userId: id, name: email, operator: false };
  await parts.audit.write({ principal, accountId: null, action: "identity.end", target: id });
}

async function make({ context, signUp }: IdentityParts, { email, name }: NewIdentity) {
  const person = { id: await signUp.expect(), email, name, emailVerified: true };
  // Whether they may was asked, and they are placed later.
  await signUp.granted(() =>
    context.internalAdapter.createUser(person, { method: "email-password" }),
  );
  return person;
}

/** The password is theirs who have shown last that the address is. */
async function setPassword({ context }: IdentityParts, userId: string, password: string) {
  const { internalAdapter } = context;
  const ways = await internalAdapter.findAccounts(userId);
  if (ways.some(({ providerId }) => providerId === "credential")) {
    await internalAdapter.updatePassword(userId, password);
  } else {
    const way = { userId, providerId: "credential", accountId: userId, password };
    await internalAdapter.linkAccount(way);
  }
}

/**
 * Goes on with an identity that was left half made: it belongs nowhere, and has no way in yet, or this very password.
 * False where it is somebody's.
 */
export async function takeUp(
  parts: IdentityParts,
  { id, twoFactorEnabled }: Identity,
  password: string,
): Promise<boolean> {
  if (twoFactorEnabled || !(await parts.signUp.belongsNowhere(id))) return false;
  const { internalAdapter, password: passwords } = parts.context;
  const ways = await internalAdapter.findAccounts(id);
  if (ways.length === 0) {
    await setPassword(parts, id, await passwords.hash(password));
    return true;
  }
  const hash = ways.find(({ providerId }) => providerId === "credential")?.password;
  return hash ? passwords.verify({ hash, password }) : false;
}

/**
 * Makes the identity of somebody whose address is known to be theirs, or finishes one that was left half made. False
 * where there is one already. They get a place when they have a way in, so that who is left without one can come for
 * it by signing in.
 */
export async function makeConfirmed(parts: IdentityParts, identity: NewIdentity): Promise<boolean> {
  const { internalAdapter } = parts.context;
  const { signUp } = parts;
  const { email, passwordHash } = identity;
  const known = (await internalAdapter.findUserByEmail(email))?.user;
  const isHalfMade = known !== undefined && (await signUp.isHalfMade(known));
  if (known && !isHalfMade && (await signUp.isTaken(known))) return false;
  // Before anything is ended for somebody who is then not let in.
  await signUp.check({ email, emailVerified: true });
  if (known && !isHalfMade) await end(parts, known);
  const person = isHalfMade ? known : await make(parts, identity);
  await setPassword(parts, person.id, passwordHash);
  await signUp.place(person);
  return true;
}
