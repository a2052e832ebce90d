import type { GenericEndpointContext } from "better-auth";
import type { SignUp } from "../sign-up.ts";

/** Where people come back from a provider. */
const BACK = ["/callback/:id", "/oauth2/callback/:providerId"];

interface Verified {
  readonly id: string;
  readonly email: string;
}

/**
 * A provider may vouch for an address only after somebody has come by it. The library notes that by itself when they come
 * again, and tells what it changes before it is done, and only behind it of whom.
 */
export function provedLater(signUp: Pick<SignUp, "confirmed">) {
  const proving = new WeakSet<GenericEndpointContext>();
  return {
    before(
      changes: { readonly emailVerified?: boolean },
      ctx: GenericEndpointContext | null,
    ): void {
      if (changes.emailVerified && ctx && BACK.includes(ctx.path)) proving.add(ctx);
    },
    async after(person: Verified, ctx: GenericEndpointContext | null): Promise<void> {
      if (!ctx || !proving.delete(ctx)) return;
      try {
        await signUp.confirmed(person);
      } catch (thrown) {
        // So that it is done when they come again.
        await ctx.context.internalAdapter.updateUser(person.id, { emailVerified: false });
        throw thrown;
      }
    },
  };
}
