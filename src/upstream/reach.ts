import { connect } from "node:net";

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
  #reachedAtMs = Number.NEGATIVE_INFINITY;

  constructor(baseUrl: string) {
    const { hostname, port, protocol } = new URL(baseUrl);
    this.#hostname = hostname.replace(/^\[|\]$/g, "");
    this.#port = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  }

  reached(nowMs: number): void {
    this.#reachedAtMs = nowMs;
  }

  lately(nowMs: number): boolean {
    return nowMs - this.#reachedAtMs < LATELY_MS;
  }

  /** Rejects when there is no connection within `withinMs`. */
  prove(withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.#hostname, port: this.#port });
      const end = (outcome: () => void) => {
        clearTimeout(timer);
        socket.destroy();
        outcome();
      };
      const late = new Error(`the vendor could not be reached within ${withinMs} ms`);
      const timer = setTimeout(() => end(() => reject(late)), withinMs);
      socket.once("connect", () => end(resolve));
      // A refusal is an answer, and the call itself will hear it.
      socket.once("error", () => end(resolve));
    });
  }
}
