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

/**
 * The same for addresses that a package calls by itself, which takes no such word: the environment is told, as Bun's
 * `fetch` reads it. Of its two names it takes the small one, where that says anything.
 */
export function keepDirect(addresses: readonly string[]): void {
  const name = process.env.no_proxy ? "no_proxy" : "NO_PROXY";
  const said = process.env[name] ? [process.env[name]] : [];
  const hosts = addresses.filter(isHere).map((address) => new URL(address).hostname);
  const added = [...new Set(hosts)].filter(
    (host) =>
      !said
        .join()
        .split(/[\s,]+/)
        .includes(host),
  );
  if (added.length > 0) process.env[name] = [...said, ...added].join();
}
