import type { BetterAuthPlugin } from "better-auth";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins";
import type { OidcProvider } from "../../../config/config.ts";

type OwnPlugin = ReturnType<typeof genericOAuth>;
type Context = Parameters<OwnPlugin["init"]>[0];

function configOf(provider: OidcProvider): GenericOAuthConfig {
  return {
    providerId: provider.id,
    name: provider.name,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    discoveryUrl: `${provider.issuer}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    // Some providers write it as a text, and the library takes every text for a yes.
    mapProfileToUser: ({ email_verified: verified }: Record<string, unknown>) => ({
      emailVerified: verified === true || verified === "true",
    }),
    scopes: ["openid", "email", "profile"],
  };
}

/** What comes of some work, or nothing where it takes too long. */
async function within<T>(work: Promise<T>, waitMs: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, waitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The library's own plugin asks its providers one after another, and waits for each as long as it takes. Here each is
 * asked by a plugin of its own, all at once, and one that is late is left out by itself.
 */
export function oidcPlugin(providers: readonly OidcProvider[], waitMs: number): BetterAuthPlugin {
  const config = providers.map(configOf);
  const each = config.map((one) => genericOAuth({ config: [one] }));
  return {
    ...genericOAuth({ config }),
    async init(context: Context) {
      const before = context.socialProviders;
      const asked = each.map((plugin) => within(plugin.init(context), waitMs));
      const found = (await Promise.all(asked)).flatMap((one) => one?.context.socialProviders ?? []);
      const own = found.filter((provider) => !before.includes(provider));
      return { context: { socialProviders: [...own, ...before] } };
    },
  };
}
