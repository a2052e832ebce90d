import { passkey } from "@better-auth/passkey";
import type { BetterAuthOptions } from "better-auth";
import { isAPIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type { Dialect } from "kysely";
import type { Limits } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../telemetry/log.ts";
import type { TryWindows } from "../stored-throttle.ts";
import { beforeHook, type HookParts } from "./hooks.ts";
import type { SendMail } from "./mail.ts";
import { type DescribedProvider, oidcPlugin } from "./oidc/plugin.ts";
import { provedLater } from "./oidc/proved-later.ts";
import { ADDRESS_HEADER, AUTH_PATH, type Origins, resetLink } from "./origins.ts";
import { providerLinks } from "./provider-links.ts";
import { LOCKOUT, TOTP } from "./second-factor.ts";
import { checkName, PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from "./sign-up-form.ts";
import { passwordWasReset, watch } from "./watch.ts";

const PREFIXES: Readonly<Record<string, string>> = { user: "usr_", session: "ses_" };

/**
 * The library would confirm the address of an identity for whoever has it, by a link that anybody may have mailed and
 * any reader of the mail opens. Here a mailed link for a new password confirms it, which shuts others out first.
 */
const CLOSED_PATHS = ["/send-verification-email", "/verify-email"];

type RateLimit = NonNullable<BetterAuthOptions["rateLimit"]>;

/** Where calls are counted, and by which clock. */
interface ThrottleParts {
  readonly tries: Pick<TryWindows, "take">;
  readonly clock: Clock;
}

/** How a password is kept. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

export interface SignInSettings extends HookParts, ThrottleParts {
  readonly dialect: Dialect;
  readonly secret: string;
  readonly origins: Origins;
  readonly providers: readonly DescribedProvider[];
  readonly limits: Limits;
  readonly sendMail: SendMail;
  readonly log: Log;
  /** The library's own way where it is left out: scrypt, which takes its time. */
  readonly passwords?: Passwords | undefined;
  disableKeysOf(userId: string): Promise<void>;
  withdrawInvitationsOf(userId: string): Promise<void>;
}

function hooksOf({ signUp, audit }: SignInSettings): BetterAuthOptions["databaseHooks"] {
  const proved = provedLater(signUp);
  return {
    user: {
      create: {
        async before(user) {
          checkName(user.name);
          await signUp.check(user);
          // Whoever was let in has an id, or is placed by the link that let them in.
          return signUp.isGranted() ? undefined : { data: { id: await signUp.expect() } };
        },
        after: (user) => signUp.place(user),
      },
      update: {
        async before(changes, ctx) {
          checkName(changes.name);
          return proved.before(changes, ctx);
        },
        after: proved.after,
      },
    },
    session: { create: { before: ({ userId }) => signUp.arrive(userId) } },
    account: providerLinks(audit),
  };
}

function pluginsOf(settings: SignInSettings): BetterAuthOptions["plugins"] {
  const { origins, providers, limits } = settings;
  const own = new URL(origins.own);
  return [
    twoFactor({
      issuer: "Faregate",
      allowPasswordless: true,
      totpOptions: TOTP,
      accountLockout: LOCKOUT,
      schema: { twoFactor: { modelName: "auth_two_factor" } },
    }),
    passkey({
      rpName: "Faregate",
      rpID: own.hostname,
      origin: [...origins.trusted],
      schema: { passkey: { modelName: "auth_passkey" } },
    }),
    ...(providers.length > 0 ? [oidcPlugin(providers, limits.sign_in_provider_ms)] : []),
    // The last, so that it sees what the others have made of an answer.
    watch(settings),
  ];
}

/**
 * Counts as every other try is counted. The library's own way would wait for what was counted before a clock was set
 * back until that had caught up.
 */
function countIn({ tries, clock }: ThrottleParts): NonNullable<RateLimit["customStorage"]> {
  return {
    async consume(addressAndPath, { window, max }) {
      const terms = { nowMs: clock(), windowMs: window * 1000, max };
      const waitMs = await tries.take(`sign-in from ${addressAndPath}`, terms);
      return { allowed: waitMs === 0, retryAfter: waitMs === 0 ? null : Math.ceil(waitMs / 1000) };
    },
  };
}

/** How often each form of the sign-in is taken from one address. */
function throttleOf(limits: Limits, parts: ThrottleParts): RateLimit {
  const window = Math.ceil(limits.sign_in_window_ms / 1000);
  const rule = { window, max: limits.sign_in_attempts_max };
  return {
    enabled: true,
    customStorage: countIn(parts),
    window: 10,
    max: 200,
    customRules: {
      "/sign-in/*": rule,
      "/sign-up/*": rule,
      "/two-factor/*": rule,
      "/request-password-reset": rule,
      "/reset-password": rule,
      "/change-password": rule,
      // Asked with every page; it compares no secret that could be guessed.
      "/get-session": false,
      // Counted by the whole path, of which there are as many as anybody makes up; nobody guesses what is in it.
      "/reset-password/*": false,
      "/callback/*": false,
      "/oauth2/callback/*": false,
    },
  };
}

function passwordsOf(settings: SignInSettings): BetterAuthOptions["emailAndPassword"] {
  const { sendMail, origins, passwords } = settings;
  return {
    enabled: true,
    // What a sign-up answers does not tell whether the address was known; signing in is a step of its own.
    autoSignIn: false,
    ...(passwords && { password: passwords }),
    minPasswordLength: PASSWORD_CHARS_MIN,
    maxPasswordLength: PASSWORD_CHARS_MAX,
    revokeSessionsOnPasswordReset: true,
    onPasswordReset: ({ user }, request) => passwordWasReset(settings, user, request),
    sendResetPassword: ({ user, token }) =>
      sendMail({
        instead: `faregate operator reset ${user.email}`,
        to: user.email,
        subject: "Set a new password for Faregate",
        text: `Somebody, hopefully you, asked for a new password. The link works once, for an hour:

${resetLink(origins.own, token)}

If it was not you, nothing has to be done.`,
      }),
  };
}

const LEVELS = { debug: "debug", info: "debug", warn: "debug", error: "warn" } as const;

/** How the sign-in library is set up: our tables, our throttle, our rules for new people. */
export function optionsOf(settings: SignInSettings): BetterAuthOptions {
  const { dialect, secret, origins, limits, log, background } = settings;
  return {
    appName: "Faregate",
    baseURL: origins.own,
    basePath: AUTH_PATH,
    disabledPaths: CLOSED_PATHS,
    secret,
    trustedOrigins: [...origins.trusted],
    // Times and flags as texts and numbers on both engines, so that the tables are the same.
    database: { dialect, type: "sqlite", transaction: false },
    user: { modelName: "auth_user" },
    // Always looked up: a session that was ended must not live on in a cookie, on no instance.
    session: { modelName: "auth_session", cookieCache: { enabled: false } },
    account: { modelName: "auth_account", encryptOAuthTokens: true },
    verification: { modelName: "auth_verification", storeIdentifier: "hashed" },
    emailAndPassword: passwordsOf(settings),
    rateLimit: throttleOf(limits, settings),
    plugins: pluginsOf(settings) ?? [],
    databaseHooks: hooksOf(settings) ?? {},
    hooks: { before: beforeHook(settings) },
    advanced: {
      cookiePrefix: "faregate",
      // Its defaults are lax where tests run; here they are always the same.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: {
        generateId: ({ model }) => newId(PREFIXES[model] ?? "aut_"),
        validateSchema: false,
      },
      backgroundTasks: { handler: background },
    },
    telemetry: { enabled: false },
    onAPIError: {
      // Otherwise a page of the library, in its own words and looks.
      errorURL: `${origins.own}/console/sign-in`,
      // A refusal is an answer; only what nobody expected is worth a line.
      onError(thrown) {
        if (!isAPIError(thrown)) log.error("sign_in_broke", { thrown });
      },
    },
    logger: {
      level: "debug",
      log: (level, message) => log[LEVELS[level]]("sign_in", { message }),
    },
  };
}
