// A channel that is found wrong before it is saved, and requests that go wrong, as their owner reads of them.
import type { Locator } from "playwright-core";
import type { SmallVendor } from "../../support/houses/operator-house.ts";
import { KEY_NAME } from "./key-steps.ts";
import { addressOf, go, say, type Walker } from "./walker.ts";

const NEW_MODEL = "house-model-1";

async function submit(dialog: Locator): Promise<void> {
  await dialog.locator("button[type=submit]").click();
}

/** The price of the one model that nobody has priced. */
async function givePrice({ words: { channels } }: Walker, dialog: Locator): Promise<void> {
  const price = dialog.getByRole("group", { name: NEW_MODEL });
  await price.getByLabel(channels.price_input, { exact: true }).fill("1");
  await price.getByLabel(channels.price_output, { exact: true }).fill("2");
  await price.getByLabel(channels.price_context, { exact: true }).fill("8000");
  await price.getByLabel(channels.price_max_output, { exact: true }).fill("1000");
}

/** Adds a server of one's own: a wrong key is told before it is saved, its model priced where it is picked. */
export async function addChannel(walker: Walker, vendor: SmallVendor): Promise<string> {
  const { page, words } = walker;
  const { channels } = words;
  vendor.models = [NEW_MODEL];
  await page.goto(addressOf(walker, "/operator/channels?new=1"));
  const dialog = page.getByRole("dialog", { name: channels.addTitle });
  await dialog.getByLabel(channels.vendor, { exact: true }).selectOption("custom");
  await dialog.getByLabel(channels.baseUrl, { exact: true }).fill(vendor.url);
  await dialog.getByLabel(channels.keys).fill("sk-a-wrong-key-9999");
  await submit(dialog);
  await dialog.getByText(/Incorrect API key/).waitFor();
  await dialog.getByRole("button", { name: channels.addAnyway, exact: true }).waitFor();

  await dialog.getByLabel(channels.keys).fill(vendor.key);
  await dialog.getByRole("button", { name: channels.try, exact: true }).click();
  await dialog.getByText(channels.testOk, { exact: true }).waitFor();
  await dialog.getByRole("checkbox", { name: NEW_MODEL }).click();
  await givePrice(walker, dialog);
  await submit(dialog);
  await dialog.waitFor({ state: "detached" });
  // It has answered before it was saved.
  await page.getByRole("dialog").getByText(channels.state_ok, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  return NEW_MODEL;
}

/** Opens the receipt of a request, and gives back its panel. */
export async function openReceipt(walker: Walker, requestId: string): Promise<Locator> {
  const { page, words } = walker;
  await page.goto(addressOf(walker, `/requests?request=${requestId}`));
  const receipt = page.getByRole("dialog", { name: words.requests.receipt });
  await receipt.getByRole("heading", { name: words.requests.faultTitle }).waitFor();
  return receipt;
}

/** The button of a refused request leads to the dialog of the very budget. */
export async function raiseFromReceipt(walker: Walker, requestId: string): Promise<void> {
  const { page, words } = walker;
  const receipt = await openReceipt(walker, requestId);
  await receipt.getByText(words.requests.fault_limit).waitFor();
  await receipt.getByRole("link", { name: words.requests.help_raise, exact: true }).click();
  const budgets = page.getByRole("dialog", { name: say(words.keys.editTitle, { name: KEY_NAME }) });
  await budgets.waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.get("dialog") === "edit");
  await budgets.getByRole("button", { name: words.words.cancel, exact: true }).click();
  await budgets.waitFor({ state: "detached" });
  await go(walker, words.nav.overview);
}
