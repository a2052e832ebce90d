// What a reseller does for a customer, from the list of accounts and the customer's page there.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { comesTrue } from "../../support/waiting.ts";
import { KEY_NAME } from "./key-steps.ts";
import { go, say, see, type Walker } from "./walker.ts";

export const CUSTOMER = "Difference Engines";
const SECOND = "second@example.com";

/** Makes the account and invites its owner in one dialog; the link is shown, since nothing sends mail. */
export async function openAccount(walker: Walker, email: string): Promise<string> {
  const { page, words } = walker;
  const { operatorAccounts: own, team } = words;
  await go(walker, words.nav.accounts);
  await page.getByRole("button", { name: own.create, exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: own.createTitle });
  await dialog.getByLabel(own.name, { exact: true }).fill(CUSTOMER);
  await dialog.getByLabel(say(own.emailOf, { count: "1" })).fill(email);
  await dialog.getByRole("button", { name: own.create, exact: true }).click();
  const made = page.getByRole("dialog", { name: say(own.created, { name: CUSTOMER }) });
  const link = made.getByRole("status", { name: say(team.linkOf, { email }) });
  const address = (await link.textContent()) ?? "";
  await made.getByRole("button", { name: own.open }).click();
  await see(walker, CUSTOMER);
  return address;
}

/** A part of the customer's page, by its name in the navigation there. */
export async function openPart(walker: Walker, part: string): Promise<void> {
  const { page, words } = walker;
  const parts = page.getByRole("navigation", { name: words.operatorAccounts.parts });
  const link = parts.getByRole("link", { name: part, exact: true });
  await link.click();
  await parts.locator("[aria-current=page]", { hasText: part }).waitFor();
  await see(walker, CUSTOMER);
}

async function moveMoney(walker: Walker, action: string, title: string, amount: string) {
  const { page, words } = walker;
  await page.getByRole("button", { name: action, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say(title, { name: CUSTOMER }) });
  await dialog.getByLabel(words.operatorAccounts.amount, { exact: true }).fill(amount);
  await dialog.getByRole("button", { name: action, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Credits, takes some of it back, and reads both in the statement. */
export async function creditAndTakeBack(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { operatorAccounts: own, wallet } = words;
  await openPart(walker, words.nav.wallet);
  await moveMoney(walker, own.credit, own.creditTitle, "20");
  await moveMoney(walker, own.giveBack, own.giveBackTitle, "5");
  const statement = page.getByRole("table", { name: wallet.statementLabel });
  const byUs = statement.getByRole("row").filter({ hasText: wallet.note_operator });
  await byUs.filter({ hasText: wallet.kind_topup }).waitFor();
  await byUs.filter({ hasText: wallet.kind_refund }).filter({ hasText: "15.00" }).waitFor();
}

/** Invites one more, finds the link again beside the invitation, and withdraws it. */
export async function inviteAndWithdraw(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { team } = words;
  await openPart(walker, words.operatorAccounts.people);
  await page.getByRole("button", { name: team.invite, exact: true }).first().click();
  const whom = page.getByRole("dialog", { name: team.inviteTitle });
  await whom.getByLabel(team.email, { exact: true }).fill(SECOND);
  await whom.getByRole("button", { name: team.sendInvite }).click();
  const shown = page.getByRole("dialog", { name: say(team.linkTitle, { email: SECOND }) });
  const first = await linkIn(shown, team.linkLabel, words.words.done);
  await page.getByRole("button", { name: say(team.linkOf, { email: SECOND }) }).click();
  expect(await linkIn(shown, team.linkLabel, words.words.done)).toBe(first);
  await page.getByRole("button", { name: say(team.withdrawOf, { email: SECOND }) }).click();
  const question = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await question.getByRole("button", { name: team.withdraw, exact: true }).click();
  await page.getByText(SECOND, { exact: true }).waitFor({ state: "detached" });
}

async function linkIn(dialog: Locator, label: string, done: string): Promise<string> {
  const text = (await dialog.getByRole("status", { name: label }).textContent()) ?? "";
  await dialog.getByRole("button", { name: done, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  return text;
}

/** Pastes a request's id into the search and is at its receipt, in the customer's account. */
export async function findRequest(walker: Walker, requestId: string): Promise<void> {
  const { page, words } = walker;
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: words.nav.commands });
  await search.getByRole("combobox").fill(requestId);
  const found = search.getByRole("option", { name: requestId });
  await found.and(page.locator("[data-highlighted]")).waitFor();
  await page.keyboard.press("Enter");
  const receipt = page.getByRole("dialog", { name: words.requests.receipt });
  await receipt.getByText(words.requests.reason_completed).waitFor();
  // What the receipt leads to is the customer's too.
  await receipt.getByRole("link", { name: KEY_NAME }).click();
  await see(walker, CUSTOMER);
  await page.getByRole("heading", { level: 2, name: KEY_NAME }).waitFor();
}

/** The balance that the operator reads is the one that the customer reads. */
export async function compareBalances(operator: Walker, customer: Walker): Promise<void> {
  await openPart(operator, operator.words.nav.overview);
  await go(customer, customer.words.nav.overview);
  const read = ({ page, words }: Walker) =>
    page
      .locator("main dl > div", { hasText: words.overview.balance })
      .first()
      .locator("dd")
      .first()
      .textContent();
  // Each page may show what it was told before, until it has asked again.
  await comesTrue(async () => {
    const balance = await read(operator);
    // Fifteen dollars without what one answer of the sandbox costs.
    expect(balance).toMatch(/^\$1[45]\.\d+$/);
    expect(await read(customer)).toBe(balance);
  });
}

/** Everything that was done is in the account's log, by name. */
export async function readAudit(walker: Walker, person: string): Promise<void> {
  const { page, words } = walker;
  const { audit } = words;
  await openPart(walker, words.nav.audit);
  const log = page.getByRole("table", { name: audit.table });
  for (const action of [
    audit.action_account_create,
    audit.action_account_credit,
    audit.action_account_refund,
    audit.action_invitation_withdraw,
    audit.action_key_create,
  ]) {
    await log.getByText(action, { exact: true }).first().waitFor();
  }
  await page.getByLabel(audit.what, { exact: true }).selectOption({ label: audit.subject_key });
  await log.getByText(audit.action_account_credit).waitFor({ state: "detached" });
  await log.getByRole("row").filter({ hasText: KEY_NAME }).filter({ hasText: person }).waitFor();
}
