import { isIP, type LookupFunction } from "node:net";
import { isInRanges, plainAddress } from "./networks.ts";

/**
 * Networks that are not the internet: what answers there trusts whoever stands beside it. Those of the
 * one version are never asked about the other, because a list would take every IPv4 address for one
 * of the range that maps them.
 */
const PRIVATE_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Everything but 2000::/3, which is all of the internet that there is, and what in it carries an IPv4
 * address inside, which could be any of the above.
 */
const PRIVATE_V6 = [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
];

export const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Whether a name or an address is that of this very machine. */
export function isLoopback(host: string): boolean {
  return isIP(host) === 0 ? host === "localhost" : isInRanges(host, LOOPBACK);
}

/**
 * Where an operator's own servers stand. The link-local range is not among them, since clouds hand
 * out their machines' credentials there; 198.18.0.0/15 is, since local resolvers of proxies answer
 * with it for every name.
 */
const OWN_NETWORKS = [
  ...LOOPBACK,
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "fc00::/7",
];

/** Where clouds tell a machine its secrets, in ranges that are otherwise fine to call. */
const METADATA = ["100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::254/128"];

/** Which addresses that are not the internet may be called nevertheless. */
type InsideReach = "none" | "loopback" | "own-networks";

const REACH: Readonly<Record<InsideReach, readonly string[]>> = {
  none: [],
  loopback: LOOPBACK,
  "own-networks": OWN_NETWORKS,
};

export function mayReach(address: string, inside: InsideReach): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  if (version === 0) return false;
  if (isInRanges(plain, ofVersion(METADATA, version))) return false;
  if (isInRanges(plain, ofVersion(REACH[inside], version))) return true;
  return !isInRanges(plain, version === 4 ? PRIVATE_V4 : PRIVATE_V6);
}

function ofVersion(ranges: readonly string[], version: number): string[] {
  return ranges.filter((range) => range.includes(":") === (version === 6));
}

/** The host of an address without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * Looks names up and refuses those that lead inside. The connection goes to the very addresses that
 * were judged here, so a name that changes between two questions gains nothing.
 *
 * @param refusal What is thrown for a name that leads inside.
 */
export function safeLookup(
  lookup: LookupFunction,
  inside: InsideReach,
  refusal: () => Error,
): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (failed, found) => {
      if (failed) return done(failed, "");
      const addresses = typeof found === "string" ? [] : found;
      const hidden = addresses.find(({ address }) => !mayReach(address, inside));
      const [first] = addresses;
      if (first === undefined || hidden !== undefined) return done(refusal(), "");
      if (options.all === true) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
}
