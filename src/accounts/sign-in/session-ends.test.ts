import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";

const NEW_PASSWORD = "another good password";

describe.each(ENGINES)("a session on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));

  /** Three browsers of one person, all of whom have read something a moment ago. */
  async function three(email: string): Promise<readonly [Browser, Browser, Browser]> {
    const first = await house.operator(email);
    const others = [house.visitor(), house.visitor()] as const;
    for (const browser of others) await browser.signIn(email, PASSWORD);
    for (const browser of [first, ...others]) expect(await reads(browser)).toBe(200);
    return [first, ...others];
  }
  const reads = async (browser: Browser) => (await browser.get("/api/me")).status;

  test("ends at once for everybody who has a copy of its cookies, for reading too", async () => {
    const [browser] = await three("out@example.com");
    const copy = house.visitor();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(await reads(copy)).toBe(200);
    await browser.post("/api/auth/sign-out");
    expect(await reads(copy)).toBe(401);
    expect((await copy.get("/api/auth/get-session")).status).toBe(200);
    expect(await (await copy.get("/api/auth/get-session")).json()).toBeNull();
  });

  test("ends at once when the password is changed elsewhere, whatever the page has asked for", async () => {
    const [browser, ...others] = await three("change@example.com");
    const change = await browser.post("/api/auth/change-password", {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOtherSessions: false },
    });
    expect(change.status).toBe(200);
    for (const other of others) expect(await reads(other)).toBe(401);
    expect(await reads(browser)).toBe(200);
  });

  test("ends at once when the password is set by a link", async () => {
    const browsers = await three("forgot@example.com");
    const visitor = house.visitor();
    await visitor.post("/api/auth/request-password-reset", { email: "forgot@example.com" });
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1];
    const reset = { token, newPassword: NEW_PASSWORD };
    expect((await visitor.post("/api/auth/reset-password", reset)).status).toBe(200);
    for (const browser of browsers) expect(await reads(browser)).toBe(401);
  });

  test("a link to set a password is worth nothing once the password was changed", async () => {
    const [browser] = await three("late@example.com");
    const visitor = house.visitor();
    await visitor.post("/api/auth/request-password-reset", { email: "late@example.com" });
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1];
    await browser.post("/api/auth/change-password", {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    const reset = { token, newPassword: "a third good password" };
    expect((await visitor.post("/api/auth/reset-password", reset)).status).toBe(400);
  });

  test("ends at once when its person ends all others", async () => {
    const [browser, ...others] = await three("only@example.com");
    expect((await browser.post("/api/auth/revoke-other-sessions")).status).toBe(200);
    for (const other of others) expect(await reads(other)).toBe(401);
    expect(await reads(browser)).toBe(200);
  });
});
