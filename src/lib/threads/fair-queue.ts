type Begin = () => void;

/**
 * Runs one piece of work at a time, round-robin among its owners: an owner with much work waits for the others after
 * each piece. The work of one owner runs in the order of asking.
 */
export class FairQueue {
  /** Waiting work by owner. The owner whose work runs stands first. */
  readonly #lines = new Map<string, Begin[]>();

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await this.#turnOf(owner);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #turnOf(owner: string): Promise<void> {
    const isFree = this.#lines.size === 0;
    const turn = Promise.withResolvers<void>();
    this.#lines.getOrInsertComputed(owner, () => []).push(turn.resolve);
    if (isFree) this.#begin();
    return turn.promise;
  }

  #begin(): void {
    const [line] = this.#lines.values();
    line?.shift()?.();
  }

  /** A piece of work has ended: its owner goes behind all others, or away. */
  #pass(): void {
    const [[owner, line] = ["", []]] = this.#lines;
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    this.#begin();
  }
}
