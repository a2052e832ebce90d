// Traffic of many keys and models, at times of the test's choosing, with ids that are as old.
import type { NewKey } from "../../src/accounts/account.ts";
import type { Receipt } from "../../src/ledger/receipt.ts";
import { idFloor } from "../../src/lib/ids.ts";
import type { Store } from "../../src/store/store.ts";
import { admitted, receipt, refusal, request } from "./samples.ts";

let made = 0;

/** An id of a moment. Those of the same millisecond sort in the order of making. */
export function requestIdOf(ms: number): string {
  made += 1;
  return idFloor("req_", ms) + made.toString().padStart(16, "0");
}

export interface Traffic {
  readonly key: Pick<NewKey, "id" | "accountId">;
  readonly atMs: number;
  readonly model?: string;
  readonly outcome?: "ok" | "error" | "refused";
  readonly cost?: bigint;
  readonly over?: Partial<Receipt>;
}

/** One request from its admission to its end, as the gateway would write it. */
export async function happened(store: Store, traffic: Traffic): Promise<Receipt> {
  const { key, atMs, model = "model-1.0", outcome = "ok", cost = 0n } = traffic;
  const requestId = requestIdOf(atMs);
  const over = { createdAtMs: atMs, ...traffic.over };
  if (outcome === "refused") {
    const refused = { ...refusal(request(key, 0n, { requestId, model })), ...over };
    await store.ledger.refuse(refused);
    return refused;
  }
  const asked = await admitted(store, key, cost + 1n, { requestId, model });
  const failed = { status: 503, billingReason: "upstream_failed", errorCode: "down" } as const;
  const settled = receipt(asked, outcome === "ok" ? cost : 0n, {
    ...(outcome === "ok" ? {} : failed),
    ...over,
  });
  const kind = outcome === "ok" ? "post" : "void";
  await store.ledger.settle({ kind, receipt: settled });
  return settled;
}
