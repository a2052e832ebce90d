import type { NanoUsd } from "../catalogue/money.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import { UNRECORDED } from "./ledger.ts";
import type { Settlement, TokensTaken } from "./receipt.ts";

/** What is known of a request when it asks for money. */
interface Wish {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly stream: boolean;
}

/** What it was given all the same. */
interface Held {
  readonly held: NanoUsd;
  readonly taken?: TokensTaken | undefined;
}

/** The end of a hold that was taken after its request had been refused: no vendor was called for it. */
export function unheardEnd(wish: Wish, { held, taken }: Held, nowMs: number): Settlement {
  const { requestId, accountId, keyId, endpoint, model, stream } = wish;
  return {
    kind: "void",
    tokens: taken && { taken, used: 0 },
    receipt: {
      ...{ requestId, accountId, keyId, endpoint, model, stream },
      ...UNRECORDED,
      createdAtMs: nowMs,
      refusal: null,
      channel: null,
      servedModel: null,
      attempts: [],
      vendorRequestId: null,
      responseId: null,
      usage: NO_USAGE,
      usageSource: "none",
      priceVersion: null,
      charge: { lines: [], amount: 0n },
      vendorCost: null,
      held,
      outputClamp: null,
      loss: 0n,
      inputLoss: 0n,
      firstByteMs: null,
      durationMs: 0,
      requests: 1,
      lastAtMs: null,
    },
  };
}
