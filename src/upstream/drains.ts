/** A call to a vendor that can be ended. */
interface Call {
  cancel(reason: Error): void;
}

/** Answers that the gateway reads to their end for the vendor's count although no client waits for them. */
export class Drains {
  readonly #max: number;
  readonly #calls = new Set<Call>();
  #unplaced = 0;
  #isClosed = false;

  constructor(max: number) {
    this.#max = max;
  }

  get running(): number {
    return this.#calls.size + this.#unplaced;
  }

  /** Returns false when there are as many as there may be: the caller hangs up and estimates the cost. */
  tryEnter(call: Call): boolean {
    if (this.#isClosed || this.#calls.size >= this.#max) return false;
    this.#calls.add(call);
    return true;
  }

  leave(call: Call): void {
    this.#calls.delete(call);
  }

  /** Counts an answer that is finished in any case and takes no place. Returns how it leaves. */
  enterUnplaced(): () => void {
    this.#unplaced += 1;
    return () => {
      this.#unplaced -= 1;
    };
  }

  /** Hangs up on every vendor that is read for no client, now and later. Their requests end by an estimate. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#calls) call.cancel(new Error("the server ends"));
  }
}
