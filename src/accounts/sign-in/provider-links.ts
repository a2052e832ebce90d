import type { BetterAuthOptions, GenericEndpointContext } from "better-auth";
import type { AuditLog } from "../audit.ts";
import { note } from "./watch.ts";

/** The library's word for a password. Its making is told as what it was made by: a sign-up, a link, a change. */
const PASSWORD = "credential";

interface WayIn {
  readonly userId: string;
  readonly providerId: string;
}

/**
 * Writes which provider lets somebody in from now on, or does not any more. Looked at where the library keeps it: a
 * provider is linked by asking for it, and by coming through it with an address that is known.
 */
export function providerLinks(audit: AuditLog) {
  const tell = async (
    { userId, providerId: provider }: WayIn,
    ctx: GenericEndpointContext | null,
    { action }: { readonly action: string },
  ) => {
    // Without a call of theirs it goes with an identity, of whose end the log tells.
    const person = await ctx?.context.internalAdapter.findUserById(userId);
    if (ctx && person) await note({ audit }, ctx, action, person, { provider });
  };
  return {
    create: {
      async after(way, ctx) {
        if (way.providerId !== PASSWORD) await tell(way, ctx, { action: "provider.link" });
      },
    },
    delete: { after: (way, ctx) => tell(way, ctx, { action: "provider.unlink" }) },
  } satisfies NonNullable<BetterAuthOptions["databaseHooks"]>["account"];
}
