// The life of a key as its owner sees it: made, used, used up, raised, replaced, turned off, deleted.
import { expect } from "bun:test";
import { comesTrue } from "../../support/waiting.ts";
import { copied, go, say, type Walker } from "./walker.ts";

export const KEY_NAME = "Walking app";
/** Less than one answer of the sandbox costs, so the second request meets it. */
const SMALL_BUDGET = "0.00001";
const RAISED_BUDGET = "2.5";

/** Makes a key with a small budget and copies its secret from the dialog that shows it once. */
export async function createKey(walker: Walker): Promise<string> {
  const { page, words } = walker;
  const { keys } = words;
  await go(walker, words.nav.keys);
  await page.getByRole("button", { name: keys.create, exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: keys.createTitle });
  await dialog.getByLabel(keys.name, { exact: true }).fill(KEY_NAME);
  await dialog.getByLabel(keys.budget_total).fill(SMALL_BUDGET);
  await dialog.getByRole("button", { name: keys.create, exact: true }).click();
  const shown = page.getByRole("dialog", { name: keys.secretTitle });
  const secret = await copied(walker, shown.getByRole("button", { name: keys.copySecret }));
  expect(await shown.getByRole("status", { name: keys.secretLabel }).textContent()).toBe(secret);
  await shown.getByText(`Authorization: Bearer ${secret}`).waitFor();
  await shown.getByRole("button", { name: keys.secretSaved }).click();
  await shown.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(secret);
  await page.getByRole("link", { name: KEY_NAME, exact: true }).waitFor();
  return secret;
}

interface Called {
  readonly status: number;
  readonly requestId: string;
  /** Empty where the call succeeded. */
  readonly refusal: string;
}

/** What any client does with the secret. */
export async function callApi({ server }: Walker, secret: string): Promise<Called> {
  const body = { model: "sandbox-1.0", input: "Say hello." };
  const response = await server.post("/responses", secret, body);
  const { error } = (await response.json()) as { error?: { message: string } | null };
  const requestId = response.headers.get("x-request-id") ?? "";
  return { status: response.status, requestId, refusal: error?.message ?? "" };
}

/** The key's own page. */
export async function openKey(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await go(walker, words.nav.keys);
  await page.getByRole("link", { name: KEY_NAME, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: KEY_NAME }).waitFor();
}

/** The meter is full, and tells the same amounts as the refusal that the client got. */
export async function seeBudgetSpent(walker: Walker, refusal: string): Promise<void> {
  const { page, words } = walker;
  await openKey(walker);
  const meter = page.getByRole("meter", { name: words.keys.budget_total });
  const [used, max] = amountsIn(refusal);
  // What the page knew of the key before is shown until it has heard more.
  await comesTrue(async () => {
    expect(await meter.getAttribute("aria-valuenow")).toBe("100");
    const told = (await meter.getAttribute("aria-valuetext")) ?? "";
    expect(told).toStartWith(`$${used} / $${max}`);
  });
}

function amountsIn(refusal: string): readonly string[] {
  const found = /Current cost: ([\d.]+), Max budget: ([\d.]+)/.exec(refusal);
  expect(found).not.toBeNull();
  return found?.slice(1) ?? [];
}

export async function raiseBudget(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await openKey(walker);
  await page.getByRole("button", { name: words.keys.edit, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say(words.keys.editTitle, { name: KEY_NAME }) });
  await dialog.getByLabel(words.keys.budget_total).fill(RAISED_BUDGET);
  await dialog.getByRole("button", { name: words.words.save, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("/ $2.50").waitFor();
}

/** Another secret, beside which the one before works until it is ended. */
export async function replaceSecret(walker: Walker, old: string): Promise<string> {
  const { page, words } = walker;
  const { keys } = words;
  await openKey(walker);
  await page.getByRole("button", { name: keys.rotate, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say(keys.rotateTitle, { name: KEY_NAME }) });
  await dialog.getByRole("button", { name: keys.rotate, exact: true }).click();
  const shown = page.getByRole("dialog", { name: keys.secretTitle });
  const secret = await copied(walker, shown.getByRole("button", { name: keys.copySecret }));
  await shown.getByRole("button", { name: keys.secretSaved }).click();
  await shown.waitFor({ state: "detached" });
  for (const one of [old, secret])
    expect(await callApi(walker, one)).toMatchObject({ status: 200 });
  await page.getByRole("button", { name: keys.formerEnd }).click();
  const asked = page.getByRole("dialog", { name: keys.formerEndTitle });
  await asked.getByRole("button", { name: keys.formerEnd, exact: true }).click();
  await page.getByText(keys.formerEnded).waitFor();
  expect(await callApi(walker, old)).toMatchObject({ status: 401 });
  expect(await callApi(walker, secret)).toMatchObject({ status: 200 });
  return secret;
}

/** Takes the key away for good: it is out of the list, and nothing opens by it. */
export async function deleteKey(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { keys } = words;
  await openKey(walker);
  await page.getByRole("button", { name: keys.delete, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say(keys.deleteTitle, { name: KEY_NAME }) });
  await dialog.getByRole("button", { name: keys.delete, exact: true }).click();
  await page.getByText(say(keys.deletedToast, { name: KEY_NAME })).waitFor();
  await page.getByRole("heading", { level: 1, name: keys.title }).waitFor();
  await page.getByRole("link", { name: KEY_NAME, exact: true }).waitFor({ state: "detached" });
}

/** Turns the key off in the list, and confirms. */
export async function disableKey(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { keys } = words;
  await go(walker, words.nav.keys);
  const name = say(keys.enable, { name: KEY_NAME });
  await page.getByRole("switch", { name, checked: true }).click();
  const dialog = page.getByRole("dialog", { name: say(keys.disableTitle, { name: KEY_NAME }) });
  await dialog.getByRole("button", { name: keys.disableAction, exact: true }).click();
  await page.getByText(say(keys.turnedOff, { name: KEY_NAME })).waitFor();
  await page.getByRole("switch", { name, checked: false }).waitFor();
}
