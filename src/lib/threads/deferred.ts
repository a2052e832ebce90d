/** Gets the value of a Deferred once, or the error. */
export interface Listener<T> {
  came(value: T): void;
  failed(thrown: unknown): void;
}

/**
 * A value that comes later. It calls its listeners in the same tick: each layer of promises would add a tick, and by
 * then the data has left the CPU's cache. It can also be awaited like a promise.
 */
export class Deferred<T> implements PromiseLike<T>, Listener<T> {
  #state: "open" | "came" | "failed" = "open";
  #value: T | undefined;
  #thrown: unknown;
  #listener: Listener<T> | undefined;
  /** Listeners after the first; usually none. */
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

/** Calls a listener with the outcome of a Deferred or a promise. */
export function hear<T>(work: PromiseLike<T>, listener: Listener<T>): void {
  if (work instanceof Deferred) work.hear(listener);
  else
    work.then(
      (value) => listener.came(value),
      (thrown) => listener.failed(thrown),
    );
}
