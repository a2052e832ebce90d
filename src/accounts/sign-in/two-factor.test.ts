import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { eventually } from "../../../test/support/waiting.ts";

const EMAIL = "careful@example.com";

/** In the middle of a step, where it stays: a step that ends during a test would change what is good. */
beforeAll(() => void setSystemTime(new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000)));
afterAll(() => void setSystemTime());

onEngines("a second factor on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));
  const browser = perSuite(() => house.operator(EMAIL));
  let secret: string;
  let backupCodes: string[];

  const codeAt = (text: string, step: number) =>
    createOTP(text, { digits: 6, period: 30 }).hotp(Math.floor(Date.now() / 30_000) + step);
  /** Of the step now, or so many later; those before and after it are good too. */
  const code = (step = 0) => codeAt(secret, step);
  /** None of the codes that are good: any fixed one is, now and then. */
  const wrongCode = async (codeOf = code) => {
    const good = await Promise.all([-1, 0, 1].map((step) => codeOf(step)));
    return ["000000", "000001", "000002", "000003"].find((each) => !good.includes(each)) ?? "";
  };
  const verify = (visitor: Browser, text: string) =>
    visitor.post("/api/auth/two-factor/verify-totp", { code: text });

  async function setUp(person: Browser) {
    const asked = await person.post("/api/auth/two-factor/enable", { password: PASSWORD });
    const { totpURI, ...rest } = (await asked.json()) as { totpURI: string; backupCodes: string[] };
    const { searchParams } = new URL(totpURI);
    const text = new TextDecoder().decode(base32.decode(searchParams.get("secret") ?? ""));
    const issuer = searchParams.get("issuer");
    return { ...rest, issuer, secret: text, codeOf: (step = 0) => codeAt(text, step) };
  }

  test("is on once a first code has been shown", async () => {
    const made = await setUp(browser);
    expect(made.issuer).toBe("Faregate");
    ({ secret, backupCodes } = made);
    expect((await verify(browser, await wrongCode())).ok).toBe(false);
    expect((await verify(browser, await code(-1))).status).toBe(200);
    const me = await (await browser.get("/api/me")).json();
    expect(me).toMatchObject({ user: { email: EMAIL, two_factor: true } });
  });

  test("the password alone opens nothing; with the code it does", async () => {
    const visitor = house.visitor();
    const first = await visitor.signIn(EMAIL, PASSWORD);
    expect(await first.json()).toMatchObject({ twoFactorRedirect: true });
    expect((await visitor.get("/api/me")).status).toBe(401);
    expect((await verify(visitor, await wrongCode())).status).toBe(401);
    expect((await visitor.get("/api/me")).status).toBe(401);
    expect((await verify(visitor, await code())).status).toBe(200);
    expect((await visitor.get("/api/me")).status).toBe(200);
  });

  test("a code opens once, and neither it nor an earlier one again", async () => {
    const enter = async (text: string) => {
      const visitor = house.visitor();
      await visitor.signIn(EMAIL, PASSWORD);
      return (await verify(visitor, text)).status;
    };
    const used = await enter(await code());
    expect([used, await enter(await code(-1))]).toEqual([401, 401]);
    const next = await code(1);
    const together = await Promise.all(Array.from({ length: 6 }, () => enter(next)));
    expect(together.toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
    expect(await enter(next)).toBe(401);
    const [row] = await house.sql.query<{ step: number }>("select step from totp_steps");
    expect(Number(row?.step)).toBeGreaterThan(50_000_000);
  });

  test("a backup code stands in for it, once", async () => {
    const enter = async (text = "") => {
      const visitor = house.visitor();
      await visitor.signIn(EMAIL, PASSWORD);
      const sent = await visitor.post("/api/auth/two-factor/verify-backup-code", { code: text });
      return [sent.status, (await visitor.get("/api/me")).status];
    };
    expect(await enter(backupCodes[0])).toEqual([200, 200]);
    expect(await enter(backupCodes[0])).toEqual([401, 401]);
  });

  test("that is locked stays so for its time, and no longer where a clock was set back", async () => {
    const email = "locked@example.com";
    const { browser: person } = await house.owner(email);
    const made = await setUp(person);
    expect((await verify(person, await made.codeOf(-1))).status).toBe(200);
    const lock = async (minutes: number) => {
      const until = new Date(Date.now() + minutes * 60_000).toISOString();
      const { user } = (await (await person.get("/api/me")).json()) as { user: { id: string } };
      await house.sql.query(
        `update auth_two_factor set "failedVerificationCount" = 10, "lockedUntil" = $1
         where "userId" = $2`,
        [until, user.id],
      );
    };
    const enter = async (factor: string, text = "") => {
      const visitor = house.visitor();
      await visitor.signIn(email, PASSWORD);
      return (await visitor.post(`/api/auth/two-factor/verify-${factor}`, { code: text })).status;
    };
    await lock(15);
    expect(await enter("backup-code", made.backupCodes[0])).toBe(429);
    await lock(24 * 60);
    expect(await enter("backup-code", made.backupCodes[0])).toBe(200);
    await lock(24 * 60);
    expect(await enter("totp", await made.codeOf())).toBe(200);
  });

  test("takes codes, each once, though the last was used before a clock was set back", async () => {
    const email = "early@example.com";
    const { browser: person } = await house.owner(email);
    const made = await setUp(person);
    expect((await verify(person, await made.codeOf(-1))).status).toBe(200);
    const { user } = (await (await person.get("/api/me")).json()) as { user: { id: string } };
    const usedLast = (ahead: number) =>
      house.sql.query("update totp_steps set step = $1 where user_id = $2", [
        Math.floor(Date.now() / 30_000) + ahead,
        user.id,
      ]);
    const enter = async () => {
      const visitor = house.visitor();
      await visitor.signIn(email, PASSWORD);
      return (await verify(visitor, await made.codeOf())).status;
    };
    // By the clock of another instance, which is a little ahead.
    await usedLast(3);
    expect(await enter()).toBe(401);
    await usedLast(24 * 120);
    expect([await enter(), await enter()]).toEqual([200, 401]);
  });

  describe("whose process ended on the way", () => {
    async function begun(email: string) {
      const { browser: person } = await house.owner(email);
      const { user } = (await (await person.get("/api/me")).json()) as { user: { id: string } };
      /** What the library writes of the identity, without what it writes of the factor behind that. */
      const half = (on: 0 | 1) =>
        house.sql.query(`update auth_user set "twoFactorEnabled" = $1 where id = $2`, [
          on,
          user.id,
        ]);
      return { person, half };
    }

    test("when it was switched on takes the codes of its app", async () => {
      const email = "half-on@example.com";
      const { person, half } = await begun(email);
      const made = await setUp(person);
      await half(1);
      const visitor = house.visitor();
      expect(await (await visitor.signIn(email, PASSWORD)).json()).toMatchObject({
        twoFactorRedirect: true,
      });
      expect((await verify(visitor, await wrongCode(made.codeOf))).status).toBe(401);
      expect((await visitor.get("/api/me")).status).toBe(401);
      expect((await verify(visitor, await made.codeOf())).status).toBe(200);
      expect((await visitor.get("/api/me")).status).toBe(200);
    });

    test("when it was switched off can be set up again", async () => {
      const { person, half } = await begun("half-off@example.com");
      const before = await setUp(person);
      expect((await verify(person, await before.codeOf())).status).toBe(200);
      await half(0);
      const made = await setUp(person);
      expect((await verify(person, await made.codeOf())).status).toBe(200);
    });
  });

  test("withstands whoever reads the mail of somebody who never confirmed the address", async () => {
    const email = "guarded@example.com";
    const { browser: person, accountId } = await house.owner(email);
    const { codeOf } = await setUp(person);
    expect((await verify(person, await codeOf())).status).toBe(200);
    house.terms = { policy: "open", credit: 0n };
    const thief = house.visitor();
    const mailed = async (path: string, body: object) => {
      const mails = house.mails.length;
      await thief.post(path, { email, ...body });
      await eventually("a mail goes out", async () => house.mails.length > mails);
      return house.mails.at(-1);
    };
    const told = await mailed("/api/auth/sign-up/email", { name: "T", password: "of the thief" });
    expect(told?.subject).toBe("You can already sign in to Faregate");
    await person.post(`/api/accounts/${accountId}/invitations`, { email, role: "viewer" });
    const form = { token: house.lastToken(), name: "T", password: "of the thief" };
    expect((await thief.post("/api/invitations/accept", form)).status).toBe(400);
    expect((await person.get("/api/me")).status).toBe(200);
    const letter = await mailed("/api/auth/request-password-reset", {});
    const token = /reset-password#(\S+)/.exec(letter?.text ?? "")?.[1];
    const reset = { token, newPassword: "of the thief" };
    expect((await thief.post("/api/auth/reset-password", reset)).status).toBe(200);
    const entered = await thief.signIn(email, "of the thief");
    expect(await entered.json()).toMatchObject({ twoFactorRedirect: true });
    expect((await thief.get("/api/me")).status).toBe(401);
  });
});
