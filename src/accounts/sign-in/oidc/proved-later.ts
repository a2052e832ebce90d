import type { GenericEndpointContext } from "better-auth";
import type { SignUp } from "../sign-up.ts";

/** Where people come back from a provider. */
const BACK = ["/callback/:id", "/oauth2/callback/:providerId"];

interface Verified {
  readonly id: string;
  readonly email: string;
}

/** How far it is with a call by which an address is proved: the credit comes first, and the library's note of it last. */
type Stage = "to be credited" | "credited";

/**
 * A provider may vouch for an address only after somebody has come by it. The library notes that by itself when they come
 * again, and tells what it changes before it is done, and only behind it of whom. So its note is put off until the
 * credit is given: after a crash in between they come again as before.
 */
export function provedLater(signUp: Pick<SignUp, "confirmed">) {
  const stages = new WeakMap<GenericEndpointContext, Stage>();
  return {
    /** What is written in place of what the library would. */
    before(
      changes: { readonly emailVerified?: boolean },
      ctx: GenericEndpointContext | null,
    ): { data: { emailVerified: false } } | undefined {
      if (!changes.emailVerified || !ctx || !BACK.includes(ctx.path)) return undefined;
      if (stages.get(ctx) === "credited") return undefined;
      stages.set(ctx, "to be credited");
      return { data: { emailVerified: false } };
    },
    async after({ id, email }: Verified, ctx: GenericEndpointContext | null): Promise<void> {
      if (!ctx || stages.get(ctx) !== "to be credited") return;
      await signUp.confirmed({ id, email });
      stages.set(ctx, "credited");
      await ctx.context.internalAdapter.updateUser(id, { emailVerified: true });
    },
  };
}
