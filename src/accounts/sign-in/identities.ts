import type { Auth } from "better-auth";
import type { PendingSignUp, SignInGuardStore } from "../store.ts";
import type { SignUp } from "./sign-up.ts";

type Context = Awaited<Auth["$context"]>;

interface IdentityParts {
  readonly context: Context;
  readonly signUp: SignUp;
  readonly guard: SignInGuardStore;
  /** Ends keys that somebody has made who turned out not to be this person. */
  disableKeysOf(userId: string): Promise<void>;
}

type NewIdentity = Pick<PendingSignUp, "email" | "name" | "passwordHash">;

async function setPassword({ internalAdapter }: Context, userId: string, hash: string) {
  if (await internalAdapter.findCredentialAccount(userId)) {
    await internalAdapter.updatePassword(userId, hash);
    return;
  }
  await internalAdapter.linkAccount({
    ...{ userId, providerId: "credential", accountId: userId, password: hash },
  });
}

/**
 * Gives an identity that nobody had confirmed to whoever has shown that the address is theirs. What the one
 * before could come in with is taken away first.
 */
async function takeOver(parts: IdentityParts, userId: string, wish: NewIdentity): Promise<void> {
  const { context, signUp, guard } = parts;
  await guard.putOut(userId);
  await parts.disableKeysOf(userId);
  await setPassword(context, userId, wish.passwordHash);
  await signUp.confirmed({ id: userId, email: wish.email });
  const changes = { name: wish.name, emailVerified: true, twoFactorEnabled: false };
  await context.internalAdapter.updateUser(userId, changes);
}

/** Makes the identity of somebody whose address is known to be theirs. False where there is one already. */
export async function makeConfirmed(parts: IdentityParts, wish: NewIdentity): Promise<boolean> {
  const { internalAdapter } = parts.context;
  const known = await internalAdapter.findUserByEmail(wish.email);
  if (known && (await parts.signUp.isTaken(known.user))) return false;
  if (known) {
    await takeOver(parts, known.user.id, wish);
    return true;
  }
  const { email, name, passwordHash } = wish;
  const user = await internalAdapter.createUser(
    { email, name, emailVerified: true },
    { method: "email-password" },
  );
  await setPassword(parts.context, user.id, passwordHash);
  return true;
}
