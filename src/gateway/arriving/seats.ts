import { Fault } from "../../lib/faults.ts";

/** How many connections each key has open. */
export class Seats {
  readonly #taken = new Map<string, number>();

  /** Throws where there is no seat left; whoever asks all the same is counted first. */
  refuseBeyond(max: number, keyId: string, count: () => void): void {
    if ((this.#taken.get(keyId) ?? 0) < max) return;
    count();
    throw new Fault(
      "rate_limit_exceeded",
      `This key has ${max} WebSocket connections open, which is the most it may have.`,
      { headers: { "retry-after": "1" } },
    );
  }

  take(keyId: string): void {
    this.#taken.set(keyId, (this.#taken.get(keyId) ?? 0) + 1);
  }

  leave(keyId: string): void {
    const taken = (this.#taken.get(keyId) ?? 1) - 1;
    if (taken > 0) this.#taken.set(keyId, taken);
    else this.#taken.delete(keyId);
  }
}
