import type { MaybePromise } from "../../lib/maybe-promise.ts";

/** The headers of an answer, asked for by their names in small letters. */
export type AnswerHeaders = Pick<Headers, "get">;

/** Who waits for the next chunk of a body, and hears of it once. */
export interface ChunkTaker {
  /** Undefined at the end of the body. */
  took(chunk: Uint8Array | undefined): void;
  /** Nothing more comes. */
  lost(thrown: unknown): void;
}

/** A vendor's answer, whatever carried it: its head is there, and its body comes as it is read. */
export interface VendorAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The next chunk of the body, undefined at its end. The vendor is slowed down to whoever reads. */
  read(): Promise<Uint8Array | undefined>;
  /**
   * The same without a promise, for whoever reads many: what is there is given at once, and what comes is given from
   * where it comes. Only a loss is told in a tick of its own, since who hangs up has more to do.
   */
  readTo(taker: ChunkTaker): void;
  /**
   * All of the body that has not been read: at once where it is there already. Throws where it is longer than that. What
   * is so long that making a text of it would hold up others is left to somebody else, if there is anybody.
   */
  text(bytesMax: number, long?: LongTexts): MaybePromise<string>;
}

/** Counts what is gathered of a large answer, and makes a text of a long one without holding up others. */
export interface LongTexts {
  /** So many bytes of a body have come. They are large, and more is read of it only once there is room. */
  gathered(bytes: number): MaybePromise<void>;
  /** All of a body has come. The chunks are gone afterwards. */
  textOf(chunks: readonly Uint8Array[]): Promise<string>;
}

/** One call of a vendor that is under way. */
export interface VendorCall {
  /** The answer, once its head is there, or why none came. Whoever makes a call listens to it. */
  readonly answered: PromiseLike<VendorAnswer>;
  /** Closes the connection, however far the call is. Whoever waits for it hears the reason. */
  hangUp(reason: Error): void;
}
