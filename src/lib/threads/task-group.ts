/**
 * Work that outlives the call that began it, such as finishing a request whose client has left.
 * Nothing is fired and forgotten: shutdown waits for the group, and a failure reaches `onFailure`.
 */
export class TaskGroup {
  readonly #running = new Set<Promise<void>>();
  readonly #onFailure: (thrown: unknown) => void;

  constructor(onFailure: (thrown: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#running.size;
  }

  run(work: Promise<unknown>): void {
    const task: Promise<void> = work
      .then(() => {}, this.#onFailure)
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  /** Resolves once nothing runs any more, including work that was added while waiting. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
