import type { Config } from "../../config/config.ts";
import { isHere } from "../../lib/net/direct.ts";
import { Http1Client } from "../http1/client.ts";

/** How vendors are called by this process. */
export interface Ways {
  /** Those that are not on this machine are called through a proxy, and cannot be connected to directly. */
  readonly proxied: boolean;
  /** Our own client, where it may be used; `fetch` takes all other calls. */
  readonly http1: Http1Client | undefined;
  /**
   * Whether it is used over TLS as well. `fetch` shakes hands in a thread of its own, ours on the loop that relays
   * bytes, where under many handshakes at once single ones wait for long.
   */
  readonly secures: boolean;
}

type WaysConfig = Pick<Config, "proxied" | "transport" | "tlsUnverified" | "limits">;

export function waysOf({ proxied, transport, tlsUnverified, limits }: WaysConfig): Ways {
  const http1 = transport === "fetch" ? undefined : new Http1Client(limits);
  // It always looks at certificates: who has switched that off has to have it from `fetch`.
  return { proxied, http1, secures: transport === "own" && !tlsUnverified };
}

/** Whether calls to this address go by the proxy. */
export function isProxied(address: string, { proxied }: Ways): boolean {
  return proxied && !isHere(address);
}

/** Whether our own client reaches this address: it knows HTTP/1.1 and verified TLS, and nothing else. */
export function isPlainAddress(address: string, ways: Ways): boolean {
  if (isProxied(address, ways)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  if (username + password + search + hash !== "") return false;
  return protocol === "http:" || (protocol === "https:" && ways.secures);
}
