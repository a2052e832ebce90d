import { isIP, type LookupFunction } from "node:net";
import { isInRanges, plainAddress } from "../lib/networks.ts";

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

/** Also whatever carries an IPv4 address inside, which could be any of the above. */
const PRIVATE_V6 = [
  "::/96",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const URL_CHARS_MAX = 2_048;

/** The address is not one that we call. The message is for whoever wrote it. */
export class WebhookAddressError extends Error {
  override readonly name = "WebhookAddressError";
}

/** @param loopback Whether this machine itself may be called, as when trying things out. */
export function isPublicAddress(address: string, loopback: boolean): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  if (version === 0) return false;
  if (loopback && isInRanges(plain, LOOPBACK)) return true;
  return !isInRanges(plain, version === 4 ? PRIVATE_V4 : PRIVATE_V6);
}

/** The host without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function refuse(message: string): never {
  throw new WebhookAddressError(message);
}

/** What can be told of an address before its name is looked up. */
export function readWebhookUrl(text: string, loopback: boolean): URL {
  if (text.length > URL_CHARS_MAX) refuse(`The address is over ${URL_CHARS_MAX} characters.`);
  const url = URL.parse(text) ?? refuse("Write an address, such as https://example.com/hook.");
  const host = hostOf(url);
  const local = loopback && (host === "localhost" || isInRanges(host, LOOPBACK));
  if (url.protocol !== "https:" && !(local && url.protocol === "http:")) {
    refuse("The address must begin with https://.");
  }
  if (url.username !== "" || url.password !== "") {
    refuse("The address must not carry a name or a password; calls are signed instead.");
  }
  if (isIP(host) !== 0 && !isPublicAddress(host, loopback)) {
    refuse("The address is in a private network.");
  }
  return url;
}

/**
 * Looks names up and refuses those that lead inside. The connection goes to the very addresses that
 * were judged here, so a name that changes between two questions gains nothing.
 */
export function guardedLookup(lookup: LookupFunction, loopback: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (failed, found) => {
      if (failed) return done(failed, "");
      const addresses = typeof found === "string" ? [] : found;
      const inside = addresses.find(({ address }) => !isPublicAddress(address, loopback));
      const [first] = addresses;
      if (first === undefined || inside !== undefined) {
        return done(new WebhookAddressError("The address is in a private network."), "");
      }
      if (options.all === true) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
}
