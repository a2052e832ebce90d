// How people come to an account through the console: by signing up, with a second factor, invited.
import { expect } from "bun:test";
import { type MailServer, wordsOf } from "../../support/outside/mail-server.ts";
import { totpOf, wrongTotpOf } from "../../support/totp.ts";
import { comesTrue, eventually } from "../../support/waiting.ts";
import { addressOf, copied, go, say, see, showMenu, type Walker } from "./walker.ts";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export const OWNER: Person = {
  name: "Grace Hopper",
  email: "grace@example.com",
  password: "nanoseconds of wire",
};
export const GUEST: Person = {
  name: "Katherine Johnson",
  email: "katherine@example.com",
  password: "trajectories by hand",
};
const BACKUP_CODES = 10;
/** Dollars. */
export const SIGN_UP_CREDIT = 5;
const PASSKEY_NAME = "Key of the walk";

/** From the sign-in page, as somebody who has no account yet. */
export async function signUp(walker: Walker, person: Person): Promise<void> {
  const { page, words } = walker;
  await page.goto(addressOf(walker, "/"));
  await page.getByRole("heading", { level: 1, name: words.auth.signInTitle }).waitFor();
  await page.getByRole("link", { name: words.auth.signUp, exact: true }).click();
  // The page before has a field of the same name.
  await page.getByRole("heading", { level: 1, name: words.auth.signUpTitle }).waitFor();
  await page.getByLabel(words.auth.email).fill(person.email);
  await chooseNameAndPassword(walker, person);
  await page.getByRole("heading", { level: 1, name: words.auth.sentTitle }).waitFor();
}

async function chooseNameAndPassword({ page, words }: Walker, person: Person): Promise<void> {
  await page.getByLabel(words.auth.yourName).fill(person.name);
  await page.getByLabel(words.auth.password, { exact: true }).fill(person.password);
  await page.getByRole("button", { name: words.auth.signUp, exact: true }).click();
}

/** The address of our own in the mail that somebody got last. */
async function mailedLink({ mails }: MailServer, email: string, path: string): Promise<string> {
  const link = new RegExp(`https?://\\S+/console/${path}#\\S+`);
  const mail = await eventually("the mail has come", () =>
    mails.find((one) => one.to.includes(email) && link.test(wordsOf(one))),
  );
  return link.exec(wordsOf(mail))?.[0] ?? "";
}

/** Opens the link of the mail that came after the sign-up, and gets the credit that waited for it. */
export async function confirmAddress(walker: Walker, post: MailServer): Promise<void> {
  const { page, words } = walker;
  await page.goto(await mailedLink(post, OWNER.email, "confirm"));
  await page.getByLabel(words.auth.password, { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: words.auth.confirmAction, exact: true }).click();
  await see(walker, words.overview.title);
  await go(walker, words.nav.wallet);
  await balance(walker, `$${SIGN_UP_CREDIT}.00`).waitFor();
}

function balance({ page, words }: Walker, amount: string) {
  const stat = page.locator("main dl > div").filter({ hasText: words.wallet.balance });
  return stat.getByText(amount, { exact: true }).first();
}

async function openSecurity(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await go(walker, words.nav.settings);
  await page.getByRole("tab", { name: words.settings.security }).click();
}

/** Turns the second factor on, and answers the secret that the app keeps from now on. */
export async function turnOnTwoFactor(walker: Walker, { password }: Person): Promise<string> {
  const { page, words } = walker;
  const { settings } = words;
  await openSecurity(walker);
  await page.getByRole("button", { name: settings.twoFactorTurnOn, exact: true }).click();
  const proof = page.getByRole("dialog", { name: settings.twoFactor });
  await proof.getByLabel(settings.confirmPassword).fill(password);
  await proof.getByRole("button", { name: words.words.continue, exact: true }).click();
  const scan = page.getByRole("dialog", { name: settings.scanTitle });
  await scan.getByRole("img", { name: settings.qrLabel }).waitFor();
  const secret = await copied(walker, scan.getByRole("button", { name: words.words.copy }));
  await scan.getByLabel(settings.code, { exact: true }).fill(await wrongTotpOf(secret));
  await scan.getByRole("button", { name: settings.verify }).click();
  await scan.getByText(words.errors.badCode).waitFor();
  await scan.getByLabel(settings.code, { exact: true }).fill(await totpOf(secret));
  await scan.getByRole("button", { name: settings.verify }).click();
  const backup = page.getByRole("dialog", { name: settings.backupTitle });
  const codes = backup.getByRole("list", { name: settings.backupLabel }).getByRole("listitem");
  await comesTrue(async () => expect(await codes.count()).toBe(BACKUP_CODES));
  await backup.getByRole("button", { name: settings.backupSaved }).click();
  await page.getByRole("button", { name: settings.backupNew }).waitFor();
  return secret;
}

