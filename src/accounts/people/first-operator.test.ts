// The first visitor of an installation, whose link is still good, and who says whose it is.
import { expect, spyOn, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { bodyOf, PASSWORD } from "../../../test/support/browser.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { OperatorLinksTable } from "../tables/operator-access.ts";

const HOUR_MS = 3_600_000;
const person = (email: string) => ({ email, name: "Op", password: PASSWORD });
const parts = partsOfTest();

onEngines("the first operator on $name", (engine) => {
  async function setUp() {
    const house = await peopleHouse(parts, { engine });
    const open = (token: string) => house.visitor().post("/api/operator-link/open", { token });
    return { house, open };
  }

  test("is told before filling anything in whether the link is good, and whether it is the first", async () => {
    const { house, open } = await setUp();
    const token = await house.services.links.create();
    expect(await bodyOf(open(token))).toEqual({ first: true });
    // To look at it does not use it up.
    const joined = { token, ...person("op@example.com"), company: "Acme GmbH" };
    await bodyOf(house.visitor().post("/api/operator-link", joined));
    const used = await open(token);
    expect(used.status).toBe(404);
    expect(await used.json()).toMatchObject({
      error: { param: "token", message: expect.stringContaining("faregate operator link") },
    });
    const next = await house.services.links.create();
    expect(await bodyOf(open(next))).toEqual({ first: false });
    house.laterMs = HOUR_MS;
    expect((await open(next)).status).toBe(404);
  });

  test("has no link for years where the clock was ahead when it was made", async () => {
    const { house, open } = await setUp();
    house.laterMs = 10 * 365 * 24 * HOUR_MS;
    const token = await house.services.links.create();
    expect(await bodyOf(open(token))).toEqual({ first: true });
    house.laterMs = 0;
    expect((await open(token)).status).toBe(404);
    const form = { token, ...person("op@example.com"), company: "Acme GmbH" };
    expect((await house.visitor().post("/api/operator-link", form)).status).toBe(404);
  });

  test("names the operator's account, and nobody after", async () => {
    const { house } = await setUp();
    const come = async (email: string, company: unknown) => {
      const token = await house.services.links.create();
      const browser = house.visitor();
      const answer = await browser.post("/api/operator-link", {
        ...{ token, ...person(email), company },
      });
      return { browser, status: answer.status, body: (await answer.json()) as object };
    };
    const first = await come("op@example.com", "  Acme GmbH ");
    expect(first.status).toBe(200);
    const me = await bodyOf<{ accounts: unknown }>(first.browser.get("/api/me"));
    expect(me.accounts).toMatchObject([{ name: "Acme GmbH" }]);
    const second = await come("op2@example.com", "Mine now");
    expect(second).toMatchObject({ status: 400, body: { error: { param: "company" } } });
    expect((await come("op3@example.com", " ")).status).toBe(400);
  });

  type House = Awaited<ReturnType<typeof setUp>>["house"];

  /** Whether somebody comes in by a link, as one who runs the installation. */
  async function comes(house: House, token: string, form: object) {
    const browser = house.visitor();
    const { status } = await browser.post("/api/operator-link", { token, ...form });
    const me = await browser.get("/api/me");
    return { status, operator: me.ok && ((await me.json()) as { operator: boolean }).operator };
  }

  test("comes in by the same link where it failed half way", async () => {
    const { house } = await setUp();
    const token = await house.services.links.create();
    const form = { ...person("op@example.com"), company: "Acme GmbH" };
    spyOn(house.services.memberships, "join").mockRejectedValueOnce(new Error("the disk is full"));
    expect(await comes(house, token, form)).toEqual({ status: 500, operator: false });
    expect(await comes(house, token, form)).toEqual({ status: 200, operator: true });
    expect(await comes(house, token, person("op2@example.com"))).toMatchObject({ status: 404 });
  });

  /** As a process that ends there leaves it: the link is used up, and the identity belongs nowhere. */
  async function leftHalfMade(house: House, form: object) {
    const token = await house.services.links.create();
    const ends = () => Promise.reject(new Error("the process has ended"));
    const joining = spyOn(house.services.memberships, "join").mockImplementation(ends);
    const returning = spyOn(OperatorLinksTable.prototype, "giveBack").mockImplementation(ends);
    expect((await comes(house, token, form)).status).toBe(500);
    joining.mockRestore();
    returning.mockRestore();
    expect((await comes(house, token, form)).status).toBe(404);
  }

  test.each([
    ["", "select 1"],
    [", before there was a password", "delete from auth_account"],
  ])("comes in by another link where the process ended half way%s", async (_, undone) => {
    const { house } = await setUp();
    const form = person("op@example.com");
    await leftHalfMade(house, form);
    await house.sql.query(undone);
    const token = await house.services.links.create();
    expect(await comes(house, token, form)).toEqual({ status: 200, operator: true });
  });

  test("chooses a good password where the process ended before there was one", async () => {
    const { house } = await setUp();
    const form = person("op@example.com");
    await leftHalfMade(house, form);
    await house.sql.query("delete from auth_account");
    const token = await house.services.links.create();
    for (const password of ["", "short", "x".repeat(129)]) {
      const answer = await house.visitor().post("/api/operator-link", { token, ...form, password });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { param: "password" } });
    }
    expect(await house.sql.query("select id from auth_account")).toEqual([]);
    expect(await comes(house, token, form)).toEqual({ status: 200, operator: true });
  });

  test("is nobody who has another password, or belongs somewhere", async () => {
    const { house } = await setUp();
    const form = person("op@example.com");
    await leftHalfMade(house, form);
    const token = await house.services.links.create();
    const other = { ...form, password: "another good password" };
    expect((await comes(house, token, other)).status).toBe(400);
    await house.owner("customer@example.com");
    const customer = person("customer@example.com");
    expect((await comes(house, token, customer)).status).toBe(400);
  });
});

test.each([
  [false, true],
  [true, false],
])(
  "whether mail can be sent is told before anybody signs in (mailless: %p)",
  async (mailless, mail) => {
    const house = await peopleHouse(parts, { mailless });
    expect(await bodyOf(house.visitor().get("/api/sign-in-options"))).toMatchObject({ mail });
  },
);
