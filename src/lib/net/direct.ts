import { hostOf, isLoopback } from "./private-address.ts";

/** Bun's `fetch` goes by the proxies of the environment to this very machine too, unless it is told. */
export const DIRECT = { proxy: false } as unknown as BunFetchRequestInit;

/** For an address that somebody has set: a proxy has no way to this very machine. */
export function directIfHere(address: string): BunFetchRequestInit {
  return isLoopback(hostOf(new URL(address))) ? DIRECT : {};
}
