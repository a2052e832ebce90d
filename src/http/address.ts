import { isInRanges, plainAddress } from "../lib/net/networks.ts";

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
    address = plainAddress(hops.pop() as string);
  }
  return address;
}
