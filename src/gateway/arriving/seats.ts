import { Fault } from "../../lib/faults.ts";

/** How many connections each key has open. */
export class Seats {
  readonly #taken = new Map<string, number>();

  /** Throws where there is no seat left; whoever asks all the same is counted first. */
  take(keyId: string, max: number, count: () => void): void {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken < max) {
      this.#taken.set(keyId, taken + 1);
      return;
    }
    count();
    throw new Fault(
      "rate_limit_exceeded",
      `This key has ${max} WebSocket connections open, which is the most it may have.`,
      { headers: { "retry-after": "1" } },
    );
  }

  leave(keyId: string): void {
    const taken = (this.#taken.get(keyId) ?? 1) - 1;
    if (taken > 0) this.#taken.set(keyId, taken);
    else this.#taken.delete(keyId);
  }
}
