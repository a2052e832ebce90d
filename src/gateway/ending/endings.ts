import { UNRECORDED } from "../../ledger/ledger.ts";
import type { BillingReason } from "../../ledger/receipt.ts";
import type { Fault } from "../../lib/faults.ts";
import type { Cause } from "./cause.ts";

/** What follows from a cause. `Told` is "fault" for causes that have one to tell of. */
export interface Ending<Report = "fault"> {
  /**
   * What is charged: for an `answer` the vendor's counts, as far as they can be true, or else our
   * estimate; for what was `delivered` the same, but no less output than went out, since some vendors
   * count before they write; the vendor's `counts` or else nothing; or `nothing`. Without a charge the
   * hold is voided.
   */
  readonly charge: "answer" | "delivered" | "counts" | "nothing";
  /** The receipt's `billing_reason`, by whether the vendor counted. */
  readonly reason: { readonly counted: BillingReason; readonly uncounted: BillingReason };
  /** The receipt's status: that of the fault, which the receipt names then, or its own. */
  readonly status: number | Report;
  /**
   * What the client gets last: the end of its answer, the fault (as an error, or as its wire tells a
   * failure once the answer has begun), a connection that is cut, or nothing, since it has left.
   */
  readonly client: "answer" | "cut" | "nothing" | Report;
  /** What the vendor hears: it was not asked, it is done, or it is hung up on. */
  readonly vendor: "unasked" | "done" | "cancel";
  /**
   * How it gets into the books: while the client waits, for as long as it may; however long that
   * takes; as a row beside the ledger, since nothing was held; or the ledger has voided it itself.
   */
  readonly books: "in_time" | "eventually" | "row" | "voided";
  /** Counts a fault of the channel now. Until an answer has begun, each attempt counts its own. */
  readonly faultsChannel?: true;
  readonly log?: "warn" | "error";
}

type Endings = {
  readonly [C in Cause as C["kind"]]: Ending<C extends { readonly fault: Fault } ? "fault" : never>;
};

function always(reason: BillingReason): Ending["reason"] {
  return { counted: reason, uncounted: reason };
}

const FAILED_BY_VENDOR = {
  charge: "counts",
  reason: { counted: "upstream_failed_with_usage", uncounted: "upstream_failed" },
  status: "fault",
  client: "fault",
  vendor: "cancel",
  books: "in_time",
  log: "warn",
} as const;

const REFUSED_BY_VENDOR = {
  ...FAILED_BY_VENDOR,
  reason: { counted: "upstream_failed_with_usage", uncounted: "upstream_refused" },
} as const;

const LEFT_BY_CLIENT = {
  charge: "delivered",
  reason: always("client_closed"),
  status: 499,
  client: "nothing",
  vendor: "cancel",
  books: "eventually",
} as const;

const FINISHED_WITHOUT_CLIENT = {
  counted: "client_closed_finished",
  uncounted: "completed_estimated",
} as const;

/** How every request ends. docs/billing.md says the same to those who pay. */
export const ENDINGS: Endings = {
  refused: {
    charge: "nothing",
    reason: always("refused"),
    status: "fault",
    client: "fault",
    vendor: "unasked",
    books: "row",
  },
  left_unasked: {
    charge: "nothing",
    reason: always("refused"),
    status: 499,
    client: "nothing",
    vendor: "unasked",
    books: "eventually",
  },
  unsayable: {
    charge: "nothing",
    reason: always("refused"),
    status: "fault",
    client: "fault",
    vendor: "unasked",
    books: "in_time",
    log: "warn",
  },
  vendor_failed: FAILED_BY_VENDOR,
  vendor_refused: REFUSED_BY_VENDOR,
  vendor_refused_midway: REFUSED_BY_VENDOR,
  vendor_broke_off: { ...FAILED_BY_VENDOR, faultsChannel: true },
  completed: {
    charge: "answer",
    reason: { counted: "completed", uncounted: "completed_estimated" },
    status: 200,
    client: "answer",
    vendor: "done",
    books: "in_time",
  },
  budget_ended: {
    charge: "delivered",
    reason: always("budget_ended"),
    status: 200,
    client: "answer",
    vendor: "cancel",
    books: "in_time",
  },
  finished_alone: {
    charge: "answer",
    reason: FINISHED_WITHOUT_CLIENT,
    status: 200,
    client: "nothing",
    vendor: "done",
    books: "in_time",
  },
  counted_alone: {
    charge: "answer",
    reason: FINISHED_WITHOUT_CLIENT,
    status: 200,
    client: "nothing",
    vendor: "cancel",
    books: "eventually",
  },
  client_left: LEFT_BY_CLIENT,
  slow_reader: { ...LEFT_BY_CLIENT, client: "cut" },
  // A request that takes longer than any may is its client's doing, not the vendor's.
  overran: { ...LEFT_BY_CLIENT, client: "fault", books: "in_time" },
  gateway_failed: {
    charge: "nothing",
    reason: always("gateway_failed"),
    status: "fault",
    client: "fault",
    vendor: "cancel",
    books: "in_time",
    log: "error",
  },
  unrecorded: {
    charge: "nothing",
    reason: always(UNRECORDED.billingReason),
    status: UNRECORDED.status,
    client: "fault",
    vendor: "done",
    books: "voided",
  },
};

export function endingOf(cause: Cause): Ending {
  return ENDINGS[cause.kind];
}
