/** How many requests have no answer yet, those of clients that have left included. */
export class Answering {
  #count = 0;
  #idle: (() => void) | undefined;

  get count(): number {
    return this.#count;
  }

  began(): void {
    this.#count++;
  }

  ended(): void {
    this.#count--;
    if (this.#count === 0) this.#idle?.();
  }

  /** Resolves when all have one. The runtime forgets a request whose client has left; its money must still be seen to. */
  over(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }
}
