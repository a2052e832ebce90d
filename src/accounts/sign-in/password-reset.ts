import type { GenericEndpointContext } from "better-auth";
import { LINK_PREFIX } from "../keys/secret.ts";
import type { SignInTriesTable } from "../tables/sign-in-tries.ts";
import type { BackOff } from "./back-off.ts";
import { rememberDevice } from "./known-device.ts";
import type { Identity, SignUp } from "./sign-up.ts";

export interface ResetParts {
  readonly backOff: BackOff;
  readonly signInTries: SignInTriesTable;
  readonly signUp: SignUp;
  /** Ends keys that somebody has made who turned out not to be this person. */
  disableKeysOf(userId: string): Promise<void>;
  /** The same of invitations, whose links they may have. */
  withdrawInvitationsOf(userId: string): Promise<void>;
}

interface Person extends Identity {
  readonly email: string;
}

/** Whose password a request has set. The library tells it while it works, and not with its answer. */
const people = new WeakMap<Request, Person>();

export function noteReset(request: Request | undefined, person: Person): void {
  if (request) people.set(request, person);
}

/** Links of the command line are ours and are handed over; the library's own go by mail and nowhere else. */
function wasMailed({ body, query }: GenericEndpointContext): boolean {
  const token: unknown = body?.token || query?.token;
  return typeof token === "string" && !token.startsWith(LINK_PREFIX);
}

/**
 * The address is known to be theirs from now on. Whoever had the identity before may have been somebody else,
 * so what they could come in with ends. Memberships stay: people who forget a password are no strangers.
 */
async function confirm(parts: ResetParts, ctx: GenericEndpointContext, person: Person) {
  if (await parts.signUp.isTaken(person)) return;
  const { id } = person;
  await parts.signInTries.putOut(id);
  // Behind it: of who is shut out neither comes any more. Keys are in another database, which may be away.
  await parts.withdrawInvitationsOf(id);
  await parts.disableKeysOf(id);
  await parts.signUp.confirmed(person);
  // The last, so that after a crash the next link does all of it again.
  await ctx.context.internalAdapter.updateUser(id, { emailVerified: true });
}

/**
 * Somebody has set a password by a link. Guesses at the old one do not count any more, and those to come
 * keep everybody waiting but this browser: or who guesses on would lock the person out for good.
 */
export async function afterReset(parts: ResetParts, ctx: GenericEndpointContext): Promise<void> {
  const person = ctx.request && people.get(ctx.request);
  if (!person) return;
  if (wasMailed(ctx)) await confirm(parts, ctx, person);
  await parts.backOff.succeeded(person);
  await rememberDevice(ctx, person.email);
}
