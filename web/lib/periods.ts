/** For how long a budget holds. */
export const PERIODS = ["total", "day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];
