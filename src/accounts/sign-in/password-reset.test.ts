// A link to set a password proves more where it was mailed: whoever opens it reads the mail of the address.
import { expect, spyOn, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { eventually } from "../../../test/support/waiting.ts";

const NEW_PASSWORD = "another good password";

onEngines("a link to set a password on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));

  /** Somebody whose address nobody has confirmed, with all that one can come in with. */
  async function unconfirmed(email: string) {
    const { browser, accountId } = await house.owner(email);
    const { user } = (await (await browser.get("/api/me")).json()) as { user: { id: string } };
    return { browser, accountId, ...(await withWaysIn(user.id)) };
  }

  async function withWaysIn(userId: string) {
    const at = "2026-01-01T00:00:00.000Z";
    await house.sql.query(
      `insert into auth_account (id, "userId", "providerId", "accountId", "createdAt", "updatedAt")
       values ($1, $2, 'acme', $1, $3, $3)`,
      [`aut_${userId}`, userId, at],
    );
    await house.sql.query(
      `insert into auth_passkey (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
       values ($1, 'x', $2, $1, 0, 'x', 0)`,
      [`pk_${userId}`, userId],
    );
    return { userId };
  }

  async function waysIn(userId: string) {
    const links = await house.sql.query(
      `select "providerId" from auth_account where "userId" = $1 and "providerId" <> 'credential'`,
      [userId],
    );
    const passkeys = await house.sql.query(`select id from auth_passkey where "userId" = $1`, [
      userId,
    ]);
    return links.length + passkeys.length;
  }

  const reset = async (browser: Browser, token: string) =>
    (await browser.post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD })).status;

  async function mailedToken(browser: Browser, email: string): Promise<string> {
    const mails = house.mails.length;
    await browser.post("/api/auth/request-password-reset", { email });
    await eventually("a mail goes out", async () => house.mails.length > mails);
    return /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1] ?? "";
  }

  const me = async (browser: Browser) =>
    (await (await browser.get("/api/me")).json()) as {
      user: { email_verified: boolean };
      accounts: { id: string }[];
    };

  test("that was mailed confirms the address, and ends what came in without it", async () => {
    const email = "squatted@example.com";
    const before = await unconfirmed(email);
    const disabled = spyOn(house.services.keyRights, "disableKeysOf");
    const browser = house.visitor();
    expect(await reset(browser, await mailedToken(browser, email))).toBe(200);
    expect(await waysIn(before.userId)).toBe(0);
    expect(disabled.mock.calls).toEqual([[before.userId]]);
    disabled.mockRestore();
    expect((await before.browser.get("/api/me")).status).toBe(401);
    expect((await browser.signIn(email, PASSWORD)).status).toBe(401);
    expect((await browser.signIn(email, NEW_PASSWORD)).status).toBe(200);
    const { user, accounts } = await me(browser);
    expect(user.email_verified).toBe(true);
    // Somebody who has forgotten a password finds everything where it was.
    expect(accounts.map(({ id }) => id)).toEqual([before.accountId]);
  });

  test("takes nothing from somebody whose address was confirmed already", async () => {
    const email = "confirmed@example.com";
    const { userId } = await unconfirmed(email);
    await house.sql.query(`update auth_user set "emailVerified" = 1 where id = $1`, [userId]);
    const browser = house.visitor();
    expect(await reset(browser, await mailedToken(browser, email))).toBe(200);
    expect(await waysIn(userId)).toBe(2);
  });

  test("takes nothing from who runs the installation", async () => {
    const email = "op@example.com";
    const operator = await house.operator(email);
    const { user } = (await (await operator.get("/api/me")).json()) as { user: { id: string } };
    await withWaysIn(user.id);
    const browser = house.visitor();
    expect(await reset(browser, await mailedToken(browser, email))).toBe(200);
    expect(await waysIn(user.id)).toBe(2);
  });

  test("that was printed at the machine proves no mailbox", async () => {
    const email = "helped@example.com";
    const { userId } = await unconfirmed(email);
    const link = (await house.services.signIn.resetLink(email)) ?? "";
    const browser = house.visitor();
    expect(await reset(browser, link.split("#")[1] ?? "")).toBe(200);
    expect(await waysIn(userId)).toBe(2);
    expect((await browser.signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect((await me(browser)).user.email_verified).toBe(false);
  });
});
