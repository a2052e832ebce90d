import type { Config } from "../config/config.ts";

interface Wanted {
  readonly config: Pick<Config, "host" | "port">;
  /** A file in place of a port. */
  readonly socket?: string | undefined;
  readonly sharesPort?: boolean | undefined;
  /** Whether somebody else has the port, and passes on what is not theirs. */
  readonly isBehind: boolean;
  /** Seconds that a connection may be silent. Models think for longer; routes lift it once a body is there. */
  readonly idleTimeout: number;
}

type Place = { readonly hostname: string; readonly port: number };

/** Where the server is that a connection of our own is passed on to: on this machine, and nobody is told. */
const BEHIND = { hostname: "127.0.0.1", port: 0 };

/** Where a server of the runtime's listens. What Bun's types do not know, Bun does. */
export function placeOf({
  config,
  socket,
  sharesPort = false,
  isBehind,
  idleTimeout,
}: Wanted): Place {
  if (socket !== undefined) return { unix: socket, idleTimeout } as never;
  if (isBehind) return { ...BEHIND, idleTimeout } as never;
  const { host: hostname, port } = config;
  // Untold, a second server would share the port without a word, and take half of the calls.
  return { hostname, port, idleTimeout, reusePort: sharesPort } as never;
}
