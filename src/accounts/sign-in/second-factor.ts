import { createOTP } from "@better-auth/utils/otp";
import type { GenericEndpointContext } from "better-auth";
import { getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { latestOf, systemClock } from "../../lib/clock.ts";
import { hashSecret } from "../keys/secret.ts";
import type { SignInTriesTable } from "../tables/sign-in-tries.ts";

/** As authenticator apps have it; the library is set up by these. */
export const TOTP = { digits: 6, period: 30 } as const;
/** So many wrong codes in a row lock a second factor for a while; the library is set up by these. */
export const LOCKOUT = { maxFailedAttempts: 10, durationSeconds: 900 } as const;
/** The library takes a code of the step before and after as well. */
const STEPS_AROUND = [-1, 0, 1];
/** No code is of a step further ahead: those that the library takes, by the clock of an instance that is itself ahead. */
const STEPS_AHEAD_MAX = 5;
const CHALLENGE_COOKIE = "two_factor";

interface Factor {
  readonly secret: string;
}

/** Whose second factor is asked for: of a session, or of a password that was right a moment ago. */
export async function challenged(ctx: GenericEndpointContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx);
  if (session) return session.user.id;
  const { internalAdapter, createAuthCookie, secret } = ctx.context;
  const cookie = await ctx.getSignedCookie(createAuthCookie(CHALLENGE_COOKIE).name, secret);
  if (!cookie) return undefined;
  return (await internalAdapter.findVerificationValue(cookie))?.value;
}

/** The library waits for a lock however far ahead it lies; one from before a clock was set back is over. */
export async function endStaleLock(
  ctx: GenericEndpointContext,
  store: SignInTriesTable,
): Promise<void> {
  const userId = await challenged(ctx);
  if (userId === undefined) return;
  const latestMs = latestOf(systemClock(), LOCKOUT.durationSeconds * 1000);
  await store.endLockBeyond(userId, new Date(latestMs));
}

/** Before somebody is asked for a code, or sets a factor up: a process may have ended while it was switched on or off. */
export async function finishFactor(
  ctx: GenericEndpointContext,
  store: SignInTriesTable,
): Promise<void> {
  const userId = await challenged(ctx);
  if (userId !== undefined) await store.finishFactor(userId);
}

/** The step that a code is of, if it is the code of one that is taken in the step now. */
async function stepOf(secret: string, code: string, now: number): Promise<number | undefined> {
  const otp = createOTP(secret, TOTP);
  const codes = await Promise.all(STEPS_AROUND.map((by) => otp.hotp(now + by)));
  // Where two steps have the same code the later one counts, since it ends both.
  const at = codes.lastIndexOf(code);
  return at < 0 ? undefined : now + (STEPS_AROUND[at] ?? 0);
}

/**
 * Whether this code has not been used, nor a later one. Who asks has used it: of two at the same instant
 * one is told so. A code that is wrong is left for the library to refuse.
 */
export async function isFirstUse(
  ctx: GenericEndpointContext,
  store: SignInTriesTable,
  code: string,
): Promise<boolean> {
  const userId = await challenged(ctx);
  if (userId === undefined) return true;
  const factor = await ctx.context.adapter.findOne<Factor>({
    model: "twoFactor",
    where: [{ field: "userId", value: userId }],
  });
  if (!factor) return true;
  const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
  const now = Math.floor(systemClock() / (TOTP.period * 1000));
  const step = await stepOf(secret, code, now);
  if (step === undefined) return true;
  // A factor that is set up anew has a new secret, whose steps have not been used.
  const terms = { step, latest: latestOf(now, STEPS_AHEAD_MAX) };
  return store.takeStep(userId, hashSecret(factor.secret), terms);
}
