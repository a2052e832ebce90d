import type { Soon } from "../../lib/soon.ts";

/** The headers of an answer, asked for by their names in small letters. */
export type AnswerHeaders = Pick<Headers, "get">;

/** A vendor's answer, whatever carried it: its head is there, and its body comes as it is read. */
export interface VendorAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The next chunk of the body, undefined at its end. The vendor is slowed down to whoever reads. */
  read(): Promise<Uint8Array | undefined>;
  /** All of the body that has not been read: at once where it is there already. Throws where it is longer than that. */
  text(bytesMax: number): Soon<string>;
}

/** One call of a vendor that is under way. */
export interface VendorCall {
  /** Resolves with the head of the answer. */
  readonly answered: Promise<VendorAnswer>;
  /** Closes the connection, however far the call is. Whoever waits for it hears the reason. */
  hangUp(reason: Error): void;
}
