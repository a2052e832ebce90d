import type { Incoming } from "../lib/route.ts";

/** Routes that another process serves: all requests below some paths. */
export interface RemoteRoutes {
  readonly paths: readonly string[];
  /** A fault that is thrown becomes the answer. */
  answer(incoming: Incoming): Promise<Response>;
}
