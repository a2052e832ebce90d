/** Fewer failures within a while are no outage. */
const BURST_FAILURES_MIN = 5;

/** Calls to a vendor. Those that a client did wrong are no failures. */
export interface Calls {
  readonly attempts: number;
  readonly failures: number;
}

/** Whether most calls of a while failed. */
export function isBurst({ attempts, failures }: Calls): boolean {
  return failures >= BURST_FAILURES_MIN && failures * 2 > attempts;
}
