import type { Usage } from "../../lib/contract.ts";

export const GROUPINGS = ["day", "model", "key"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface UsageAnswer extends Usage {
  readonly by: Grouping;
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  /** Rows beyond those that a page shows; the total and the file have them. */
  readonly rows_left_out: number;
}
