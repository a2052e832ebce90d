/** Who is told once: that it is there, or why it will not be. */
export interface Listener<T> {
  came(value: T): void;
  failed(thrown: unknown): void;
}

/**
 * What will be there, told to those who listen in the very moment in which it is. Layers that each add a promise
 * each add a turn, and by then what they look at has left the cache. Whoever waits for it as for a promise, may.
 */
export class Eventual<T> implements PromiseLike<T>, Listener<T> {
  #state: "open" | "came" | "failed" = "open";
  #value: T | undefined;
  #thrown: unknown;
  #listener: Listener<T> | undefined;
  /** Those behind the first: most have none. */
  #others: Listener<T>[] | undefined;

  came(value: T): void {
    if (this.#state !== "open") return;
    this.#state = "came";
    this.#value = value;
    this.#tellAll();
  }

  failed(thrown: unknown): void {
    if (this.#state !== "open") return;
    this.#state = "failed";
    this.#thrown = thrown;
    this.#tellAll();
  }

  /** Listeners are told in the order in which they came; at once, where it is there already. */
  hear(listener: Listener<T>): void {
    // Also while those before it are being told.
    if (this.#others) this.#others.push(listener);
    else if (this.#state !== "open") this.#tell(listener);
    else if (!this.#listener) this.#listener = listener;
    else this.#others = [listener];
  }

  promise(): Promise<T> {
    return new Promise((came, failed) => this.hear({ came, failed }));
  }

  // biome-ignore lint/suspicious/noThenProperty: it is waited for like a promise.
  then<Came = T, Failed = never>(
    came?: ((value: T) => Came | PromiseLike<Came>) | null,
    failed?: ((thrown: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Came | Failed> {
    return this.promise().then(came, failed);
  }

  #tellAll(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener) this.#tell(listener);
    const others = this.#others;
    // It grows while they are told.
    if (others) for (const other of others) this.#tell(other);
    this.#others = undefined;
  }

  /** One that throws must not keep others from hearing. It is a mistake of ours, and known as one that nobody has caught. */
  #tell(listener: Listener<T>): void {
    try {
      if (this.#state === "came") listener.came(this.#value as T);
      else listener.failed(this.#thrown);
    } catch (thrown) {
      void Promise.reject(thrown);
    }
  }
}

/** Has somebody told of what is waited for, be it a promise. */
export function hear<T>(work: PromiseLike<T>, listener: Listener<T>): void {
  if (work instanceof Eventual) work.hear(listener);
  else
    work.then(
      (value) => listener.came(value),
      (thrown) => listener.failed(thrown),
    );
}
