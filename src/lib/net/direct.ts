import { hostOf, isLoopback } from "./private-address.ts";

/** Bun's `fetch` goes by the proxies of the environment to this very machine too, unless it is told. */
export const DIRECT = { proxy: false } as unknown as BunFetchRequestInit;

/** Whether an address is on this very machine, to which no proxy has a way. */
export function isHere(address: string | URL): boolean {
  return isLoopback(hostOf(new URL(address)));
}

/** For an address that somebody has set. */
export function directIfHere(address: string): BunFetchRequestInit {
  return isHere(address) ? DIRECT : {};
}
