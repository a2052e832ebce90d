import type { Occurrence } from "../notices/occurrence.ts";

/** Tells an account's owners that something happened. */
export type Tell = (accountId: string, occurrence: Occurrence) => Promise<void>;
