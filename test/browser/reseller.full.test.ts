// The way of a reseller, in real Chromium on a real server: a customer's account is opened, paid for,
// used by its owner, and looked after, without ever being one of its members.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { ENGLISH, launchChromium, looksOr, nameOf } from "./chromium.ts";
import { callApi, createKey } from "./steps/key-steps.ts";
import { acceptInvitation, GUEST } from "./steps/people-steps.ts";
import * as steps from "./steps/reseller-steps.ts";
import { becomeOperator, joinWalk, startWalk } from "./steps/walker.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

test.each(looksOr(ENGLISH).map((look) => [nameOf(look), look] as const))(
  "a reseller, from a customer's new account to their requests: %s",
  async (_, look) => {
    const operator = await startWalk(browser, look);
    const customer = await joinWalk(browser, look, operator.server);
    try {
      await becomeOperator(operator);
      const link = await steps.openAccount(operator, GUEST.email);
      await steps.creditAndTakeBack(operator);
      await acceptInvitation(customer, link, steps.CUSTOMER);
      const called = await callApi(customer, await createKey(customer));
      expect(called).toMatchObject({ status: 200 });
      await steps.inviteAndWithdraw(operator);
      await steps.findRequest(operator, called.requestId);
      await steps.compareBalances(operator, customer);
      await steps.readAudit(operator, GUEST.name);
      expect([...operator.complaints, ...customer.complaints]).toEqual([]);
    } finally {
      await customer.end();
      await operator.end();
    }
  },
);
