import { describe, expect, test } from "bun:test";
import { receipt, request } from "../../test/store/samples.ts";
import { type AggregatedRefusal, AggregatedRefusals } from "./aggregated-refusals.ts";
import type { Receipt } from "./receipt.ts";
import type { RefusalCount } from "./store.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_794_700_800_000;
const ONE: RefusalCount = { requests: 1, max: 100 };

let made = 0;
function refused(over: Partial<Receipt> = {}): Receipt {
  const asked = request({ id: "key_1", accountId: "acct_1" }, 0n);
  return receipt({ ...asked, requestId: `req_${++made}` }, 0n, {
    createdAtMs: START_MS,
    durationMs: 0,
    errorCode: "model_not_found",
    ...over,
  });
}

describe("refusals of one minute", () => {
  test("have a receipt each up to the maximum, and share the next one's", () => {
    const aggregates = new AggregatedRefusals(2);
    expect([aggregates.aggregateOf(refused()), aggregates.aggregateOf(refused())]).toEqual([
      undefined,
      undefined,
    ]);
    const first = refused();
    const aggregate = aggregates.aggregateOf(first);
    expect(aggregate?.receiptId).toBe(first.requestId);
    expect(aggregates.aggregateOf(refused())).toBe(aggregate as AggregatedRefusal);
  });

  test("are told apart by key and by reason", () => {
    const aggregates = new AggregatedRefusals(1);
    aggregates.aggregateOf(refused());
    expect(aggregates.aggregateOf(refused({ errorCode: "invalid_value" }))).toBeUndefined();
    expect(aggregates.aggregateOf(refused({ keyId: "key_2" }))).toBeUndefined();
    expect(aggregates.aggregateOf(refused())).toBeDefined();
  });

  test("are forgotten with it", () => {
    const aggregates = new AggregatedRefusals(1);
    aggregates.aggregateOf(refused());
    expect(
      aggregates.aggregateOf(refused({ createdAtMs: START_MS + MINUTE_MS - 1 })),
    ).toBeDefined();
    expect(aggregates.aggregateOf(refused({ createdAtMs: START_MS + MINUTE_MS }))).toBeUndefined();
  });

  test("are written in parts, one at a time, and each is counted once", async () => {
    const aggregates = new AggregatedRefusals(0);
    const first = refused();
    const aggregate = aggregates.aggregateOf(first) as AggregatedRefusal;
    const parts: { requests: number; counted: number; id: string; lastAtMs: number | null }[] = [];
    const gate = Promise.withResolvers<void>();
    const write: Parameters<AggregatedRefusal["write"]>[0] = async ({ receipt: part, count }) => {
      const { requestId: id, requests, lastAtMs } = part;
      parts.push({ id, requests, counted: count.requests, lastAtMs });
      await gate.promise;
    };
    aggregate.add(first, ONE);
    const writing = aggregate.write(write);
    for (let i = 1; i <= 5; i++) {
      aggregate.add(
        refused({ createdAtMs: START_MS + i }),
        i === 5 ? { requests: 0, max: 100 } : ONE,
      );
      await aggregate.write(write);
    }
    gate.resolve();
    await writing;
    const id = first.requestId;
    expect(parts).toEqual([
      { id, requests: 1, counted: 1, lastAtMs: START_MS },
      { id, requests: 5, counted: 4, lastAtMs: START_MS + 5 },
    ]);
  });

  test("go on after storage was out", async () => {
    const aggregate = new AggregatedRefusals(0).aggregateOf(refused()) as AggregatedRefusal;
    aggregate.add(refused(), ONE);
    const out = aggregate.write(() => Promise.reject(new Error("disk full")));
    expect(await out.catch((thrown: Error) => thrown.message)).toBe("disk full");
    aggregate.add(refused(), ONE);
    let written = 0;
    await aggregate.write(async ({ receipt: { requests } }) => {
      written += requests;
    });
    expect(written).toBe(1);
  });
});
