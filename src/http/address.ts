import { isIP } from "node:net";
import { isInRanges, plainAddress } from "../lib/net/networks.ts";

/** `a.b.c.d:port`, and IPv6 in brackets with a port or without. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[(.+)\](?::\d+)?)$/;

/** Some proxies write the port of each hop as well. What is no address with it stays as it is. */
function withoutPort(hop: string): string {
  const [, v4, v6] = WITH_PORT.exec(hop) ?? [];
  const address = v4 ?? v6 ?? "";
  return isIP(address) === 0 ? hop : address;
}

/**
 * The caller's address. A forwarded one counts only when the connection comes from a trusted proxy,
 * and then the last entry that is not a proxy itself: everything before it is the client's own claim.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  trustedProxies: readonly string[],
): string {
  let address = plainAddress(peer ?? "");
  if (trustedProxies.length === 0 || forwardedFor === null) return address;
  const hops = forwardedFor.split(",").map((hop) => hop.trim());
  while (isInRanges(address, trustedProxies) && hops.length > 0) {
    address = plainAddress(withoutPort(hops.pop() as string));
  }
  return address;
}
