import { isIP } from "node:net";
import { Fault } from "../lib/faults.ts";
import type { Sent } from "../lib/route.ts";

/** A name or an address, and perhaps a port. Two headers arrive as one with a comma, which is neither. */
const SHAPE = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;
/** The longest name, a colon and a port. */
const HOST_CHARS_MAX = 259;
/** Hosts that are remembered as good, so that a request does not pay for the look at its own. */
const KNOWN_MAX = 1_000;
/** In place of the host that HTTP/1.0 need not send, as probes of some balancers do not. */
const NO_HOST = "http://localhost";

/** The address of a request. Bun leaves out what it cannot use of the host, or takes it as it is. */
export function urlOf(request: Request): URL {
  return new URL(request.url, NO_HOST);
}

/** Nobody can point an address or a name without a dot at another machine, as they can their own names. */
function isBeyondOthers(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) > 0 || !name.includes(".");
}

/** Looks at the `Host` of every request before anybody makes an address of it. */
export class Hosts {
  readonly #known = new Set<string>();
  #last: string | undefined;
  readonly #own: () => readonly string[];

  /** `own` are the origins that the console is reached at. */
  constructor(own: () => readonly string[]) {
    this.#own = own;
  }

  /**
   * Refuses a browser that was led here under a foreign name, whose pages would then count as those of
   * the console. A program that shows a token is no browser.
   */
  requireOwn(request: Request): void {
    if (request.headers.has("authorization")) return;
    const { hostname } = urlOf(request);
    if (isBeyondOthers(hostname)) return;
    if (this.#own().some((origin) => new URL(origin).hostname === hostname)) return;
    throw new Fault(
      "permission_denied",
      `The console is not served under the name ${hostname}. Set FAREGATE_PUBLIC_URL to the address ` +
        "that people use; a proxy in front must pass their Host header on.",
      { param: "host" },
    );
  }

  /** Whether the header is one host, so that an address can be made of it. */
  allows({ headers }: Pick<Sent, "headers">): boolean {
    const host = headers.get("host");
    if (host === null || host === this.#last || this.#known.has(host)) return true;
    const good =
      host.length <= HOST_CHARS_MAX && SHAPE.test(host) && URL.canParse(`http://${host}`);
    if (!good) return false;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.add(host);
    this.#last = host;
    return true;
  }

  /** Throws the 400 of a header that is not one host. */
  check(request: Request): void {
    if (!this.allows(request)) {
      throw new Fault(
        "invalid_value",
        "The Host header must be sent once, with a name or an address and perhaps a port, such as " +
          "'example.com' or '127.0.0.1:8080'.",
        { param: "host" },
      );
    }
  }
}
