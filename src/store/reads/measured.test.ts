import { expect, test } from "bun:test";
import { account, key, receipt, request } from "../../../test/store/samples.ts";
import { systemClock } from "../../lib/clock.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import type { Store } from "../store.ts";
import { measuredStore } from "./measured.ts";

test("a request holds until it has ended, however often that is asked for", async () => {
  const open = new Set<string>();
  const plain = {
    admission: {
      admit({ requestId }: { requestId: string }) {
        open.add(requestId);
        return { kind: "admitted" };
      },
    },
    ledger: {
      async settle({ receipt: { requestId } }: { receipt: { requestId: string } }) {
        return open.delete(requestId) ? "done" : "already";
      },
    },
    unsettled: () => [...open],
  } as unknown as Store;
  const metrics = new Metrics();
  const store = measuredStore(plain, metrics, systemClock);
  const asked = request(key(account().id), 10n);
  await store.admission.admit(asked);
  expect(metrics.holding()).toBe(1);
  const end = { kind: "post", receipt: receipt(asked, 4n) } as const;
  // While storage is out, whoever asks what became of it asks again.
  for (const written of ["done", "already", "already"] as const) {
    expect(await store.ledger.settle(end)).toBe(written);
    expect([metrics.holding(), metrics.requests.total]).toEqual([0, 1]);
  }
});

test("what breaks as it is asked for waits for nothing", () => {
  const broken = {
    admission: {},
    ledger: {
      settle() {
        throw new Error("broken");
      },
    },
    unsettled: () => [],
  } as unknown as Store;
  const metrics = new Metrics();
  const { ledger } = measuredStore(broken, metrics, systemClock);
  const asked = request(key(account().id), 10n);
  const end = { kind: "post", receipt: receipt(asked, 4n) } as const;
  expect(() => ledger.settle(end)).toThrow("broken");
  expect(metrics.storageQueue).toBe(0);
});
