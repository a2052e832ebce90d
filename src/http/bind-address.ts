import type { Config } from "../config/config.ts";

interface Wanted {
  readonly config: Pick<Config, "host" | "port">;
  /** A file in place of a port. */
  readonly socket?: string | undefined;
  readonly sharesPort?: boolean | undefined;
  /** True if another server has the port and passes requests on to this one. */
  readonly isBehind: boolean;
  /** Seconds that a connection may be silent. Models think for longer; routes lift it once a body is there. */
  readonly idleTimeout: number;
}

type BindAddress = { readonly hostname: string; readonly port: number };

/** The address of a server behind another one: on this machine, on a port that is not published. */
const BEHIND = { hostname: "127.0.0.1", port: 0 };

/** The bind address of a server, as Bun takes it. Bun's types lack some of the fields. */
export function bindAddressOf({
  config,
  socket,
  sharesPort = false,
  isBehind,
  idleTimeout,
}: Wanted): BindAddress {
  if (socket !== undefined) return { unix: socket, idleTimeout } as never;
  if (isBehind) return { ...BEHIND, idleTimeout } as never;
  const { host: hostname, port } = config;
  // Without this, a second server would silently share the port and take half of the calls.
  return { hostname, port, idleTimeout, reusePort: sharesPort } as never;
}
