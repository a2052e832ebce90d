import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { consoleDatabases } from "../../../test/store/console.ts";
import {
  type ConsoleHouse,
  openConsoleHouse,
  PASSWORD,
} from "../../../test/support/people-house.ts";

describe.each(consoleDatabases())("signing up on $name", (database) => {
  let house: ConsoleHouse;

  beforeAll(async () => {
    house = await openConsoleHouse(database);
    await house.operator("op@example.com");
  });
  beforeEach(() => {
    house.terms = { policy: "invite", credit: 0n };
  });
  afterAll(() => house.close());

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

  test("where it is open, it opens an account that cannot be overrun, with the credit", async () => {
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
    expect(house.credits).toMatchObject([
      { id: `signup-${id}`, accountId: id, amount: 2_000_000_000n, kind: "trial" },
    ]);
  });

  test("gives no credit unless there is some", async () => {
    house.credits.length = 0;
    house.terms = { policy: "open", credit: 0n };
    expect((await signUp("second@example.com").answer).status).toBe(200);
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
