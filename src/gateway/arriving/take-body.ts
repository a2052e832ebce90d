import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Incoming, Sent } from "../../lib/route.ts";
import type { Caller } from "../admitted-request.ts";
import type { Services } from "../services.ts";
import type { Body } from "./body.ts";
import { identify } from "./identify.ts";
import { rateLimited } from "./rate-words.ts";

/**
 * Lets a request in, by its key's requests per minute. Whoever comes too often is turned away before
 * anything of what was sent is read.
 */
export function enter(
  { arrivals }: Pick<Services, "arrivals">,
  { key }: Pick<Caller, "key">,
): void {
  const refused = arrivals.enter(key.id, key.requestsPerMinute);
  if (!refused) return;
  const { max, used, retryAfterMs, resetMs } = refused;
  const rates = { requestsLeft: 0, requestsResetMs: resetMs, tokensLeft: null, tokensResetMs: 0 };
  throw rateLimited({ limit: "requests", max, used, retryAfterMs, rates }, key);
}

/** A request that gets the answer to an earlier one has asked for nothing: it does not count. */
export function giveBack(
  { arrivals }: Pick<Services, "arrivals">,
  { key, startedAtMs }: Pick<Caller, "key" | "startedAtMs">,
): void {
  arrivals.giveBack(key.id, key.requestsPerMinute, startedAtMs);
}

/** Who asks for something without a body. It counts like any request, whatever it is answered. */
export async function identifyReader(
  services: Pick<Services, "accounts" | "arrivals" | "clock" | "watchdog" | "limits">,
  endpoint: string,
  incoming: Incoming<Sent>,
): Promise<Caller> {
  const caller = await identify(services, endpoint, incoming);
  enter(services, caller);
  return caller;
}

/** The body of a request that may come in. There is no other way to one. */
export function takeBody(
  services: Pick<Services, "arrivals" | "bodies">,
  caller: Pick<Caller, "key">,
  { request }: Pick<Incoming<Sent>, "request">,
  read?: () => Promise<Body>,
): MaybePromise<Body> {
  enter(services, caller);
  return read ? read() : services.bodies.read(request, caller.key.accountId);
}
