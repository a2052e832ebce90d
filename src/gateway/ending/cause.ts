import { asFault, type Fault } from "../../lib/faults.ts";
import type { StreamFilter } from "../../protocols/wire.ts";
import type { Exchange } from "../../upstream/exchange.ts";

/**
 * Why a request ended: one of these for each, with no more than is needed to say so. What follows
 * from it, for its money, its client and its vendor, stands in `endings.ts` and nowhere else.
 */
export type Cause =
  /** Not let in: nothing was held for it. */
  | { readonly kind: "refused"; readonly fault: Fault }
  /** The client left once it was let in, before a vendor was asked. */
  | { readonly kind: "left_unasked" }
  /** What it says cannot be said to any vendor that was to answer it. */
  | { readonly kind: "unsayable"; readonly fault: Fault }
  /** Nobody answered: the last vendor that was asked failed, or none could be asked. */
  | { readonly kind: "vendor_failed"; readonly fault: Fault }
  /** A vendor was asked, and refused what the request says. */
  | { readonly kind: "vendor_refused"; readonly fault: Fault }
  /** The same, after its answer had begun to reach the client. */
  | { readonly kind: "vendor_refused_midway"; readonly fault: Fault }
  /** The vendor failed after its answer had begun to reach the client. */
  | { readonly kind: "vendor_broke_off"; readonly fault: Fault }
  /** Answered to the vendor's own end, which may be that of a maximum. */
  | { readonly kind: "completed" }
  /** Ended where the money did that is left for it: what the client has of its answer is all. */
  | { readonly kind: "budget_ended" }
  /** The client left a whole answer, which the vendor then gave all the same. */
  | { readonly kind: "finished_alone" }
  /** The client left a stream, and the vendor's last counts are there all the same. */
  | { readonly kind: "counted_alone" }
  /** The client left, and that was the end. */
  | { readonly kind: "client_left" }
  /** The client took nothing for so long that it counts as gone. */
  | { readonly kind: "slow_reader" }
  /** It took longer than any request may. */
  | { readonly kind: "overran"; readonly fault: Fault }
  /** A mistake of ours, or more than we could do in time. */
  | { readonly kind: "gateway_failed"; readonly fault: Fault }
  /** It was over, but storage did not take its settlement in time. */
  | { readonly kind: "unrecorded"; readonly fault: Fault };

// Most requests end by one of these; none of them needs an object of its own.
export const LEFT_UNASKED: Cause = { kind: "left_unasked" };
export const COMPLETED: Cause = { kind: "completed" };
export const BUDGET_ENDED: Cause = { kind: "budget_ended" };
export const FINISHED_ALONE: Cause = { kind: "finished_alone" };
const COUNTED_ALONE: Cause = { kind: "counted_alone" };
export const CLIENT_LEFT: Cause = { kind: "client_left" };
export const SLOW_READER: Cause = { kind: "slow_reader" };

export function faultOf(cause: Cause): Fault | undefined {
  return "fault" in cause ? cause.fault : undefined;
}

/** What was thrown while nothing had gone to the client, and the call that it came from, if any. */
export function causeUnsent(
  thrown: unknown,
  exchange: Pick<Exchange, "overran" | "ranShort" | "status"> | undefined,
): Cause {
  const fault = asFault(thrown);
  if (fault.status === 500 || fault.fault === "overloaded")
    return { kind: "gateway_failed", fault };
  // Where vendors that were asked before have used up the time, the client must not pay for their silence.
  if (exchange?.overran && !exchange.ranShort) return { kind: "overran", fault };
  if (fault.status > 500) return { kind: "vendor_failed", fault };
  const asked = (exchange?.status ?? 0) > 0;
  return { kind: asked ? "vendor_refused" : "unsayable", fault };
}

/** What went wrong with an answer that had begun. Past the deadline of the whole it is the client's. */
export function causeInStream(fault: Fault, exchange: Pick<Exchange, "overran">): Cause {
  if (exchange.overran) return { kind: "overran", fault };
  return { kind: fault.status < 500 ? "vendor_refused_midway" : "vendor_broke_off", fault };
}

/** How a stream ends whose client has left: it is all one how its vendor ended it, but for the counts. */
export function causeAlone(left: Cause, filter: Pick<StreamFilter, "ended" | "usage">): Cause {
  return filter.ended && filter.usage ? COUNTED_ALONE : left;
}
