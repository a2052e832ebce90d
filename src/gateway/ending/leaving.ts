import type { Exchange } from "../../upstream/exchange.ts";
import type { Attempt } from "../../upstream/plans/attempt.ts";
import type { Services } from "../services.ts";

/** A call to a vendor, and whether its answer is a stream. */
interface LeftCall {
  readonly attempt: Attempt;
  readonly exchange: Exchange;
  readonly stream: boolean;
}

/**
 * What a vendor hears when the client leaves. One that bills all of the answer anyway, as every vendor
 * does that answers as a whole, is read to the end for its counts: true, and whoever reads leaves
 * `drains` afterwards. Any other, and more than may be read at once, are hung up on.
 */
export function readsOn(
  { drains, limits }: Services,
  { attempt, exchange, stream }: LeftCall,
): boolean {
  const billed = !stream || attempt.channel.onDisconnect === "drain";
  const reads = billed && drains.tryEnter(exchange);
  if (reads) exchange.endWithin(limits.drain_ms);
  else exchange.cancel(new Error("the client left"));
  return reads;
}
