type Begin = () => void;

/**
 * Lets one piece of work run at a time, of many owners in turn: whoever has much in line waits for the others after each
 * piece of it. What one owner asks for is done in the order of asking.
 */
export class Turns {
  /** What waits, by owner. Whose turn it is stands first until that is over, with whatever else it has. */
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

  /** The turn is over: its owner goes behind all others, or away. */
  #pass(): void {
    const [[owner, line] = ["", []]] = this.#lines;
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    this.#begin();
  }
}
