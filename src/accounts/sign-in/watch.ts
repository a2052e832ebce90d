import type { BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import type { AuditLog } from "../audit.ts";
import { type Changes, changesBetween } from "../audit-changes.ts";
import { deviceOf, rememberDevice } from "./known-device.ts";
import { ADDRESS_HEADER } from "./origins.ts";
import { afterReset, noteReset, type ResetParts } from "./password-reset.ts";
import { challenged } from "./second-factor.ts";
import type { Identity } from "./sign-up.ts";

interface WatchParts extends ResetParts {
  readonly audit: AuditLog;
}

interface Person {
  readonly id: string;
  readonly email: string;
}

type Detail = Readonly<Record<string, unknown>>;

/** Writes what somebody did with their own identity, and from where. */
export async function note(
  { audit }: Pick<WatchParts, "audit">,
  ctx: Pick<GenericEndpointContext, "headers"> | undefined,
  action: string,
  { id, email }: Person,
  detail: Detail = {},
  changes?: Changes | undefined,
): Promise<void> {
  const address = ctx?.headers?.get(ADDRESS_HEADER) ?? undefined;
  await audit.write({
    principal: { userId: id, name: email, operator: false },
    accountId: null,
    action,
    target: id,
    detail: { ...(address !== undefined && { address }), ...detail },
    changes,
  });
}

/** What the library, and its plugins before this one, are about to answer. */
function answerOf({ context }: GenericEndpointContext): unknown {
  return "returned" in context ? context.returned : undefined;
}

/** A refusal; a redirect is thrown as well, and is none. */
function failed(ctx: GenericEndpointContext): boolean {
  const returned = answerOf(ctx);
  return isAPIError(returned) && returned.statusCode >= 400;
}

function asksSecondFactor(ctx: GenericEndpointContext): boolean {
  const returned = answerOf(ctx);
  return typeof returned === "object" && returned !== null && "twoFactorRedirect" in returned;
}

async function started(parts: WatchParts, ctx: GenericEndpointContext, by: string): Promise<void> {
  const person = ctx.context.newSession?.user;
  if (person) await note(parts, ctx, "session.start", person, { by });
}

/** Of addresses that nobody has nothing is written: whoever likes could fill the log with them. */
async function wrongPassword(parts: WatchParts, ctx: GenericEndpointContext, email: string) {
  const known = await ctx.context.internalAdapter.findUserByEmail(email.toLowerCase());
  if (known) await note(parts, ctx, "session.refuse", known.user, { by: "password" });
}

async function password(parts: WatchParts, ctx: GenericEndpointContext): Promise<void> {
  const email = ctx.body?.email;
  if (typeof email !== "string") return;
  if (failed(ctx)) return wrongPassword(parts, ctx, email);
  await parts.backOff.succeeded({ email, device: await deviceOf(ctx, email) });
  await rememberDevice(ctx, email);
  if (!asksSecondFactor(ctx)) await started(parts, ctx, "password");
}

async function secondFactorFailed(parts: WatchParts, ctx: GenericEndpointContext, factor: string) {
  const id = await challenged(ctx);
  const person = id === undefined ? null : await ctx.context.internalAdapter.findUserById(id);
  if (person) await note(parts, ctx, "two_factor.refuse", person, { factor });
}

async function secondFactor(parts: WatchParts, ctx: GenericEndpointContext): Promise<void> {
  const factor = ctx.path.endsWith("backup-code") ? "backup code" : "code";
  if (failed(ctx)) return secondFactorFailed(parts, ctx, factor);
  const before = ctx.context.session?.user as (Person & { twoFactorEnabled?: boolean }) | undefined;
  const person = before ?? ctx.context.newSession?.user;
  if (!person) return;
  if (before && !before.twoFactorEnabled) return note(parts, ctx, "two_factor.enable", person);
  await note(parts, ctx, "two_factor.use", person, { factor });
  if (!before) await started(parts, ctx, "second factor");
}

/** What somebody who is signed in has changed of how they come in. */
function own(action: string) {
  return async (parts: WatchParts, ctx: GenericEndpointContext) => {
    const person = ctx.context.session?.user;
    if (person && !failed(ctx)) await note(parts, ctx, action, person);
  };
}

async function passwordChanged(parts: WatchParts, ctx: GenericEndpointContext): Promise<void> {
  const person = ctx.context.session?.user;
  if (!person || failed(ctx)) return;
  await parts.signInTries.endChallenges(person.id);
  await note(parts, ctx, "password.change", person);
}

/** What others see of somebody, the audit log among them: it shows people by the name that they have now. */
async function renamed(parts: WatchParts, ctx: GenericEndpointContext): Promise<void> {
  const before = ctx.context.session?.user;
  if (!before || failed(ctx)) return;
  const { name } = before;
  const changes = changesBetween({ name }, { name: ctx.body?.name ?? name });
  if (changes) await note(parts, ctx, "identity.change", before, {}, changes);
}

type After = (parts: WatchParts, ctx: GenericEndpointContext) => Promise<void>;

const provider: After = (parts, ctx) =>
  started(parts, ctx, String(ctx.params?.id ?? ctx.params?.providerId ?? "provider"));

const AFTER: Readonly<Record<string, After>> = {
  "/sign-in/email": password,
  "/sign-up/email": (parts, ctx) => started(parts, ctx, "sign-up"),
  "/callback/:id": provider,
  "/oauth2/callback/:providerId": provider,
  "/passkey/verify-authentication": (parts, ctx) => started(parts, ctx, "passkey"),
  "/passkey/verify-registration": own("passkey.create"),
  "/passkey/delete-passkey": own("passkey.delete"),
  "/two-factor/verify-totp": secondFactor,
  "/two-factor/verify-backup-code": secondFactor,
  "/two-factor/disable": own("two_factor.disable"),
  "/two-factor/generate-backup-codes": own("two_factor.backup_codes"),
  "/revoke-session": own("session.revoke"),
  "/revoke-sessions": own("session.revoke"),
  "/revoke-other-sessions": own("session.revoke"),
  "/change-password": passwordChanged,
  "/update-user": renamed,
  "/reset-password": afterReset,
};

/** Sees what became of every step of a sign-in: counts it, and writes it to the audit log. */
export function watch(parts: WatchParts): BetterAuthPlugin {
  return {
    id: "faregate-watch",
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && path in AFTER,
          handler: createAuthMiddleware(async (ctx) => AFTER[ctx.path]?.(parts, ctx)),
        },
      ],
    },
  };
}

/** Before it is done, since nobody is known after it. */
export async function signingOut(parts: Pick<WatchParts, "audit">, ctx: GenericEndpointContext) {
  const session = await getSessionFromCtx(ctx);
  if (session) await note(parts, ctx, "session.end", session.user);
}

export async function passwordWasReset(
  parts: Pick<WatchParts, "audit" | "signInTries">,
  person: Person & Identity,
  request: Request | undefined,
): Promise<void> {
  noteReset(request, person);
  await parts.signInTries.endChallenges(person.id);
  await note(parts, undefined, "password.reset", person);
}
