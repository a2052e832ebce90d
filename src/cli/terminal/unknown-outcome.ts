import { StorageError } from "../../lib/faults.ts";

/** Nobody has answered, so what was asked for may have been done: it says how to ask so that it is done once. */
export class UnknownOutcomeError extends StorageError {
  /** In the language of the terminal; the message is English. */
  readonly words: string;
  readonly #facts: Readonly<Record<string, unknown>>;

  constructor(
    said: { readonly message: string; readonly words: string },
    facts: Readonly<Record<string, unknown>>,
    cause: StorageError,
  ) {
    super(said.message, { cause });
    this.words = said.words;
    this.#facts = facts;
  }

  /** The error object, in the shape of the server's, with what programs need to ask again. */
  toJson(): Readonly<Record<string, unknown>> {
    const { message } = this;
    const error = { message, type: "service_unavailable_error", code: "storage_unavailable" };
    return { ...error, param: null, ...this.#facts };
  }
}
