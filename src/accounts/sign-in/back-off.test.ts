import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { eventually } from "../../../test/support/waiting.ts";

const FREE = 3;
const FIRST_MS = 2_000;
const MOST_MS = 10_000;

onEngines("the wait of one person on $name", (engine) => {
  const env = {
    FAREGATE_SIGN_IN_PERSON_FAILURES_MAX: String(FREE),
    FAREGATE_SIGN_IN_PERSON_WAIT_MS: String(FIRST_MS),
    FAREGATE_SIGN_IN_PERSON_WAIT_MAX_MS: String(MOST_MS),
    // Each request below is as if from an address of its own.
    FAREGATE_TRUSTED_PROXIES: "127.0.0.0/8",
  };
  const house = perSuite((parts) => peopleHouse(parts, { engine, env }));

  let addresses = 0;
  /** A try from an address that has never been seen. */
  const tryIn = (email: string, password = "not this password", browser = house.visitor()) => {
    const n = ++addresses;
    const headers = { "x-forwarded-for": `198.51.${n >> 8}.${n & 255}` };
    return browser.send("POST", "/api/auth/sign-in/email", { email, password }, headers);
  };
  const waitOf = async (response: Response) => [
    response.status,
    Number(response.headers.get("retry-after")),
  ];

  test("grows with every wrong password, up to a most, from wherever they come", async () => {
    await house.operator("target@example.com");
    for (let i = 0; i < FREE; i++) expect((await tryIn("target@example.com")).status).toBe(401);
    expect((await tryIn("Target@Example.com")).status).toBe(401);
    for (const seconds of [2, 4, 8, 10, 10]) {
      expect(await waitOf(await tryIn("target@example.com"))).toEqual([429, seconds]);
      // The right password has to wait as well, or it could be told from a wrong one.
      expect((await tryIn("target@example.com", PASSWORD)).status).toBe(429);
      house.laterMs += seconds * 1_000;
      expect((await tryIn("target@example.com")).status).toBe(401);
    }
    house.laterMs += MOST_MS;
    expect((await tryIn("target@example.com", PASSWORD)).status).toBe(200);
    // From then on it begins anew.
    for (let i = 0; i < FREE; i++) expect((await tryIn("target@example.com")).status).toBe(401);
  });

  test("is over where a clock that was ahead has been put right", async () => {
    await house.operator("patient@example.com");
    for (let i = 0; i < FREE + 1; i++) await tryIn("patient@example.com");
    expect((await tryIn("patient@example.com")).status).toBe(429);
    house.laterMs -= 3 * 3_600_000;
    expect((await tryIn("patient@example.com")).status).toBe(401);
    // What was tried before still counts.
    expect(await waitOf(await tryIn("patient@example.com"))).toEqual([429, 2 * (FIRST_MS / 1_000)]);
    house.laterMs += 3 * 3_600_000;
  });

  test("is the same for an address that nobody has", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < FREE + 2; i++) statuses.push((await tryIn("nobody@example.com")).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });

  test("counts tries at the same instant", async () => {
    await house.operator("burst@example.com");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tryIn("burst@example.com", "wrong password")),
    );
    const checked = answers.filter(({ status }) => status === 401);
    expect(checked.length).toBeLessThanOrEqual(FREE + 1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - checked.length);
  });

  test("does not keep out somebody who is signed in, nor a browser that has been before", async () => {
    const email = "victim@example.com";
    const signedIn = await house.operator(email);
    const known = house.visitor();
    expect((await tryIn(email, PASSWORD, known)).status).toBe(200);
    await known.post("/api/auth/sign-out");
    for (let i = 0; i < FREE + 5; i++) await tryIn(email);
    expect((await tryIn(email, PASSWORD)).status).toBe(429);
    expect((await signedIn.get("/api/me")).status).toBe(200);
    expect((await tryIn(email, PASSWORD, known)).status).toBe(200);
    // What such a browser may try is counted too, by itself.
    for (let i = 0; i < FREE + 1; i++) {
      expect((await tryIn(email, "wrong password", known)).status).toBe(401);
    }
    expect((await tryIn(email, "wrong password", known)).status).toBe(429);
    // It is known for its own person alone.
    for (let i = 0; i < FREE + 1; i++) await tryIn("other@example.com");
    expect((await tryIn("other@example.com", PASSWORD, known)).status).toBe(429);
  });

  /** Somebody else makes the address wait. */
  async function guess(email: string): Promise<void> {
    for (let i = 0; i < FREE + 3; i++) await tryIn(email);
    expect((await tryIn(email)).status).toBe(429);
  }

  test("ends with a password that was set by mail, whoever goes on guessing", async () => {
    const email = "locked@example.com";
    await house.operator(email);
    await guess(email);
    const browser = house.visitor();
    const mails = house.mails.length;
    await browser.post("/api/auth/request-password-reset", { email });
    await eventually("a mail goes out", async () => house.mails.length > mails);
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1];
    const reset = { token, newPassword: "another good password" };
    expect((await browser.post("/api/auth/reset-password", reset)).status).toBe(200);
    // Also in another browser, as long as nobody guesses again.
    expect((await tryIn(email, reset.newPassword)).status).toBe(200);
    await guess(email);
    expect((await tryIn(email, reset.newPassword)).status).toBe(429);
    expect((await tryIn(email, reset.newPassword, browser)).status).toBe(200);
  });

  test("keeps nobody from confirming a sign-up", async () => {
    house.terms = { policy: "open", credit: 0n };
    const email = "new@example.com";
    const browser = house.visitor();
    const mails = house.mails.length;
    await browser.post("/api/auth/sign-up/email", { email, name: "New", password: PASSWORD });
    await eventually("a mail goes out", async () => house.mails.length > mails);
    const form = { token: house.lastToken(), password: PASSWORD };
    await guess(email);
    expect((await browser.post("/api/sign-up/confirm", form)).status).toBe(200);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  test("keeps nobody from an invitation", async () => {
    const { browser: host, accountId } = await house.owner("host@example.com");
    const body = { email: "guest@example.com", role: "member" };
    await host.post(`/api/accounts/${accountId}/invitations`, body);
    const form = { token: house.lastToken(), name: "Guest", password: PASSWORD };
    await guess(body.email);
    const guest = house.visitor();
    expect((await guest.post("/api/invitations/accept", form)).status).toBe(200);
    expect((await guest.get("/api/me")).status).toBe(200);
  });

  test("keeps nobody from the operator's link", async () => {
    const form = { email: "next@example.com", name: "Next", password: PASSWORD };
    await guess(form.email);
    const token = await house.services.links.create();
    const next = house.visitor();
    expect((await next.post("/api/operator-link", { token, ...form })).status).toBe(200);
    expect((await next.get("/api/me")).status).toBe(200);
  });

  test("keeps no addresses, only their digests", async () => {
    const rows = await house.sql.query("select * from sign_in_attempts");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("@");
  });
});
