import type { Auth } from "better-auth";
import type { OidcProvider } from "../../config/config.ts";
import { steadyClock } from "../../lib/clock.ts";
import { directIfHere, keepDirect } from "../../lib/net/direct.ts";
import type { DescribedProvider } from "./oidc/plugin.ts";
import type { SignInSettings } from "./options.ts";
import type { Origins } from "./origins.ts";

export interface LibraryParts extends Omit<SignInSettings, "origins" | "providers"> {
  /** Known only once the server listens. */
  origins(): Origins;
  readonly providers: readonly OidcProvider[];
}

interface Opened {
  readonly auth: Auth;
  /** When to look again for providers that were away. */
  readonly goodUntilMs: number;
}

/**
 * The provider, where it describes itself in time, to the last byte: the library would wait for that for ever. What it
 * says of itself is where the library goes then, without a proxy on this machine.
 */
function described(provider: OidcProvider, waitMs: number): Promise<DescribedProvider | undefined> {
  const { issuer } = provider;
  const url = `${issuer}/.well-known/openid-configuration`;
  const read = async () => {
    const signal = AbortSignal.timeout(waitMs);
    const response = await fetch(url, { ...directIfHere(url), signal });
    const description = (await response.json()) as Record<string, unknown>;
    keepDirect([url, ...Object.values(description).filter(isAddress)]);
    if (!response.ok) return undefined;
    const namesItself = description.authorization_response_iss_parameter_supported === true;
    return { ...provider, namesItself };
  };
  return read().catch(() => undefined);
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value);
}

/** The paths that the library has, by its calls; those that only a server makes have none. */
const KNOWN = new WeakMap<object, RegExp>();

function shapeOf(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+");
}

function knownPaths(calls: object): RegExp {
  const paths = Object.values(calls).flatMap((call) => {
    const { path } = call as { readonly path?: unknown };
    return typeof path === "string" ? [shapeOf(path)] : [];
  });
  return new RegExp(`^(?:${paths.join("|")})$`);
}

/** Whether one of the library's calls is at this path, below its own address. */
export function hasPath(calls: object, path: string): boolean {
  const known = KNOWN.get(calls) ?? knownPaths(calls);
  KNOWN.set(calls, known);
  return known.test(path);
}

/**
 * The sign-in library with the providers of identities that can be reached: one that is away must not keep
 * everybody else from signing in. It is loaded with the first visitor, since a process that only relays has better
 * use for its memory.
 */
export class Library {
  readonly #parts: LibraryParts;
  #opened: Promise<Opened> | undefined;
  /** The ids of providers that could be reached when somebody looked last. */
  #offered: ReadonlySet<string> | undefined;
  #looking = false;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /**
   * The providers that people can come by, as far as anybody has looked. Nobody waits for it; but who asks has them looked
   * for, since one that is not shown is not asked for either.
   */
  providers(): readonly OidcProvider[] {
    const { providers, background } = this.#parts;
    if (providers.length > 0) background(this.auth());
    return providers.filter(({ id }) => this.#offered?.has(id) ?? true);
  }

  async auth(): Promise<Auth> {
    this.#opened ??= this.#open().catch((thrown) => {
      this.#opened = undefined;
      throw thrown;
    });
    const { auth, goodUntilMs } = await this.#opened;
    // Nobody waits for providers that are away: what there is goes on until they are found.
    if (steadyClock() >= goodUntilMs && !this.#looking) this.#parts.background(this.#lookAgain());
    return auth;
  }

  async #lookAgain(): Promise<void> {
    this.#looking = true;
    try {
      this.#opened = Promise.resolve(await this.#open());
    } finally {
      this.#looking = false;
    }
  }

  async #open(): Promise<Opened> {
    const { betterAuth } = await import("better-auth");
    const { optionsOf } = await import("./options.ts");
    const { limits, log, origins, providers: wanted } = this.#parts;
    const waitMs = limits.sign_in_provider_ms;
    const looked = await Promise.all(wanted.map((provider) => described(provider, waitMs)));
    const providers = looked.filter((provider) => provider !== undefined);
    const auth = betterAuth(optionsOf({ ...this.#parts, origins: origins(), providers }));
    // The library asks them once more, and leaves out those that are late or that it does not understand then.
    const { socialProviders } = await auth.$context;
    const offered = new Set(socialProviders.map(({ id }) => id));
    this.#offered = offered;
    const away = wanted.filter(({ id }) => !offered.has(id));
    for (const { id, issuer } of away) log.warn("oidc_provider_unreachable", { id, issuer });
    const retryMs = away.length > 0 ? limits.sign_in_provider_away_ms : Number.POSITIVE_INFINITY;
    return { auth, goodUntilMs: steadyClock() + retryMs };
  }
}
