import type { Config } from "../config/config.ts";
import type { Route, SocketRoute, Unrouted } from "../lib/route.ts";
import type { Log } from "../telemetry/log.ts";
import type { RemoteRoutes } from "./remote-routes.ts";

/** What a server is opened with. */
export interface HttpOptions {
  readonly config: Config;
  readonly log: Log;
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  /** Knows what clients look for where there is nothing. */
  unrouted?(request: Request, path: string): Unrouted;
  /** Throws when the process cannot serve. */
  ready(): Promise<void>;
  /** What stands behind some paths, whatever is asked of them. */
  readonly remote?: RemoteRoutes | undefined;
  /** A file in place of a port, for the other half of the server: what it says of its clients is believed. */
  readonly socket?: string | undefined;
  /** Several servers share the port, each of them told so. */
  readonly sharesPort?: boolean | undefined;
  /** Puts on every answer of a route what the other half is to know. */
  adorn?(headers: Headers): void;
  /** The port that clients know, where this server does not listen on it itself. */
  readonly ownPort?: number | undefined;
}
