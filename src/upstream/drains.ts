/** Answers that are read to their end for the vendor's count although nobody waits for them. */
export class Drains {
  readonly #max: number;
  #running = 0;
  #unplaced = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get running(): number {
    return this.#running + this.#unplaced;
  }

  /** False when there are as many as there may be: hang up then, and estimate. */
  tryEnter(): boolean {
    if (this.#running >= this.#max) return false;
    this.#running += 1;
    return true;
  }

  leave(): void {
    this.#running -= 1;
  }

  /** For one that is finished in any case: it counts, and takes no place. Returns how it leaves. */
  enterUnplaced(): () => void {
    this.#unplaced += 1;
    return () => {
      this.#unplaced -= 1;
    };
  }
}
