import type { GenericEndpointContext } from "better-auth";
import { newId } from "../../lib/ids.ts";

const COOKIE = "known_device";
const KNOWN_S = 180 * 24 * 3_600;

/** Signed by the library: it says that this browser was let in with this address before. */
async function read(ctx: GenericEndpointContext): Promise<readonly [string, string] | undefined> {
  const { createAuthCookie, secret } = ctx.context;
  const value = await ctx.getSignedCookie(createAuthCookie(COOKIE).name, secret);
  const at = value ? value.indexOf("!") : -1;
  return value && at > 0 ? [value.slice(0, at), value.slice(at + 1)] : undefined;
}

/** What tells this browser from others, if it was let in with the address before. */
export async function deviceOf(
  ctx: GenericEndpointContext,
  email: string,
): Promise<string | undefined> {
  const [device, known] = (await read(ctx)) ?? [];
  return known === email.trim().toLowerCase() ? device : undefined;
}

/** Lets the browser be known from now on. */
export async function rememberDevice(ctx: GenericEndpointContext, email: string): Promise<void> {
  if (await deviceOf(ctx, email)) return;
  const cookie = ctx.context.createAuthCookie(COOKIE, { maxAge: KNOWN_S });
  const value = `${newId("dev_")}!${email.trim().toLowerCase()}`;
  await ctx.setSignedCookie(cookie.name, value, ctx.context.secret, cookie.attributes);
}
