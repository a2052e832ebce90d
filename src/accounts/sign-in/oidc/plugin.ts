import type { BetterAuthPlugin } from "better-auth";
import { addOAuthServerContext, createAuthMiddleware, getOAuthState } from "better-auth/api";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins";
import type { OidcProvider } from "../../../config/config.ts";

type OwnPlugin = ReturnType<typeof genericOAuth>;
type Context = Parameters<OwnPlugin["init"]>[0];
type SocialProvider = Context["socialProviders"][number];

/** A provider that has described itself. */
export interface DescribedProvider extends OidcProvider {
  /** Whether it names itself (`iss`) in every answer, which another could then not send in its place. */
  readonly namesItself: boolean;
}

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
 * The provider, which takes an answer only for a question that was sent to it. Otherwise a provider that means ill has a
 * browser hand it the code of another (RFC 9700, mix-up).
 */
function forItsOwnStates(provider: SocialProvider): SocialProvider {
  return {
    ...provider,
    async validateAuthorizationCode(data) {
      const state = await getOAuthState();
      if (state?.serverContext?.provider !== provider.id) {
        throw new Error(`the answer came to ${provider.id}, which was not asked`);
      }
      return provider.validateAuthorizationCode(data);
    },
  };
}

/** Writes into the state which provider is asked. */
const nameProvider = {
  matcher: ({ path }: { path?: string | undefined }) =>
    path === "/sign-in/social" || path === "/link-social",
  handler: createAuthMiddleware(async ({ body }) => {
    await addOAuthServerContext({ provider: body?.provider });
  }),
};

/** Refuses an answer without `iss` of a provider that names itself. The library compares one that is there. */
function issuerNeeded(providers: readonly DescribedProvider[]) {
  const naming = new Set(providers.filter((one) => one.namesItself).map(({ id }) => id));
  return {
    matcher: ({ path }: { path?: string | undefined }) => path === "/callback/:id",
    handler: createAuthMiddleware(async (ctx) => {
      const isMissing = ctx.method === "GET" && !ctx.query?.iss && naming.has(`${ctx.params?.id}`);
      if (!isMissing) return;
      ctx.context.logger.error("The answer of a provider lacks its issuer");
      const errorUrl = new URL(ctx.context.options.onAPIError?.errorURL ?? ctx.context.baseURL);
      errorUrl.searchParams.set("error", "issuer_missing");
      throw ctx.redirect(errorUrl.href);
    }),
  };
}

/**
 * The library's own plugin asks its providers one after another, and waits for each as long as it takes. Here each is
 * asked by a plugin of its own, all at once, and one that is late is left out by itself.
 */
export function oidcPlugin(
  providers: readonly DescribedProvider[],
  waitMs: number,
): BetterAuthPlugin {
  const config = providers.map(configOf);
  const each = config.map((one) => genericOAuth({ config: [one] }));
  return {
    ...genericOAuth({ config }),
    hooks: { before: [nameProvider, issuerNeeded(providers)] },
    async init(context: Context) {
      const before = context.socialProviders;
      const asked = each.map((plugin) => within(plugin.init(context), waitMs));
      const found = (await Promise.all(asked)).flatMap((one) => one?.context.socialProviders ?? []);
      const own = found.filter((provider) => !before.includes(provider));
      return { context: { socialProviders: [...own.map(forItsOwnStates), ...before] } };
    },
  };
}
