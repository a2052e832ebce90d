// The ways of money through the console: into the wallet, and out of it by requests.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { comesTrue } from "../../support/waiting.ts";
import { KEY_NAME } from "./key-steps.ts";
import { copied, go, say, type Walker } from "./walker.ts";

/** Finds the request by its id and reads its receipt from hold to post. */
export async function seeReceipt(walker: Walker, requestId: string): Promise<void> {
  const { page, words } = walker;
  const { requests } = words;
  await go(walker, words.nav.requests);
  await page.getByRole("searchbox", { name: requests.search }).fill(requestId);
  const table = page.getByRole("table", { name: requests.tableLabel });
  const rows = table.getByRole("row").filter({ hasText: "sandbox-1.0" });
  await page.waitForURL((url) => url.searchParams.get("q") === requestId);
  // The rows of before stay until those of the search have come.
  await comesTrue(async () => expect(await rows.count()).toBe(1));
  await rows.getByRole("button").click();
  const receipt = page.getByRole("dialog", { name: requests.receipt });
  await receipt.getByText(requests.reason_completed).waitFor();
  for (const line of [requests.item_input, requests.item_output, requests.charged]) {
    await receipt.getByRole("rowheader", { name: line, exact: true }).waitFor();
  }
  await receipt.getByText(requests.entry_hold).waitFor();
  await receipt.getByText(requests.entry_post).waitFor();
  await receipt.getByRole("link", { name: KEY_NAME }).waitFor();
  await page.keyboard.press("Escape");
  await receipt.waitFor({ state: "detached" });
}

/** Pays 20 dollars by the way that is none. */
export async function topUpByTest(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { wallet } = words;
  await go(walker, words.nav.wallet);
  await page.getByRole("button", { name: wallet.topUp, exact: true }).click();
  const order = page.getByRole("dialog", { name: wallet.topUpTitle });
  await order.getByLabel(wallet.amount, { exact: true }).fill("20");
  await order.getByRole("radio", { name: wallet.way_test }).check();
  await order.getByRole("button", { name: words.words.continue }).click();
  const test = page.getByRole("dialog", { name: wallet.testTitle });
  await test.getByRole("button", { name: wallet.testConfirm }).click();
  await page.getByText(say(wallet.testPaid, { amount: "$20.00" })).waitFor();
  await entry(walker, wallet.kind_test, "20.00").waitFor();
}

/** A line of the statement. */
function entry({ page, words }: Walker, kind: string, amount: string): Locator {
  const statement = page.getByRole("table", { name: words.wallet.statementLabel });
  return statement.getByRole("row").filter({ hasText: kind }).filter({ hasText: amount });
}

/** Makes one code worth 3 dollars on the operator's page. */
export async function makeCode(walker: Walker): Promise<string> {
  const { page, words } = walker;
  const { codes } = words;
  await go(walker, words.nav.codes);
  await page.getByRole("button", { name: codes.create, exact: true }).first().click();
  const form = page.getByRole("dialog", { name: codes.createTitle });
  await form.getByLabel(codes.count, { exact: true }).fill("1");
  await form.getByLabel(codes.amount, { exact: true }).fill("3");
  await form.getByRole("button", { name: codes.create, exact: true }).click();
  const made = page.getByRole("dialog").filter({ hasText: codes.madeHint });
  const code = await copied(walker, made.getByRole("button", { name: codes.copyAll }));
  await made.getByRole("button", { name: codes.saved }).click();
  await made.waitFor({ state: "detached" });
  return code;
}

/** Redeems a code, and finds that it works once. */
export async function redeemCode(walker: Walker, code: string): Promise<void> {
  const { page, words } = walker;
  const { wallet } = words;
  await go(walker, words.nav.wallet);
  const dialog = page.getByRole("dialog", { name: wallet.redeemTitle });
  const redeem = async () => {
    await page.getByRole("button", { name: wallet.redeem, exact: true }).click();
    await dialog.getByLabel(wallet.code, { exact: true }).fill(code);
    await dialog.getByRole("button", { name: wallet.redeemAction, exact: true }).click();
  };
  await redeem();
  await page.getByText(say(wallet.redeemed, { amount: "$3.00" })).waitFor();
  await entry(walker, wallet.kind_topup, "3.00").waitFor();
  await redeem();
  await dialog
    .getByLabel(wallet.code, { exact: true })
    .and(page.locator("[aria-invalid=true]"))
    .waitFor();
  await dialog.getByRole("button", { name: words.words.cancel }).click();
}
