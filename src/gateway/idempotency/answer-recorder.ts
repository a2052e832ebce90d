import type { Claimant } from "../../conversations/claim.ts";
import type { KeptAnswers } from "../../conversations/kept-answers.ts";
import type { KeptAnswer } from "../../conversations/packing.ts";
import { Fault } from "../../lib/faults.ts";
import type { TimeBudget } from "../../lib/threads/time-budget.ts";
import { bytesIn, type Writes } from "../../protocols/bytes/writes.ts";

/** Headers that belong to the moment of an answer, and not to the answer. */
const MOMENTARY = /^x-ratelimit-|^x-faregate-idempotency$/;

/** Gathers an answer as it goes to its client, and stores it for a request that repeats the Idempotency-Key. */
export interface AnswerRecorder {
  /** What the answer says of being kept. */
  readonly word: "first" | "off";
  /** An answer begins, with these headers. */
  begin(headers: Readonly<Record<string, string>>): void;
  /** What goes to the client before the end. */
  add(bytes: Uint8Array): void;
  /**
   * All of the answer is there. Resolves once it is on disk, so that it can be settled; it may be
   * called again where that failed.
   */
  keep(end: Writes | Blob, timeBudget?: TimeBudget): Promise<void>;
  /** No answer will come, or none that its client gets in full: the next request is the first. */
  free(timeBudget?: TimeBudget): Promise<void>;
  /** The client was told that there is no answer, though it may be stored already: the next request is the first. */
  drop(): Promise<void>;
}

/** Where nothing is kept. */
export const NO_RECORDER: AnswerRecorder = {
  word: "off",
  begin() {},
  add() {},
  async keep() {},
  async free() {},
  async drop() {},
};

/** Gives back a value of which a request is the first; neither fails. */
interface HeldClaim {
  /** Unless an answer is kept under it. */
  free(timeBudget?: TimeBudget): Promise<void>;
  /** Whatever is kept under it. */
  drop(): Promise<void>;
}

/** Keeps the answer of the request that has the value. */
export class ClaimRecorder implements AnswerRecorder {
  readonly word = "first";
  readonly #answers: KeptAnswers;
  readonly #claimant: Claimant;
  readonly #bytesMax: number;
  readonly #claim: HeldClaim;
  #headers: Readonly<Record<string, string>> = {};
  #bytes = 0;
  /** Undefined once there is more than may be kept. */
  #pieces: Uint8Array[] | undefined = [];
  #free = false;

  constructor(answers: KeptAnswers, claimant: Claimant, bytesMax: number, claim: HeldClaim) {
    this.#answers = answers;
    this.#claimant = claimant;
    this.#bytesMax = bytesMax;
    this.#claim = claim;
  }

  begin(headers: Readonly<Record<string, string>>): void {
    const lasting = Object.entries(headers).filter(([name]) => !MOMENTARY.test(name));
    this.#headers = Object.fromEntries(lasting);
  }

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.#bytesMax) this.#pieces = undefined;
    this.#pieces?.push(bytes);
  }

  async keep(end: Writes | Blob, timeBudget?: TimeBudget): Promise<void> {
    if (this.#free) return;
    // An answer that is too long to store is not copied.
    const isCopied = end instanceof Blob && this.#fits(end.size);
    const bytes = isCopied ? await end.bytes() : end;
    if (this.#free) return;
    const answer = bytes instanceof Blob ? undefined : this.#whole(bytes);
    if (await this.#answers.keep(this.#claimant, answer, timeBudget)) return;
    throw new Fault("storage_unavailable", "The claim on this Idempotency-Key was lost.");
  }

  free(timeBudget?: TimeBudget): Promise<void> {
    this.#free = true;
    this.#pieces = undefined;
    return this.#claim.free(timeBudget);
  }

  drop(): Promise<void> {
    this.#free = true;
    this.#pieces = undefined;
    return this.#claim.drop();
  }

  #fits(bytes: number): boolean {
    return this.#bytes + bytes <= this.#bytesMax;
  }

  #whole(end: Writes): KeptAnswer | undefined {
    if (!this.#pieces || !this.#fits(bytesIn(end))) return undefined;
    const body = Buffer.concat([this.#pieces, end].flat());
    return { status: 200, headers: this.#headers, body };
  }
}
