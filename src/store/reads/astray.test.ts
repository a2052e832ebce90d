// Receipts whose ids tell another time than they have are noted by whoever writes them, and no others are.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, receipt, refusal, request } from "../../../test/store/samples.ts";
import { happened, requestIdOf } from "../../../test/store/traffic.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { LEAD_MS, SLACK_MS } from "./astray.ts";

const HOUR_MS = 3_600_000;
const AT_MS = Date.UTC(2026, 8, 1);
const ASTRAY_LEADS_MS = [LEAD_MS + 1, -SLACK_MS - 1, 30 * 24 * HOUR_MS, -HOUR_MS];
const LEADS_MS = [0, LEAD_MS, -SLACK_MS, ...ASTRAY_LEADS_MS];

describe.each(ENGINES)("receipts that are astray, on $name", (engine) => {
  const site = perTest(engine.site);
  const store = perTest(() => site.open());

  async function notedOf(accountId: string): Promise<string[]> {
    const text = `select id from astray_receipts where account_id = '${accountId}'`;
    return (await site.run<{ id: string }>(text)).map(({ id }) => id);
  }

  test.each(["ok", "error", "refused"] as const)("are noted as they end: %s", async (outcome) => {
    const key = await customer(store, { credit: 1_000n });
    const astray: string[] = [];
    for (const leadMs of LEADS_MS) {
      const over = { createdAtMs: AT_MS - leadMs };
      const { requestId } = await happened(store, { key, atMs: AT_MS, outcome, over });
      if (ASTRAY_LEADS_MS.includes(leadMs)) astray.push(requestId);
    }
    expect((await notedOf(key.accountId)).sort()).toEqual(astray.sort());
  });

  test("are noted once where refusals share them", async () => {
    const key = await customer(store, { credit: 1_000n });
    const requestId = requestIdOf(AT_MS);
    const createdAtMs = AT_MS - HOUR_MS;
    const first = { ...refusal(request(key, 0n, { requestId })), createdAtMs };
    for (let i = 0; i < 3; i++) {
      await store.ledger.refuse({ ...first, lastAtMs: createdAtMs + i });
    }
    expect(await notedOf(key.accountId)).toEqual([requestId]);
  });

  test("are noted where a request was cut off", async () => {
    const key = await customer(store, { credit: 1_000n });
    const requestId = requestIdOf(Date.now() + HOUR_MS);
    await admitted(store, key, 10n, { requestId });
    await admitted(store, key, 10n);
    await store.close();
    await (await site.open()).ledger.recover();
    expect(await notedOf(key.accountId)).toEqual([requestId]);
  });

  test("are noted where they take the place of others", async () => {
    const key = await customer(store, { credit: 1_000n });
    const late = await admitted(store, key, 10n);
    await store.close();
    const next = await site.open();
    await next.ledger.recover();
    expect(await notedOf(key.accountId)).toEqual([]);
    const ended = receipt(late, 3n, { createdAtMs: Date.now() - HOUR_MS });
    const settled = { kind: "post", receipt: ended } as const;
    expect(await next.ledger.settle(settled)).toBe("done");
    expect(await notedOf(key.accountId)).toEqual([late.requestId]);
  });
});
