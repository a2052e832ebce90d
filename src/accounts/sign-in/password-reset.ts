import type { GenericEndpointContext } from "better-auth";
import type { BackOff } from "./back-off.ts";
import { rememberDevice } from "./known-device.ts";

interface ResetParts {
  readonly backOff: BackOff;
}

interface Person {
  readonly email: string;
}

/** Whose password a request has set. The library tells it while it works, and not with its answer. */
const people = new WeakMap<Request, Person>();

export function noteReset(request: Request | undefined, person: Person): void {
  if (request) people.set(request, person);
}

/**
 * Somebody has set a password by a link. Guesses at the old one do not count any more, and those to come
 * keep everybody waiting but this browser: or who guesses on would lock the person out for good.
 */
export async function afterReset(parts: ResetParts, ctx: GenericEndpointContext): Promise<void> {
  const person = ctx.request && people.get(ctx.request);
  if (!person) return;
  await parts.backOff.succeeded(person);
  await rememberDevice(ctx, person.email);
}