export async function signOut(walker: Walker, { name }: Pick<Person, "name">): Promise<void> {
  const { page, words } = walker;
  await showMenu(walker);
  await page.getByRole("button", { name }).click();
  await page.getByRole("menuitem", { name: words.nav.signOut }).click();
  await page.getByRole("heading", { level: 1, name: words.auth.signInTitle }).waitFor();
  // Nothing of the console is left for whoever comes next.
  await page.goto(addressOf(walker, "/keys"));
  await page.getByRole("heading", { level: 1, name: words.auth.signInTitle }).waitFor();
}

/** The password alone opens nothing; a wrong code neither. */
export async function signInWithCode(
  walker: Walker,
  { email, password }: Person,
  secret: string,
): Promise<void> {
  const { page, words } = walker;
  const { auth } = words;
  await page.goto(addressOf(walker, "/sign-in"));
  await page.getByLabel(auth.email).fill(email);
  await page.getByLabel(auth.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: auth.signIn, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: auth.totpTitle }).waitFor();
  // The code of now has been used up when the factor was turned on; the next one is good already.
  const wrong = await wrongTotpOf(secret);
  for (const code of [wrong, await totpOf(secret, Date.now() + 30_000)]) {
    await page.getByLabel(auth.totpCode, { exact: true }).fill(code);
    await page.getByRole("button", { name: auth.verify, exact: true }).click();
    if (code === wrong) await page.getByText(words.errors.badCode).waitFor();
  }
  await see(walker, words.overview.title);
}

/** Invites somebody who may only look, and answers the link that they get: in a mail, or handed over. */
export async function inviteViewer(
  walker: Walker,
  { email }: Person,
  post?: MailServer,
): Promise<string> {
  const { page, words } = walker;
  const { team } = words;
  await go(walker, words.nav.team);
  await page.getByRole("button", { name: team.invite, exact: true }).click();
  const whom = page.getByRole("dialog", { name: team.inviteTitle });
  await whom.getByLabel(team.email, { exact: true }).fill(email);
  await whom.getByLabel(team.role, { exact: true }).selectOption({ label: team.role_viewer });
  await whom.getByRole("button", { name: team.sendInvite }).click();
  const made = page.getByRole("dialog", { name: say(team.linkTitle, { email }) });
  const link = post
    ? await mailedLink(post, email, "invitation")
    : await copied(walker, made.getByRole("button", { name: team.copyLink }));
  await made.getByRole("button", { name: words.words.done, exact: true }).click();
  const open = page.getByRole("table", { name: team.invitations });
  await open.getByRole("row").filter({ hasText: email }).waitFor();
  return link;
}

/** Somebody new follows the link and chooses a password; the address stays the invited one. */
export async function acceptInvitation(
  walker: Walker,
  link: string,
  account: string,
): Promise<void> {
  const { page, words } = walker;
  const { auth } = words;
  await page.goto(link);
  const title = say(auth.inviteTitle, { account });
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.getByRole("link", { name: auth.signUp, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: auth.signUpTitle }).waitFor();
  const email = page.getByLabel(auth.email);
  await comesTrue(async () => expect(await email.inputValue()).toBe(GUEST.email));
  await chooseNameAndPassword(walker, GUEST);
  await see(walker, words.overview.title);
  // The link has been used up.
  const [origin = "", token = ""] = link.split("/console/invitation#");
  const answer = await page.request.post(`${origin}/api/invitations/open`, { data: { token } });
  expect(answer.status()).toBe(404);
}

/** Saves a passkey under the security settings; the browser asks its authenticator by itself. */
export async function addPasskey(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { settings } = words;
  await openSecurity(walker);
  await page.getByRole("button", { name: settings.passkeyAdd, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: settings.passkeyAdd });
  await dialog.getByLabel(settings.passkeyName, { exact: true }).fill(PASSKEY_NAME);
  await dialog.getByRole("button", { name: words.words.continue, exact: true }).click();
  await page.getByText(settings.passkeyAdded).waitFor();
  await page.getByRole("listitem").filter({ hasText: PASSKEY_NAME }).waitFor();
}

/** Asks the API for a key, as a page would, and answers the status. */
export async function askForKey({ page }: Walker): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const { accounts } = await (await fetch("/api/me")).json();
    const answer = await fetch("/api/accounts/" + accounts[0].id + "/keys", {
      method: "POST",
      headers: { "content-type": "application/json", "x-faregate-csrf": "1" },
      body: JSON.stringify({ name: "Asked for by script" }),
    });
    return answer.status;
  })()`);
}
