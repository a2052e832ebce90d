// What goes wrong, and how whoever meets it gets out: in real Chromium, on a real server with a real vendor.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { SmallVendor } from "../support/houses/operator-house.ts";
import { ENGLISH, launchChromium, looksOr, nameOf } from "./chromium.ts";
import { addChannel, openReceipt, raiseFromReceipt } from "./steps/fault-steps.ts";
import { callApi, createKey } from "./steps/key-steps.ts";
import { becomeOperator, openFirstLink, startWalk, type Walker } from "./steps/walker.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A link that somebody has taken says so, and what to type for another one. */
async function meetUsedLink(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await openFirstLink(walker);
  await page.getByRole("heading", { level: 1, name: words.auth.linkGone }).waitFor();
  await page.getByText("./bin/faregate operator link").waitFor();
  expect(await page.getByText(words.auth.welcomeTitle).count()).toBe(0);
}

/** The vendor refuses what the client sent: the client's fault, in the vendor's words. */
async function meetRefusal(walker: Walker, vendor: SmallVendor, model: string): Promise<void> {
  const { words, server } = walker;
  const message = "temperature does not go with this model";
  vendor.script = async () => Response.json({ error: { message } }, { status: 400 });
  const messages = [{ role: "user", content: "hi" }];
  const refused = await server.post("/chat/completions", server.firstKey, { model, messages });
  expect(refused.status).toBe(400);
  const receipt = await openReceipt(walker, refused.headers.get("x-request-id") ?? "");
  await receipt.getByText(words.requests.fault_client_vendor).waitFor();
  await receipt.getByText(message).waitFor();
  expect(await receipt.getByText(words.requests.reason_upstream_failed).count()).toBe(0);
}

test.each(looksOr(ENGLISH).map((look) => [nameOf(look), look] as const))(
  "whoever meets a fault is told whose it is and gets out: %s",
  async (_, look) => {
    const vendor = new SmallVendor();
    const walker = await startWalk(browser, look);
    try {
      await becomeOperator(walker);
      const secret = await createKey(walker);
      await callApi(walker, secret);
      const refused = await callApi(walker, secret);
      expect(refused.status).toBe(400);
      await raiseFromReceipt(walker, refused.requestId);
      const model = await addChannel(walker, vendor);
      await meetRefusal(walker, vendor, model);
      await meetUsedLink(walker);
      expect(walker.complaints).toEqual([]);
    } finally {
      await walker.end();
      await vendor.stop();
    }
  },
);
