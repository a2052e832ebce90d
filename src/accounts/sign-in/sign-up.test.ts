import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/house.ts";
import { peopleHouse } from "../../../test/support/people-house.ts";

describe.each(ENGINES)("signing up on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));
  beforeAll(async () => {
    await house.operator("op@example.com");
  });
  beforeEach(() => {
    house.terms = { policy: "invite", credit: 0n };
  });

  const signUp = (email: string, name = "New", password = PASSWORD) => {
    const browser = house.visitor();
    const answer = browser.post("/api/auth/sign-up/email", { email, name, password });
    return { browser, answer };
  };
  type Me = { accounts: { id: string; role: string }[]; operator: boolean };

  test("needs an invitation, and says so whether or not the address is known", async () => {
    for (const policy of ["invite", "closed"] as const) {
      house.terms = { policy, credit: 0n };
      const unknown = await signUp("stranger@example.com").answer;
      const known = await signUp("op@example.com").answer;
      expect([unknown.status, await unknown.json()]).toEqual([known.status, await known.json()]);
      expect(unknown.status).toBe(403);
    }
    const people = await house.sql.query("select id from auth_user");
    expect(people).toHaveLength(1);
  });

  /** The link of the last mail, as a path of the house. */
  const confirmation = () => {
    const [, path = ""] =
      /(\/api\/auth\/verify-email\S+)/.exec(house.mails.at(-1)?.text ?? "") ?? [];
    return path;
  };
  const verified = async (browser: Browser) =>
    ((await (await browser.get("/api/me")).json()) as { user: { email_verified: boolean } }).user
      .email_verified;

  test("where it is open, it opens an account that cannot be overrun", async () => {
    house.terms = { policy: "open", credit: 2_000_000_000n };
    const { browser, answer } = signUp("first@example.com");
    expect((await answer).status).toBe(200);
    const me = (await (await browser.get("/api/me")).json()) as Me;
    expect(me).toMatchObject({ operator: false, accounts: [{ role: "owner" }] });
    const [{ id } = { id: "" }] = me.accounts;
    expect(await house.services.accounts.findAccount(id)).toMatchObject({
      hard: true,
      operator: false,
    });
    expect(house.credits).toEqual([]);

    expect(house.mails.at(-1)).toMatchObject({ to: "first@example.com" });
    const opened = await house.visitor().get(confirmation());
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "/console"]);
    // Opening it gives nobody a session.
    expect(opened.headers.getSetCookie()).toEqual([]);
    expect(house.credits).toMatchObject([{ accountId: id, amount: 2_000_000_000n, kind: "trial" }]);
    await browser.signIn("first@example.com", PASSWORD);
    expect(await verified(browser)).toBe(true);
  });

  test("gives no credit unless there is some, and asks nobody to confirm for nothing", async () => {
    const mails = house.mails.length;
    house.terms = { policy: "open", credit: 0n };
    const { browser, answer } = signUp("second@example.com");
    expect((await answer).status).toBe(200);
    expect(house.mails).toHaveLength(mails);
    expect(await verified(browser)).toBe(false);
  });

  test("gives one mailbox one credit, whatever is written behind a plus or in capitals", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    for (const email of ["farm@example.com", "farm+1@example.com", "FARM+two@Example.com"]) {
      expect((await signUp(email).answer).status).toBe(200);
      await house.visitor().get(confirmation());
    }
    await house.visitor().get(confirmation());
    expect((await signUp("farmer@example.com").answer).status).toBe(200);
    await house.visitor().get(confirmation());
    // The ledger credits an id once.
    const ids = house.credits.map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    expect(ids[3]).not.toBe(ids[0] ?? "");
    expect(JSON.stringify(ids)).not.toContain("farm");
  });

  test("credits nothing for a link that is made up, and leads nowhere else", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    expect((await signUp("careful@example.com").answer).status).toBe(200);
    house.credits.length = 0;
    const forged = await house.visitor().get(confirmation().replace(/token=[^&]+/, "token=a.b.c"));
    expect(forged.headers.get("location")).toBe("/console?error=INVALID_TOKEN");
    const elsewhere = confirmation().replace(/callbackURL=.*/, "callbackURL=https://evil.example");
    expect((await house.visitor().get(elsewhere)).status).toBe(403);
    expect(house.credits).toEqual([]);
  });

  test("a link that was lost can be asked for again, alike for every address", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    expect((await signUp("lost@example.com").answer).status).toBe(200);
    const mails = house.mails.length;
    const ask = async (email: string) => {
      const response = await house.visitor().post("/api/auth/send-verification-email", { email });
      return [response.status, await response.json()];
    };
    expect(await ask("lost@example.com")).toEqual(await ask("nobody@example.com"));
    expect(house.mails.slice(mails).map(({ to }) => to)).toEqual(["lost@example.com"]);
  });

  test("somebody who was invited has opened no account, and gets no credit for one", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    const mails = house.mails.length;
    house.credits.length = 0;
    await house.owner("guest@example.com");
    expect(house.mails).toHaveLength(mails);
    await house.visitor().post("/api/auth/send-verification-email", { email: "guest@example.com" });
    await house.visitor().get(confirmation());
    expect(house.credits).toEqual([]);
  });

  test.each([
    ["a short password", "third@example.com", "New", "short"],
    ["no address", "not an address", "New", PASSWORD],
    ["a name of control characters", "third@example.com", "a\u0000b", PASSWORD],
    ["an endless name", "third@example.com", "n".repeat(101), PASSWORD],
  ])("refuses %s", async (_what, email, name, password) => {
    house.terms = { policy: "open", credit: 0n };
    const { status } = await signUp(email, name, password).answer;
    expect(status).toBe(400);
  });
});
