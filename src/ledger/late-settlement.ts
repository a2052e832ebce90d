import type { NanoUsd } from "../catalogue/money.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import { UNRECORDED } from "./ledger.ts";
import type { Settlement, TokensTaken } from "./receipt.ts";

/** What is known of a request when it asks for money. */
interface RefusedRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly stream: boolean;
}

/** The hold that it got all the same. */
interface LateHold {
  readonly held: NanoUsd;
  readonly taken?: TokensTaken | undefined;
}

/** Voids a hold that storage took after its request had been refused. No vendor was called for it. */
export function lateSettlement(
  request: RefusedRequest,
  { held, taken }: LateHold,
  nowMs: number,
): Settlement {
  const { requestId, accountId, keyId, endpoint, model, stream } = request;
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
