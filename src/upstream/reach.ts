import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";

/** A vendor that answered within this time needs no proof that it can be reached. */
const LATELY_MS = 30_000;

/**
 * Whether a vendor can be connected to at all. `fetch` does not tell connecting from waiting for an
 * answer, and models may think for minutes, so a socket of its own is opened beside the call
 * whenever the vendor was not reached lately.
 */
export class Reach {
  readonly #hostname: string;
  readonly #port: number;
  readonly #isSecure: boolean;
  #reachedAtMs = Number.NEGATIVE_INFINITY;
  #proof: Promise<void> | undefined;

  constructor(baseUrl: string) {
    const { hostname, port, protocol } = new URL(baseUrl);
    this.#isSecure = protocol === "https:";
    this.#hostname = hostname.replace(/^\[|\]$/g, "");
    this.#port = port === "" ? (this.#isSecure ? 443 : 80) : Number(port);
  }

  reached(nowMs: number): void {
    this.#reachedAtMs = nowMs;
  }

  lately(nowMs: number): boolean {
    return nowMs - this.#reachedAtMs < LATELY_MS;
  }

  /**
   * Rejects when there is no connection within `withinMs`, with its TLS. Calls that come meanwhile have the
   * same proof, since a handshake is work for the loop that relays bytes.
   */
  prove(withinMs: number): Promise<void> {
    this.#proof ??= this.#connected(withinMs).finally(() => {
      this.#proof = undefined;
    });
    return this.#proof;
  }

  #connected(withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = this.#open();
      const end = (outcome: () => void) => {
        clearTimeout(timer);
        socket.destroy();
        outcome();
      };
      const late = new Error(`the vendor could not be reached within ${withinMs} ms`);
      const timer = setTimeout(() => end(() => reject(late)), withinMs);
      socket.once(this.#isSecure ? "secureConnect" : "connect", () => end(resolve));
      // A refusal is an answer, and the call itself will hear it.
      socket.on("error", () => end(resolve));
    });
  }

  #open(): Socket {
    const host = this.#hostname;
    const place = { host, port: this.#port };
    if (!this.#isSecure) return connect(place);
    const name = isIP(host) === 0 ? { servername: host } : {};
    // Nothing is said here. Whether the certificate is a good one, the call itself finds out.
    return connectSecurely({ ...place, ...name, rejectUnauthorized: false });
  }
}
