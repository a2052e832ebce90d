import type { Incoming } from "../lib/route.ts";

/** Whoever answers what is asked below some paths, in their own way. */
export interface Elsewhere {
  readonly paths: readonly string[];
  /** A fault that is thrown becomes the answer. */
  answer(incoming: Incoming): Promise<Response>;
}
