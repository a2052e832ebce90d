import type { GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { AuditLog } from "../audit.ts";
import type { SignInTriesTable } from "../tables/sign-in-tries.ts";
import type { BackOff } from "./back-off.ts";
import { deviceOf } from "./known-device.ts";
import type { PendingSignUps } from "./pending.ts";
import { endStaleLock, finishFactor, isFirstUse } from "./second-factor.ts";
import type { SignUp } from "./sign-up.ts";
import { readSignUp } from "./sign-up-form.ts";
import { signingOut } from "./watch.ts";

export interface HookParts {
  readonly audit: AuditLog;
  readonly signUp: SignUp;
  readonly backOff: BackOff;
  readonly signInTries: SignInTriesTable;
  /** Left out where nothing can send mail: then nobody can confirm an address. */
  readonly pending?: PendingSignUps | undefined;
  /** Takes what nobody waits for. */
  background(work: Promise<unknown>): void;
}

/** Changes the call, answers it, or neither. */
type Before = (parts: HookParts, ctx: GenericEndpointContext) => Promise<object | undefined>;

/** No code of an authenticator app: the library refuses it and counts the failure. */
const NO_CODE = "used";

async function wait(parts: HookParts, ctx: GenericEndpointContext): Promise<undefined> {
  const email = ctx.body?.email;
  // A link lets in whoever has it, however many others guess at the address.
  if (typeof email !== "string" || parts.signUp.isGranted()) return;
  const { backOff } = parts;
  const waitMs = await backOff.begin({ email, device: await deviceOf(ctx, email) });
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new APIError(
    "TOO_MANY_REQUESTS",
    {
      code: "TOO_MANY_ATTEMPTS",
      message: `There were too many wrong passwords. Try again in ${seconds} seconds.`,
    },
    { "x-retry-after": String(seconds) },
  );
}

/**
 * Keeps the sign-up until its address is confirmed. It answers the same for every address, and after the
 * same work: what depends on who has it is done when the answer has gone.
 */
async function signUp(parts: HookParts, ctx: GenericEndpointContext): Promise<object | undefined> {
  // Before the library looks whether the address is known, which would be told otherwise.
  await parts.signUp.check({ email: String(ctx.body?.email), emailVerified: false });
  const { pending } = parts;
  if (!pending || parts.signUp.isGranted()) return undefined;
  const { email, name, password } = readSignUp(ctx.body);
  const passwordHash = await ctx.context.password.hash(password);
  const { internalAdapter } = ctx.context;
  const goOn = async () => {
    const known = await internalAdapter.findUserByEmail(email);
    const taken = known && (await parts.signUp.isTaken(known.user));
    const isHalfMade = known && (await parts.signUp.isHalfMade(known.user));
    if (taken && !isHalfMade) await pending.tellOwner(known.user.email);
    else await pending.begin({ email, name, passwordHash });
  };
  parts.background(goOn());
  return { status: "confirm" };
}

const BEFORE: Readonly<Record<string, Before>> = {
  "/sign-in/email": wait,
  "/sign-up/email": signUp,
  async "/two-factor/enable"({ signInTries }, ctx) {
    await finishFactor(ctx, signInTries);
    return undefined;
  },
  async "/two-factor/verify-totp"({ signInTries }, ctx) {
    const { body } = ctx;
    await endStaleLock(ctx, signInTries);
    await finishFactor(ctx, signInTries);
    if (typeof body?.code !== "string" || (await isFirstUse(ctx, signInTries, body.code)))
      return undefined;
    return { context: { body: { ...body, code: NO_CODE } } };
  },
  async "/two-factor/verify-backup-code"({ signInTries }, ctx) {
    await endStaleLock(ctx, signInTries);
    return undefined;
  },
  async "/sign-out"(parts, ctx) {
    await signingOut(parts, ctx);
    return undefined;
  },
  // Whoever knew the old password may be signed in with it, whatever a page asks for.
  async "/change-password"(_parts, { body }) {
    return { context: { body: { ...body, revokeOtherSessions: true } } };
  },
};

/** What is looked at before the library acts. */
export function beforeHook(parts: HookParts) {
  return createAuthMiddleware(async (ctx) => BEFORE[ctx.path]?.(parts, ctx));
}
