import type { GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { AuditLog } from "../audit.ts";
import type { SignInGuardStore } from "../store.ts";
import type { BackOff } from "./back-off.ts";
import { deviceOf } from "./known-device.ts";
import { isFirstUse } from "./second-factor.ts";
import type { SignUp } from "./sign-up.ts";
import { signingOut } from "./watch.ts";

export interface HookParts {
  readonly audit: AuditLog;
  readonly signUp: SignUp;
  readonly backOff: BackOff;
  readonly guard: SignInGuardStore;
}

interface Changed {
  readonly context: { readonly body: Readonly<Record<string, unknown>> };
}

type Before = (parts: HookParts, ctx: GenericEndpointContext) => Promise<Changed | undefined>;

/** No code of an authenticator app: the library refuses it and counts the failure. */
const NO_CODE = "used";

async function wait({ backOff }: HookParts, ctx: GenericEndpointContext): Promise<undefined> {
  const email = ctx.body?.email;
  if (typeof email !== "string") return;
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

const BEFORE: Readonly<Record<string, Before>> = {
  "/sign-in/email": wait,
  // Before the library looks whether the address is known, which would be told otherwise.
  async "/sign-up/email"({ signUp }, { body }) {
    await signUp.check({ email: String(body?.email), emailVerified: false });
    return undefined;
  },
  async "/two-factor/verify-totp"({ guard }, ctx) {
    const { body } = ctx;
    if (typeof body?.code !== "string" || (await isFirstUse(ctx, guard, body.code)))
      return undefined;
    return { context: { body: { ...body, code: NO_CODE } } };
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
