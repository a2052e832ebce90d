/** An `Idempotency-Key` as one key of ours sent it: two keys with the same value never meet. */
export interface ClaimName {
  readonly keyId: string;
  readonly value: string;
}

/** The same with the key's account, for what is sealed under both. */
export interface AnswerName extends ClaimName {
  readonly accountId: string;
}

/** A request that would answer for such a value. */
export interface Claimant extends AnswerName {
  readonly requestId: string;
  /** Of what it asks: whoever asks the same again has the same. */
  readonly fingerprint: string;
}

/**
 * How far the request that has a value has come. What is `kept`, or known as `not_kept` because it
 * was too large, is the answer of a request that was about to be settled; whether it was, its receipt
 * says.
 */
export type ClaimState = (typeof CLAIM_STATES)[number];

export const CLAIM_STATES = ["running", "kept", "not_kept"] as const;

/** Who has a value, as it stands. */
export interface Claim {
  readonly requestId: string;
  readonly fingerprint: string;
  readonly state: ClaimState;
  /** Whether its request may still be settled: it holds money, or its process lives. */
  readonly alive: boolean;
}
