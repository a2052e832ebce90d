import { isIP, type LookupFunction } from "node:net";
import { isInRanges } from "../lib/net/networks.ts";
import { safeLookup as guarded, hostOf, LOOPBACK, mayReach } from "../lib/net/private-address.ts";

const URL_CHARS_MAX = 2_048;

/** The address is not one that we call. The message is for whoever wrote it. */
export class WebhookAddressError extends Error {
  override readonly name = "WebhookAddressError";
}

/** @param loopback Whether this machine itself may be called, as when trying things out. */
export function isPublicAddress(address: string, loopback: boolean): boolean {
  return mayReach(address, loopback ? "loopback" : "none");
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

/** Looks names up for webhooks, and refuses those that lead inside. */
export function safeLookup(lookup: LookupFunction, loopback: boolean): LookupFunction {
  const refusal = () => new WebhookAddressError("The address is in a private network.");
  return guarded(lookup, loopback ? "loopback" : "none", refusal);
}
