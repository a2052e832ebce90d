/** Reads events that are looked at twice: first for what they would add, then as they go through. */
export class ReadOnce<Value> {
  readonly #read: (event: Uint8Array) => Value;
  #event: Uint8Array | undefined;
  #value: Value | undefined;

  constructor(read: (event: Uint8Array) => Value) {
    this.#read = read;
  }

  /** What an event says, kept for the second look. */
  first(event: Uint8Array): Value {
    const value = this.#read(event);
    this.#event = event;
    this.#value = value;
    return value;
  }

  /** The same again, and then let go. */
  again(event: Uint8Array): Value {
    const value = this.#event === event ? (this.#value as Value) : this.#read(event);
    this.#event = undefined;
    this.#value = undefined;
    return value;
  }
}
