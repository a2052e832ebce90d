// The way of a solo developer on a first day, in real Chromium on a real server: from the link that the start
// printed to a key that is used, limited, paid for, replaced and deleted.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { ENGLISH, launchChromium, looksOr, nameOf } from "./chromium.ts";
import {
  callApi,
  createKey,
  deleteKey,
  disableKey,
  raiseBudget,
  replaceSecret,
  seeBudgetSpent,
} from "./steps/key-steps.ts";
import { makeCode, redeemCode, seeReceipt, topUpByTest } from "./steps/money-steps.ts";
import { becomeOperator, startWalk, type Walker } from "./steps/walker.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function spendTheBudget(walker: Walker, secret: string): Promise<void> {
  const served = await callApi(walker, secret);
  expect(served).toMatchObject({ status: 200, refusal: "" });
  await seeReceipt(walker, served.requestId);
  const refused = await callApi(walker, secret);
  expect(refused.status).toBe(400);
  await seeBudgetSpent(walker, refused.refusal);
  await raiseBudget(walker);
  expect(await callApi(walker, secret)).toMatchObject({ status: 200 });
}

test.each(looksOr(ENGLISH).map((look) => [nameOf(look), look] as const))(
  "a solo developer, from the printed link to a deleted key: %s",
  async (_, look) => {
    const walker = await startWalk(browser, look, {}, { inProcesses: true });
    try {
      await becomeOperator(walker);
      const secret = await createKey(walker);
      await spendTheBudget(walker, secret);
      await topUpByTest(walker);
      await redeemCode(walker, await makeCode(walker));
      const next = await replaceSecret(walker, secret);
      await disableKey(walker);
      expect(await callApi(walker, next)).toMatchObject({ status: 401 });
      await deleteKey(walker);
      expect(walker.complaints).toEqual([]);
    } finally {
      await walker.end();
    }
  },
);
