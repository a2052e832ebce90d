import { describe, expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { PASSWORD } from "../../../test/support/browser.ts";
import { count, isFull } from "../../../test/support/counts.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { processorMs } from "../../../test/support/load/processor-time.ts";

const SESSION = "faregate.session_token";

const status = async (response: Promise<Response>) => (await response).status;

onEngines("signing in on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine, slowPasswords: isFull }));
  const someone = perSuite(() => house.operator("someone@example.com"));

  test("a password opens a session, and signing out ends it for good", async () => {
    const browser = house.visitor();
    expect(await status(browser.get("/api/me"))).toBe(401);
    expect(await status(browser.signIn("Someone@Example.com", PASSWORD))).toBe(200);
    expect(await (await browser.get("/api/me")).json()).toMatchObject({
      user: { email: "someone@example.com", two_factor: false, language: null },
      operator: true,
      accounts: [{ id: house.operatorAccount.id, role: "owner", balance: "1.5" }],
      signup: "invite",
      test_payment: true,
    });
    const kept = new Map(browser.cookies);
    expect(await status(browser.post("/api/auth/sign-out"))).toBe(200);
    expect(await status(browser.get("/api/me"))).toBe(401);
    // The cookies of before are worth nothing for a change, however fresh their copy of the session.
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect(await status(browser.send("PATCH", "/api/me", { theme: "dark" }))).toBe(401);
  });

  test("a wrong password and an unknown address are answered alike", async () => {
    const wrong = await house.visitor().signIn("someone@example.com", "not this password");
    const unknown = await house.visitor().signIn("nobody@example.com", "not this password");
    expect([wrong.status, await wrong.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(wrong.status).toBe(401);
    expect([...wrong.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort());
  });

  test("a session gets a name of its own, whatever the visitor brought along", async () => {
    const browser = house.visitor();
    browser.cookies.set(SESSION, "planted.by-somebody-else");
    await browser.signIn("someone@example.com", PASSWORD);
    const first = browser.cookies.get(SESSION);
    expect(first).not.toContain("planted");
    await browser.signIn("someone@example.com", PASSWORD);
    expect(browser.cookies.get(SESSION)).not.toBe(first);
  });

  test("the cookie is out of reach of scripts and of other sites", async () => {
    const response = await house.visitor().signIn("someone@example.com", PASSWORD);
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith(SESSION));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
  });

  test("sessions are listed and ended one by one", async () => {
    const [one, two] = [house.visitor(), house.visitor()];
    await one.signIn("someone@example.com", PASSWORD);
    await two.signIn("someone@example.com", PASSWORD);
    type Session = { token: string; ipAddress: string };
    const sessions = (await (await one.get("/api/auth/list-sessions")).json()) as Session[];
    expect(sessions.map(({ ipAddress }) => ipAddress)).toContain("127.0.0.1");
    const token = decodeURIComponent(two.cookies.get(SESSION) ?? "").split(".")[0];
    expect(sessions.map((session) => session.token)).toContain(token ?? "");
    expect(await status(one.post("/api/auth/revoke-session", { token }))).toBe(200);
    expect(await status(two.send("PATCH", "/api/me", { theme: "dark" }))).toBe(401);
    expect(await status(one.send("PATCH", "/api/me", { theme: "dark" }))).toBe(200);
  });

  test("answers of the API are neither kept nor framed, refusals included", async () => {
    const answers = [
      await someone.get("/api/me"),
      await house.visitor().get("/api/me"),
      await house.visitor().signIn("nobody@example.com", "wrong password"),
    ];
    for (const { headers } of answers) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
  });

  test("the way out of the sign-in leads nowhere else", async () => {
    const elsewhere = "https://evil.example/phish";
    for (const callbackURL of [elsewhere, "//evil.example", "/\\evil.example"]) {
      const body = { email: "someone@example.com", password: PASSWORD, callbackURL };
      expect(await status(house.visitor().post("/api/auth/sign-in/email", body))).toBe(403);
    }
    const reset = `/api/auth/reset-password/x?callbackURL=${encodeURIComponent(elsewhere)}`;
    const response = await house.visitor().get(reset);
    expect(response.status).toBe(403);
    expect(response.headers.get("location")).toBeNull();
  });

  test("another site's page signs nobody in or out", async () => {
    const browser = house.visitor();
    const headers = { origin: "https://evil.example" };
    const body = { email: "someone@example.com", password: PASSWORD };
    expect(await status(browser.send("POST", "/api/auth/sign-in/email", body, headers))).toBe(403);
    await browser.signIn("someone@example.com", PASSWORD);
    expect(await status(browser.send("POST", "/api/auth/sign-out", {}, headers))).toBe(403);
    expect(await status(browser.get("/api/me"))).toBe(200);
  });

  test("both names of this machine are the console", async () => {
    for (const name of ["localhost", "127.0.0.1"]) {
      const headers = { origin: house.url.replace("127.0.0.1", name) };
      const body = { email: "someone@example.com", password: PASSWORD };
      const sent = house.visitor().send("POST", "/api/auth/sign-in/email", body, headers);
      expect(await status(sent)).toBe(200);
    }
  });

  test("a new password comes by mail, once, and ends the sessions of the old one", async () => {
    const browser = await house.operator("forgetful@example.com");
    const visitor = house.visitor();
    const ask = (email: string) => visitor.post("/api/auth/request-password-reset", { email });
    const known = await ask("forgetful@example.com");
    const unknown = await ask("nobody@example.com");
    expect(await known.json()).toEqual(await unknown.json());
    expect(house.mails.map(({ to }) => to)).toEqual(["forgetful@example.com"]);
    const token = /reset-password#(\S+)/.exec(house.mails[0]?.text ?? "")?.[1];
    const stored = await house.sql.query<{ identifier: string }>(
      "select identifier from auth_verification",
    );
    expect(JSON.stringify(stored)).not.toContain(token ?? "?");
    const reset = () =>
      visitor.post("/api/auth/reset-password", { token, newPassword: "another good password" });
    expect(await status(reset())).toBe(200);
    expect(await status(reset())).toBe(400);
    expect(await status(browser.send("PATCH", "/api/me", { theme: "dark" }))).toBe(401);
    expect(await status(visitor.signIn("forgetful@example.com", PASSWORD))).toBe(401);
    expect(await status(visitor.signIn("forgetful@example.com", "another good password"))).toBe(
      200,
    );
  });

  test("a passkey is asked for under a real name", async () => {
    const response = await someone.get("/api/auth/passkey/generate-register-options");
    expect(await response.json()).toMatchObject({ rp: { id: "localhost", name: "Faregate" } });
  });

  test("a body that is far too large is not read", async () => {
    const response = await house.visitor().signIn("x".repeat(300 * 1024), PASSWORD);
    expect(response.status).toBe(413);
  });
});

// Whatever is kept of them is the same on both databases.
describe("passwords as an installation keeps them", () => {
  const house = perSuite(async (parts) => {
    const opened = await peopleHouse(parts, { slowPasswords: true });
    await opened.operator("someone@example.com");
    return opened;
  });

  test("open a session, and others do not", async () => {
    const trying = (password: string) => house.visitor().signIn("someone@example.com", password);
    expect(await status(trying(PASSWORD))).toBe(200);
    expect(await status(trying("not this password"))).toBe(401);
  });

  test("cost the same work for an unknown address as for a wrong password", async () => {
    const workOf = (email: string) =>
      processorMs(async () => {
        for (let i = 0; i < count(2, 5); i++)
          await house.visitor().signIn(email, "not this password");
      });
    await workOf("someone@example.com");
    const [wrong, unknown] = [await workOf("someone@example.com"), await workOf("no@example.com")];
    // Without the same derivation of a key it would be a small part of it.
    expect(unknown).toBeGreaterThan(wrong * 0.4);
  });
});
